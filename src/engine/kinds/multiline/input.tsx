import type { InputProps } from '../parts/kind.ts'
import { TextInput } from '../text/input.tsx'

export const MultilineInput = (props: InputProps) => <TextInput {...props} lines={3} />

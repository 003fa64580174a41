import type { InputProps } from '../parts/kind.ts'
import { TextInput } from '../text/input.tsx'

export const UrlInput = (props: InputProps) => <TextInput {...props} inputMode="url" />

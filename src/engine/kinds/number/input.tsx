import type { InputProps } from '../parts/kind.ts'
import { TextInput } from '../text/input.tsx'

/** A text input: number inputs change by the mouse wheel and swallow what they cannot read. */
export const NumberInput = (props: InputProps) => (
  <TextInput {...props} inputMode={props.field.integer ? 'numeric' : 'decimal'} />
)

import type { InputProps } from '../parts/kind.ts'
import { TextInput } from '../text/input.tsx'

const asText = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

/** A value as JSON text. The form holds the value until somebody edits the text; then the schema parses it. */
export function JsonInput(props: InputProps) {
  return <TextInput {...props} lines={4} mono format={asText} />
}

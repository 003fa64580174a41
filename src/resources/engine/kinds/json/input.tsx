import type { InputProps } from '../parts/kind.ts'
import { TextInput } from '../text/input.tsx'

const asText = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

/** The value as text. The form holds the value itself until somebody edits the text; the schema reads it then. */
export function JsonInput(props: InputProps) {
  return <TextInput {...props} lines={4} mono format={asText} />
}

import type { CellProps, FieldKind, InputProps } from './kind.ts'
import { TextCell, TextInput } from './text.tsx'

const asText = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

function JsonCell(props: CellProps) {
  return <TextCell {...props} value={props.value ? JSON.stringify(props.value) : ''} />
}

/** The value as text. The form holds the value itself until somebody edits the text; the schema reads it then. */
function JsonInput(props: InputProps) {
  return <TextInput {...props} lines={4} mono format={asText} />
}

export const json: FieldKind = { Cell: JsonCell, Input: JsonInput }

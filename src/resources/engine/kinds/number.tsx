import { useLocaleState } from 'react-admin'
import type { CellProps, FieldKind } from './kind.ts'
import { TextInput } from './text.tsx'

function NumberCell({ value, field }: CellProps) {
  const [locale] = useLocaleState()
  if (typeof value !== 'number') return null
  return field?.name === 'id' ? String(value) : value.toLocaleString(locale)
}

/** A text input: number inputs change by the mouse wheel and swallow what they cannot read. */
export const number: FieldKind = {
  Cell: NumberCell,
  Input: (props) => <TextInput {...props} inputMode={props.field.integer ? 'numeric' : 'decimal'} />,
}

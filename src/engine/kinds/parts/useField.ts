import { useInput } from 'react-admin'
import type { FieldDescription } from '../../../schemas/define/describe.ts'

/**
 * A field of the surrounding form. The value stays as typed: the schema parses it on save.
 * @param format how the value is shown; the form keeps the value itself until somebody edits it
 */
export function useField<Value = string>({ name }: FieldDescription, format = (value: Value) => value) {
  const { id, field, fieldState } = useInput<Value>({ source: name, parse: (value) => value, format })
  return { id, field: field as Omit<typeof field, 'value'> & { value: Value }, error: fieldState.error?.message }
}

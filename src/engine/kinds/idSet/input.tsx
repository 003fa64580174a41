import type { InputProps } from '../parts/kind.ts'
import { useField } from '../parts/useField.ts'
import { LazyReferencePicker } from '../reference/LazyReferencePicker.ts'

/** A set of ids, on the wire `{ "3": true }`. An entry with `false` has no meaning and stays as it came. */
export function IdSetInput(props: InputProps) {
  const { id, field, error } = useField<Record<string, boolean> | null>(props.field)
  const entries = Object.entries(field.value ?? {})
  const chosen = entries.filter(([, on]) => on).map(([key]) => Number(key))
  const choose = (ids: readonly number[]) => {
    const off = entries.filter(([key, on]) => !on && !ids.includes(Number(key)))
    field.onChange({ ...Object.fromEntries(off), ...Object.fromEntries(ids.map((key) => [key, true])) })
  }
  return (
    <LazyReferencePicker {...props} multiple id={id} error={error} binding={field} chosen={chosen} onChoose={choose} />
  )
}

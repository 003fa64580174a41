import { lazyPart } from '../parts/lazyPart.tsx'
import type { InputProps } from './kind.ts'
import { useField } from './useField.ts'

/** Comes with the first form that needs it: a list has no use for an autocomplete. */
const ReferencePicker = lazyPart(() => import('./ReferencePicker.tsx'))

/** Several records of another entity. `null` and an empty list mean the same. */
export function RefsInput(props: InputProps) {
  const { id, field, error } = useField<number[] | null>(props.field)
  return (
    <ReferencePicker
      {...props}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={field.value ?? []}
      onChoose={field.onChange}
    />
  )
}

/** One record of another entity; 0 means none. */
export function RefInput(props: InputProps) {
  const { id, field, error } = useField<number>(props.field)
  return (
    <ReferencePicker
      {...props}
      id={id}
      error={error}
      binding={field}
      chosen={field.value ? [field.value] : []}
      onChoose={(ids) => field.onChange(ids[0] ?? 0)}
    />
  )
}

/** A set that travels as `{ "3": true }`. An entry with `false` means nothing, and stays as it came. */
export function IdSetInput(props: InputProps) {
  const { id, field, error } = useField<Record<string, boolean> | null>(props.field)
  const entries = Object.entries(field.value ?? {})
  const chosen = entries.filter(([, on]) => on).map(([key]) => Number(key))
  const choose = (ids: readonly number[]) => {
    const off = entries.filter(([key, on]) => !on && !ids.includes(Number(key)))
    field.onChange({ ...Object.fromEntries(off), ...Object.fromEntries(ids.map((key) => [key, true])) })
  }
  return <ReferencePicker {...props} multiple id={id} error={error} binding={field} chosen={chosen} onChoose={choose} />
}

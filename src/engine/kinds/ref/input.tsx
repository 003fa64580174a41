import type { InputProps } from '../parts/kind.ts'
import { useField } from '../parts/useField.ts'
import { LazyReferencePicker } from '../reference/LazyReferencePicker.ts'

/** One record of another entity; 0 means none. */
export function RefInput(props: InputProps) {
  const { id, field, error } = useField<number>(props.field)
  return (
    <LazyReferencePicker
      {...props}
      id={id}
      error={error}
      binding={field}
      chosen={field.value ? [field.value] : []}
      onChoose={(ids) => field.onChange(ids[0] ?? 0)}
    />
  )
}

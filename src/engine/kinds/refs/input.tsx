import type { InputProps } from '../parts/kind.ts'
import { useField } from '../parts/useField.ts'
import { LazyReferencePicker } from '../reference/LazyReferencePicker.ts'

/** Several records of another entity. `null` and an empty list mean the same. */
export function RefsInput(props: InputProps) {
  const { id, field, error } = useField<number[] | null>(props.field)
  return (
    <LazyReferencePicker
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

import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'

/** Servers stored as one text of ids, `1,2`. Other parts of the text are removed with the first change. */
export function ServersInput(props: InputProps) {
  const { id, field, error } = useField(props.field)
  const chosen = (field.value ?? '').split(',').flatMap((part) => (/^\s*\d+\s*$/.test(part) ? [Number(part)] : []))
  return (
    <LazyReferencePicker
      {...props}
      field={{ ...props.field, to: 'server' }}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={chosen}
      onChoose={(ids) => field.onChange(ids.join(','))}
    />
  )
}

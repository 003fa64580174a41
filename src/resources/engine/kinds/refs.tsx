import { lazy } from 'react'
import { useTranslate } from 'react-admin'
import type { CellProps, FieldKind, InputProps } from './kind.ts'
import { TextCell } from './text.tsx'
import { useField } from './useField.ts'
import { useNames } from './useNames.ts'

/** Comes with the first form that needs it: a list has no use for an autocomplete. */
const ReferencePicker = lazy(() => import('./ReferencePicker.tsx'))

const namesShown = 3

/** Up to three names, then '+ N more'; all of them on hover. */
export function NamesCell({ value, entity, field }: CellProps) {
  const translate = useTranslate()
  const ids = [value ?? []].flat().filter(Boolean) as number[]
  const nameOf = useNames(field?.to ?? '', ids)
  const names = ids.map(nameOf)
  const more = names.length - namesShown
  const short = [...names.slice(0, namesShown), ...(more > 0 ? [translate('app.list.more', { count: more })] : [])]
  return (
    <span title={names.join(', ')}>
      <TextCell value={short.join(', ')} entity={entity} />
    </span>
  )
}

/** Several records of another entity. `null` and an empty list mean the same. */
function RefsInput(props: InputProps) {
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
function RefInput(props: InputProps) {
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
function IdSetInput(props: InputProps) {
  const { id, field, error } = useField<Record<string, boolean> | null>(props.field)
  const entries = Object.entries(field.value ?? {})
  const chosen = entries.filter(([, on]) => on).map(([key]) => Number(key))
  const choose = (ids: readonly number[]) => {
    const off = entries.filter(([key, on]) => !on && !ids.includes(Number(key)))
    field.onChange({ ...Object.fromEntries(off), ...Object.fromEntries(ids.map((key) => [key, true])) })
  }
  return <ReferencePicker {...props} multiple id={id} error={error} binding={field} chosen={chosen} onChoose={choose} />
}

function IdSetCell(props: CellProps) {
  const chosen = Object.entries((props.value as Record<string, boolean> | null) ?? {}).filter(([, on]) => on)
  return <NamesCell {...props} value={chosen.map(([key]) => Number(key))} />
}

export const refs: FieldKind = { Cell: NamesCell, Input: RefsInput }
export const ref: FieldKind = { Cell: NamesCell, Input: RefInput }
export const idSet: FieldKind = { Cell: IdSetCell, Input: IdSetInput }

import { useTranslate } from 'react-admin'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'
import { TextCell } from '../text/cell.tsx'
import { useNames } from './useNames.ts'

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

export function NameFilterText({ value, field }: FilterTextProps) {
  const nameOf = useNames(field.to ?? '', [value])
  return nameOf(value)
}

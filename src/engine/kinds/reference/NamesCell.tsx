import { useTranslate } from 'react-admin'
import { type ListedName, MoreNames } from '../../parts/MoreNames.tsx'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'
import { useRecordAddress } from './recordAddress.ts'
import { useNames, useRecords } from './useNames.ts'
import '../../parts/names.css'

const namesShown = 3

/** Up to three names, then '+ N more', which opens the list of all. */
export function NamesCell({ value, field }: CellProps) {
  const ids = [value ?? []].flat().filter(Boolean) as number[]
  const nameOf = useNames(field?.to ?? '', ids)
  const shown = ids.slice(0, namesShown).map(nameOf).join(', ')
  return (
    <span className="names">
      <span title={shown}>{shown}</span>
      {ids.length > namesShown ? <MoreRecords to={field?.to ?? ''} ids={ids} /> : null}
    </span>
  )
}

/** Apart from the cell: most cells have no more names, and need no addresses. */
function MoreRecords({ to, ids }: { to: string; ids: readonly number[] }) {
  const translate = useTranslate()
  const nameOf = useNames(to, ids)
  const recordOf = useRecords(to)
  const addressOf = useRecordAddress(to)
  const names = () =>
    ids.map((id): ListedName => {
      const record = recordOf(id)
      return { id, name: nameOf(id), to: record && addressOf(record) }
    })
  const label = translate(`resources.${to}.name`, { smart_count: 2 })
  return <MoreNames label={label} names={names} count={ids.length - namesShown} />
}

export const NameFilterText = ({ value, field }: FilterTextProps) => <RecordName to={field.to ?? ''} id={value} />

/** The name of a record of an entity. */
export function RecordName({ to, id }: { to: string; id: string }) {
  const nameOf = useNames(to, [id])
  return nameOf(id)
}

import '../../parts/names.css'
import { type Identifier, type RaRecord, useTranslate } from 'react-admin'
import { byId, everyRow } from '../../../records/queryRows.ts'
import { recordName } from '../../../schemas/define/entity.ts'
import { entityNamed } from '../../../schemas/index.ts'
import { savedName } from '../../../storage/savedNames.ts'
import { type ListedName, MoreNames } from '../../parts/MoreNames.tsx'
import { useSharedList } from '../../parts/useSharedList.ts'
import type { CellProps, FilterTextProps } from '../parts/kind.tsx'
import { useRecordAddress } from './recordAddress.ts'

/** The whole list: it is in memory, or soon will be, and one request for all cells costs less than one for each id. */
const everything = {
  pagination: everyRow,
  sort: { field: 'id', order: 'ASC' as const },
}

/** What a record of another entity is called. */
export const referenceName = (entity: string, record: RaRecord): string =>
  recordName(entityNamed(entity) ?? { nameField: 'name' }, record)

/**
 * Names of records of another entity by id; an id that leads nowhere is shown as `#17, deleted`. Until the list has
 * arrived, names are those of the last visit.
 */
export function useNames(entity: string, ids: readonly Identifier[]): (id: Identifier) => string {
  const translate = useTranslate()
  const records = useSharedList(entity, everything, ids.length > 0)
  return (id) => {
    const record = records && byId(records).get(String(id))
    if (record) return referenceName(entity, record)
    return records ? translate('app.list.dangling', { id }) : savedName(entity, id) || `#${id}`
  }
}

/** Finds records of another entity by id in its list. */
export function useRecords(entity: string): (id: Identifier) => RaRecord | undefined {
  const records = useSharedList(entity, everything)
  return (id) => records && byId(records).get(String(id))
}

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

import { type Identifier, type RaRecord, useTranslate } from 'react-admin'
import { byId, everyRow } from '../../../records/wholeList.ts'
import { recordName } from '../../../schemas/define/entity.ts'
import { entityNamed } from '../../../schemas/index.ts'
import { savedName } from '../../../storage/savedNames.ts'
import { useSharedList } from '../../parts/useSharedList.ts'

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

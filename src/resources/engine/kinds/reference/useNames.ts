import { type Identifier, type RaRecord, useGetList, useTranslate } from 'react-admin'
import { byId, everyRow } from '../../../../records/wholeList.ts'
import { recordName } from '../../../../schemas/define/entity.ts'
import { entityNamed } from '../../../../schemas/index.ts'
import { savedName } from '../../../../storage/savedNames.ts'

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
  const { data } = useGetList(entity, everything, { enabled: ids.length > 0, notifyOnChangeProps: ['data'] })
  return (id) => {
    const record = data && byId(data).get(String(id))
    if (record) return referenceName(entity, record)
    return data ? translate('app.list.dangling', { id }) : savedName(entity, id) || `#${id}`
  }
}

/** Finds records of another entity by id in its list, which `useNames` has asked for. */
export function useRecords(entity: string): (id: Identifier) => RaRecord | undefined {
  const { data } = useGetList(entity, everything, { enabled: false, notifyOnChangeProps: ['data'] })
  return (id) => data && byId(data).get(String(id))
}

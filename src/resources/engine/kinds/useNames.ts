import { type Identifier, type RaRecord, useGetList, useTranslate } from 'react-admin'
import { keptName } from '../../../keptNames.ts'

/** The whole list: it is in memory, or soon will be, and one question for all cells costs less than one for each id. */
const everything = {
  pagination: { page: 1, perPage: Number.MAX_SAFE_INTEGER },
  sort: { field: 'id', order: 'ASC' as const },
}

/**
 * Names of records of another entity by id; an id that leads nowhere is shown as `#17, deleted`. Until the list has arrived,
 * names are those of the last visit.
 */
export function useNames(entity: string, ids: readonly Identifier[]): (id: Identifier) => string {
  const translate = useTranslate()
  const { data } = useGetList(entity, everything, { enabled: ids.length > 0 })
  return (id) => {
    const record = data && byId(data).get(String(id))
    if (record) return record.name || `#${id}`
    return data ? translate('app.list.dangling', { id }) : keptName(entity, id) || `#${id}`
  }
}

const indexes = new WeakMap<readonly RaRecord[], ReadonlyMap<string, RaRecord>>()

/** Once per answer of the server: a group may have thousands of members. */
function byId(records: readonly RaRecord[]): ReadonlyMap<string, RaRecord> {
  let index = indexes.get(records)
  if (!index) {
    index = new Map(records.map((record) => [String(record.id), record]))
    indexes.set(records, index)
  }
  return index
}

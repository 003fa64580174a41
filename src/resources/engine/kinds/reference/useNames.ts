import { type Identifier, useGetList, useTranslate } from 'react-admin'
import { savedName } from '../../../../records/savedNames.ts'
import { byId, everyRow } from '../../../../records/wholeList.ts'

/** The whole list: it is in memory, or soon will be, and one request for all cells costs less than one for each id. */
const everything = {
  pagination: everyRow,
  sort: { field: 'id', order: 'ASC' as const },
}

/**
 * Names of records of another entity by id; an id that leads nowhere is shown as `#17, deleted`. Until the list has
 * arrived, names are those of the last visit.
 */
export function useNames(entity: string, ids: readonly Identifier[]): (id: Identifier) => string {
  const translate = useTranslate()
  const { data } = useGetList(entity, everything, { enabled: ids.length > 0, notifyOnChangeProps: ['data'] })
  return (id) => {
    const record = data && byId(data).get(String(id))
    if (record) return record.name || `#${id}`
    return data ? translate('app.list.dangling', { id }) : savedName(entity, id) || `#${id}`
  }
}

import { type Identifier, useGetMany, useTranslate } from 'react-admin'
import { keptName } from '../../../keptNames.ts'

/**
 * Names of records of another entity by id; an id that leads nowhere is shown as `#17, deleted`. Until the list has arrived,
 * names are those of the last visit.
 */
export function useNames(entity: string, ids: readonly Identifier[]): (id: Identifier) => string {
  const translate = useTranslate()
  const { data } = useGetMany(entity, { ids: [...ids] }, { enabled: ids.length > 0 })
  return (id) => {
    const record = data?.find((candidate) => candidate && String(candidate.id) === String(id))
    if (record) return record.name || `#${id}`
    return data ? translate('app.list.dangling', { id }) : keptName(entity, id) || `#${id}`
  }
}

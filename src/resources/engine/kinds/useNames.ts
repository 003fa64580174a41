import { type Identifier, useGetMany } from 'react-admin'

/** Names of records of another entity by id; an id that leads nowhere is shown as `#17`. */
export function useNames(entity: string, ids: readonly Identifier[]): (id: Identifier) => string {
  const { data } = useGetMany(entity, { ids: [...ids] }, { enabled: ids.length > 0 })
  return (id) => {
    const record = data?.find((candidate) => candidate && String(candidate.id) === String(id))
    return record?.name || `#${id}`
  }
}

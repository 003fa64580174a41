import { type RaRecord, useGetMany, useListContext, useResourceContext } from 'react-admin'

/** The selected records, those of other pages included; they come from the list that is already loaded. */
export function useSelectedRecords(): readonly RaRecord[] {
  const resource = useResourceContext() ?? ''
  const { selectedIds, data = [] } = useListContext()
  const elsewhere = selectedIds.filter((id) => !data.some((record) => record.id === id))
  const { data: fetched = [] } = useGetMany(resource, { ids: elsewhere }, { enabled: elsewhere.length > 0 })
  const known = [...data, ...fetched.filter(Boolean)]
  return selectedIds.map((id) => known.find((record) => record.id === id) ?? { id })
}

import { type RaRecord, useListContext } from 'react-admin'

/** All records that the list's search and filters let through, on every page. */
export function useMatchingRecords(): () => Promise<RaRecord[]> {
  const { getData, total = 0 } = useListContext()
  return async () => (await getData?.({ maxResults: total })) ?? []
}

import { type RaRecord, useDataProvider, useListContext } from 'react-admin'
import { useScreen } from '../../define/screen.ts'
import { useMatchingRecords } from '../state/useMatchingRecords.ts'

/**
 * Finds the selected records, those of other pages included, when they are needed. They come from the list that is
 * already loaded; of a list that the server pages, records of other pages have only their ids.
 */
export function useSelectedRecords(): () => Promise<readonly RaRecord[]> {
  const { entity } = useScreen()
  const { selectedIds, data = [] } = useListContext()
  const dataProvider = useDataProvider()
  return async () => {
    const recordById = new Map(data.map((record) => [record.id, record]))
    const elsewhere = selectedIds.filter((id) => !recordById.has(id))
    if (elsewhere.length > 0 && entity.api.paging === 'whole') {
      const { data: fetched } = await dataProvider.getMany<RaRecord>(entity.name, { ids: elsewhere })
      for (const record of fetched) recordById.set(record.id, record)
    }
    return selectedIds.map((id) => recordById.get(id) ?? { id })
  }
}

/**
 * Counts the records that the list's search and filters no longer match: they matched when they were selected, and have
 * changed since.
 */
export function useFilteredOut(): (records: readonly RaRecord[]) => Promise<number> {
  const { filterValues } = useListContext()
  const matching = useMatchingRecords()
  return async (records) => {
    if (Object.keys(filterValues).length === 0) return 0
    const shown = new Set((await matching()).map(({ id }) => id))
    return records.filter(({ id }) => !shown.has(id)).length
  }
}

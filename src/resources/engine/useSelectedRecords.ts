import { type RaRecord, useDataProvider, useListContext } from 'react-admin'
import { useScreen } from './screen.ts'

/**
 * Finds the selected records, those of other pages included, when they are needed. They come from the list that is
 * already loaded; of a list that the server pages, other pages are known by their ids only.
 */
export function useSelectedRecords(): () => Promise<readonly RaRecord[]> {
  const { entity } = useScreen()
  const { selectedIds, data = [] } = useListContext()
  const dataProvider = useDataProvider()
  return async () => {
    const known = new Map(data.map((record) => [record.id, record]))
    const elsewhere = selectedIds.filter((id) => !known.has(id))
    if (elsewhere.length > 0 && entity.api.paging === 'whole') {
      const { data: fetched } = await dataProvider.getMany<RaRecord>(entity.name, { ids: elsewhere })
      for (const record of fetched) known.set(record.id, record)
    }
    return selectedIds.map((id) => known.get(id) ?? { id })
  }
}

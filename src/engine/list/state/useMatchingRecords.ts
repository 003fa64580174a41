import { type RaRecord, useDataProvider, useListContext } from 'react-admin'
import { everyRow } from '../../../records/wholeList.ts'
import { useScreen } from '../../define/screen.ts'

/** Gets all records that match the search and filters of the rows on screen, on every page and in their order. */
export function useMatchingRecords(): () => Promise<RaRecord[]> {
  const { entity, meta } = useScreen()
  const { filterValues: filter, sort, total = 0 } = useListContext()
  const dataProvider = useDataProvider()
  return async () => {
    const pagination = entity.api.paging === 'whole' ? everyRow : { page: 1, perPage: total }
    const params = { filter, sort, pagination, meta }
    return total === 0 ? [] : (await dataProvider.getList<RaRecord>(entity.name, params)).data
  }
}

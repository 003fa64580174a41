import { type GetListParams, type GetListResult, type RaRecord, useDataProvider } from 'react-admin'
import { useSharedQuery } from './useSharedQuery.ts'

/**
 * The records of another entity's list, for parts that every row has: in a row, `useGetList` costs more than what it is
 * for. Both have the same cache.
 *
 * @param isWanted without it nothing is asked for, and what is there is returned
 */
export function useSharedList(
  entity: string,
  params: Required<Pick<GetListParams, 'pagination' | 'sort'>>,
  isWanted = true,
): RaRecord[] | undefined {
  const dataProvider = useDataProvider()
  const query = {
    queryKey: [entity, 'getList', { ...params, filter: {} }],
    queryFn: () => dataProvider.getList(entity, { ...params, filter: {} }),
  }
  return useSharedQuery(query, recordsOf, isWanted)
}

const recordsOf = ({ data }: GetListResult): RaRecord[] => data

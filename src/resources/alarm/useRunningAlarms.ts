import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { useSetting } from '../../components/useSetting.ts'
import { alarm } from '../../schemas/alarm.ts'

/** Milliseconds. */
const refreshInterval = 30_000

/**
 * How many alarms that this person may see are running, in one request for all callers; `undefined` while loading and
 * with servers that have no alarm history. A tab in the background does not ask.
 */
export function useRunningAlarms(): number | undefined {
  const dataProvider = useDataProvider()
  const areRecorded = useSetting()?.wheelhouse?.alarms === true
  const { data } = useQuery({
    queryKey: [alarm.name, 'running'],
    queryFn: async () => {
      const pagination = { page: 1, perPage: 1 }
      const params = { filter: { state: 'running' }, pagination, sort: { field: 'id', order: 'ASC' as const } }
      return (await dataProvider.getList(alarm.name, params)).total ?? 0
    },
    enabled: areRecorded,
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  return areRecorded ? data : undefined
}

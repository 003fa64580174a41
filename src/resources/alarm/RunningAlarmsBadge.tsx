import '../../components/theme/cells.css'
import { useQuery } from '@tanstack/react-query'
import { LinkBase, useBasename, useDataProvider, useTranslate } from 'react-admin'
import { useSetting } from '../../components/useSetting.ts'
import { filteredList } from '../../engine/list/state/listQuery.ts'
import type { Row } from '../../records/queryRows.ts'
import { alarm } from '../../schemas/alarm.ts'

/** The number of running alarms beside an entry of the navigation, leading to them; nothing while there are none. */
export function RunningAlarmsBadge() {
  const count = useRunningAlarms()
  const basename = useBasename()
  const translate = useTranslate()
  if (!count) return null
  const text = translate('app.alarm.running_count', { smart_count: count })
  return (
    <LinkBase
      className="alarm-badge"
      to={`${basename}/alarm${filteredList({ state: 'running' })}`}
      aria-label={text}
      title={text}
    >
      {count > 99 ? '99+' : count}
    </LinkBase>
  )
}

/** Milliseconds. */
const minRefreshInterval = 15_000
/** Milliseconds per alarm: a thousand of them are asked for less often. */
const refreshPerAlarm = 50
/** The alarms that are read at once; what is beyond is counted. */
const maxAlarms = 1000

interface RunningAlarms {
  alarms: readonly Row<typeof alarm>[]
  /** Of all, read or not. */
  total: number
}

/**
 * The running alarms that this person may see, in one request for all callers. A tab in the background does not ask.
 * @param pick gets them; what it returns should be the same while they are
 * @returns `isLoading` until they are known; no data with servers that have no alarm history
 */
export function useRunningAlarmsQuery<T>(pick: (running: RunningAlarms) => T) {
  const dataProvider = useDataProvider()
  return useQuery({
    queryKey: [alarm.name, 'running'],
    queryFn: async (): Promise<RunningAlarms> => {
      const pagination = { page: 1, perPage: maxAlarms }
      const params = { filter: { state: 'running' }, pagination, sort: { field: 'id', order: 'ASC' as const } }
      const { data, total = 0 } = await dataProvider.getList<Row<typeof alarm>>(alarm.name, params)
      return { alarms: data, total }
    },
    select: pick,
    enabled: useSetting()?.wheelhouse?.alarms === true,
    staleTime: minRefreshInterval / 2,
    refetchInterval: ({ state }) => Math.max(minRefreshInterval, (state.data?.alarms.length ?? 0) * refreshPerAlarm),
  })
}

/** How many alarms are running; `undefined` while loading and with servers that have no alarm history. */
export const useRunningAlarms = (): number | undefined => useRunningAlarmsQuery(({ total }) => total).data

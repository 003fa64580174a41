import { useMemo } from 'react'
import { type RaRecord, useGetList } from 'react-admin'
import type { TimeMark } from '../../../components/charts/plot/timeMarks.ts'
import { historyPeriodTimes } from '../../../components/charts/useHistory.ts'
import { useSetting } from '../../../components/useSetting.ts'
import type { HistoryPeriod } from '../../../schemas/endpoints/serviceHistory.ts'

const refreshMs = 30_000
/** The latest alarms; the list of alarms has all of them. */
const maxAlarms = 1000

/** The alarms of a server that ran in the period; none where the console server keeps no alarm history. */
export function useServerAlarms(id: number, period: HistoryPeriod): readonly RaRecord[] {
  const hasAlarms = useSetting()?.wheelhouse?.alarms === true
  const { data } = useGetList(
    'alarm',
    { filter: { server_id: id }, pagination: { page: 1, perPage: maxAlarms } },
    { enabled: hasAlarms, refetchInterval: refreshMs },
  )
  return useMemo(() => {
    const from = Date.now() - historyPeriodTimes[period].length
    return (data ?? []).filter(({ ended_at }) => ended_at === undefined || Date.parse(ended_at) >= from)
  }, [data, period])
}

/** Alarms as marks in charts; a running one lasts until the end of them. */
export const alarmMarks = (alarms: readonly RaRecord[]): TimeMark[] =>
  alarms.map(({ started_at, ended_at, rule_name }) => ({
    kind: 'alarm',
    from: Date.parse(started_at),
    to: ended_at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(ended_at),
    text: rule_name,
  }))

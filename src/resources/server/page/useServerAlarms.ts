import { useMemo } from 'react'
import { useGetList } from 'react-admin'
import type { TimeMark } from '../../../components/charts/plot/timeMarks.ts'
import { beginOfPeriod, type ChartPeriod } from '../../../components/charts/useHistory.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { metricsOfAlarm } from '../../../domain/alerts/recordedMetrics.ts'
import type { Row } from '../../../records/queryRows.ts'
import type { alarm } from '../../../schemas/alarm.ts'

type Alarm = Row<typeof alarm>

const refreshMs = 30_000
/** The latest alarms; the list of alarms has all of them. */
const maxAlarms = 1000

/** The alarms of a server that ran in the period; none where the console server keeps no alarm history. */
export function useServerAlarms(id: number, period: ChartPeriod): readonly Alarm[] {
  const hasAlarms = useSetting()?.wheelhouse?.alarms === true
  const { data } = useGetList<Alarm>(
    'alarm',
    { filter: { server_id: id }, pagination: { page: 1, perPage: maxAlarms } },
    { enabled: hasAlarms, refetchInterval: refreshMs },
  )
  return useMemo(() => {
    const from = beginOfPeriod(period, Date.now())
    return (data ?? []).filter(({ ended_at }) => ended_at === undefined || Date.parse(ended_at) >= from)
  }, [data, period])
}

/** Alarms as marks in the charts of what they are about; a running one lasts until the end of them. */
export const alarmMarks = (alarms: readonly Alarm[]): TimeMark[] =>
  alarms.map(({ started_at = '', ended_at, rule_name = '', causes = [] }) => ({
    kind: 'alarm',
    from: Date.parse(started_at),
    to: ended_at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(ended_at),
    text: rule_name,
    about: metricsOfAlarm(causes.map(({ type }) => type)),
  }))

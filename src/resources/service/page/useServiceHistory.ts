import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDataProvider } from 'react-admin'
import {
  type ChartBound,
  type ChartSeries,
  failuresOf,
  type Point,
  type TimeMark,
} from '../../../components/charts/plot/chartSeries.ts'
import { beginOfPeriod, type ChartPeriod, type History, useHistory } from '../../../components/charts/useHistory.ts'
import { useSetting } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { Row } from '../../../records/queryRows.ts'
import type { ReplyOf } from '../../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { service as serviceEntity } from '../../../schemas/service.ts'

/** The results of a service from each server that checks it. */
export type ServiceHistory = History<ReplyOf<typeof historyEndpoints.serviceHistory>>

/** How each server saw a service in a period. */
export function useServiceHistory(id: number, period: ChartPeriod): ServiceHistory {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useHistory(['service', id], period, (asked) => call(historyEndpoints.serviceHistory, { id, period: asked }))
}

type Server = NonNullable<ServiceHistory['data']>['servers'][number]

/** The servers that have results in the period: those with the most failures first, then the slowest. */
export function latencySeries(servers: readonly Server[], period: ChartPeriod, at: number): ChartSeries[] {
  const from = beginOfPeriod(period, at)
  return servers
    .map((server) => (period === '1h' ? ofLastHour(server, from) : server))
    .filter(({ stats }) => stats.data_points.length > 0)
    .sort(({ stats: one }, { stats: other }) => one.up_percent - other.up_percent || other.avg_delay - one.avg_delay)
    .map(({ server_id, server_name, stats }) => ({
      key: String(server_id),
      name: server_name || `#${server_id}`,
      upPercent: stats.up_percent,
      points: stats.data_points.map(
        ({ ts, delay, status }): Point => (status ? { at: ts, value: delay } : { at: ts, value: null, failed: true }),
      ),
    }))
}

/** What a server that sends a whole day has seen in its last hour. */
function ofLastHour(server: Server, from: number): Server {
  const data_points = server.stats.data_points.filter(({ ts }) => ts >= from)
  const good = data_points.filter(({ status }) => status)
  const sum = good.reduce((total, { delay }) => total + delay, 0)
  const up_percent = data_points.length > 0 ? (good.length / data_points.length) * 100 : 0
  return { ...server, stats: { ...server.stats, data_points, up_percent, avg_delay: sum / (good.length || 1) } }
}

/** The latencies of a service of which somebody is told, as lines across its chart. */
export function latencyBounds(
  service: Partial<Pick<Row<typeof serviceEntity>, 'min_latency' | 'max_latency'>>,
  series: readonly ChartSeries[],
): ChartBound[] {
  const about = series.map(({ key }) => key)
  const limits = [
    { side: 'max', value: Number(service.max_latency) } as const,
    { side: 'min', value: Number(service.min_latency) } as const,
  ]
  return limits.flatMap((limit) => (limit.value > 0 ? [{ ...limit, about }] : []))
}

/** A time in which a service could not be reached; times are ms since 1970. */
export interface Outage {
  key: string
  from: number
  /** `undefined` while it lasts. */
  to: number | undefined
  /** The server that saw it, or saw it first. */
  server?: string
  /** Why, where the server keeps that. */
  cause?: string
  /** The same as the key of a text with its values, where the server has that. */
  reason?: { key: string; values: Readonly<Record<string, string | number>> }
  /** What was answered. */
  answer?: string
}

const refreshMs = 30_000

/** The outages that the server has kept, latest first; `data` is undefined where it keeps none. */
export function useStoredOutages(id: number) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const areStored = useSetting()?.wheelhouse?.outages === true
  const query = useQuery({
    queryKey: ['services', 'outages', id],
    queryFn: () => call(historyEndpoints.serviceOutages, { id }),
    select: fromReply,
    enabled: areStored,
    refetchInterval: refreshMs,
  })
  return { ...query, areStored }
}

const fromReply = (reply: ReplyOf<typeof historyEndpoints.serviceOutages>): Outage[] =>
  reply.map(({ id, started_at, ended_at, problem, server_name, reason, reason_values, answer }) => ({
    key: String(id),
    from: Date.parse(started_at),
    to: ended_at === undefined ? undefined : Date.parse(ended_at),
    server: server_name,
    cause: problem,
    reason: reason ? { key: reason, values: reason_values ?? {} } : undefined,
    answer,
  }))

/**
 * The outages of a service in a period, latest first. The embedded server keeps them, with the cause. Others keep only
 * results: there it is an outage when a server's checks fail, on that server.
 */
export function useOutages(id: number, period: ChartPeriod, history: ServiceHistory) {
  const setting = useSetting()
  const { areStored, data, error, refetch } = useStoredOutages(id)
  const outages = useMemo((): readonly Outage[] | undefined => {
    if (!setting) return undefined
    const found = areStored ? data : history.data && fromResults(history.data, history.at)
    const from = beginOfPeriod(period, areStored ? Date.now() : history.at)
    return found?.filter(({ to }) => to === undefined || to >= from)
  }, [setting, areStored, data, history.data, history.at, period])
  return { outages, areStored, error, retry: () => void refetch() }
}

function fromResults({ servers }: NonNullable<ServiceHistory['data']>, now: number): Outage[] {
  return servers
    .flatMap(({ server_id, server_name, stats }) => {
      const points = stats.data_points.map(
        ({ ts, status }): Point => (status ? { at: ts, value: 0 } : { at: ts, value: null, failed: true }),
      )
      const last = points.at(-1)
      return failuresOf(points, now).map(({ from, to }) => ({
        key: `${server_id} ${from}`,
        from,
        to: last?.failed && to >= last.at ? undefined : to,
        server: server_name || `#${server_id}`,
      }))
    })
    .sort((one, other) => other.from - one.from)
}

/** Outages as marks in charts; one that lasts goes on until the end of them. */
export const outageMarks = (outages: readonly Outage[], text: string): TimeMark[] =>
  outages.map(({ from, to, cause }) => ({
    kind: 'outage',
    from,
    to: to ?? Number.MAX_SAFE_INTEGER,
    text: cause ? `${text}: ${cause}` : text,
  }))

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useDataProvider } from 'react-admin'
import { metricsOf, type ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { useSettled } from '../../../components/useSettled.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { type BacktestResult, serversWhereTrue } from '../../../domain/alerts/backtest.ts'
import { type AlertRulePart, coveredBy } from '../../../domain/alerts/compileAlert.ts'
import type { MetricReport } from '../../../domain/alerts/metricValue.ts'
import { type RecordedMetric, recordedMetricsOf } from '../../../domain/alerts/recordedMetrics.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/rights.tsx'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import { mapConcurrently } from '../../server/agentConfig/mapConcurrently.ts'
import { backtestPoints, type PointsBacktest, type ServerHistory } from './backtestPoints.ts'

/** What rules would have done, and how far their past was looked at; see the reply of `backtestAlertRule`. */
export interface RuleBacktest extends BacktestResult {
  /** Seconds. */
  step: number
  covered: number
  tested: number
  /** Ids of servers. */
  now: number[]
}

/** Milliseconds without a change of the rules before they are tested. */
const typingPause = 600
/** Servers that a browser asks for their past, and how many of them at a time: they have other work to do. */
export const maxAsked = { servers: 100, atOnce: 4 }
const minute = 60_000

interface Subject {
  /** The alert rule that is edited. */
  id: number | undefined
  rules: readonly AlertRulePart[]
  servers: readonly ServerRow[]
}

/**
 * Tests rules while they are written. The embedded server does it itself, as soon as nobody types; other servers are
 * asked for the metrics of each server, so that `start` has to be called first.
 */
export function useBacktest({ id, rules, servers }: Subject) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const client = useQueryClient()
  const announced = use(AnnouncedFeaturesContext)
  const setting = useSetting()
  const [isStarted, setStarted] = useState(false)
  const isOnServer = announced?.has('backtest') === true
  const text = useSettled(JSON.stringify(rules), typingPause)
  const query = useQuery<RuleBacktest>({
    queryKey: ['alert-rule', 'backtest', isOnServer, id, text],
    queryFn: ({ signal }) => {
      const settled = JSON.parse(text) as AlertRulePart[]
      if (isOnServer)
        return call(historyEndpoints.backtestAlertRule, { ...(id !== undefined && { id }), rules: settled })
      return testInBrowser({ rules: settled, servers, call, client, signal })
    },
    enabled: isOnServer || (announced !== undefined && isStarted),
    placeholderData: keepPreviousData,
    staleTime: minute,
    retry: false,
  })
  return {
    ...query,
    isTesting: query.isFetching || text !== JSON.stringify(rules),
    /** It has to be started by hand. */
    start: isOnServer || isStarted || announced === undefined ? undefined : () => setStarted(true),
    /** The server keeps no history of metrics. */
    isAbsent: announced !== undefined && !isOnServer && setting !== undefined && !setting.tsdb_enabled,
  }
}

interface BrowserTest extends Omit<Subject, 'id'> {
  call: ConsoleDataProvider['call']
  client: QueryClient
  signal: AbortSignal
}

async function testInBrowser({ rules, servers, call, client, signal }: BrowserTest): Promise<RuleBacktest> {
  const byId = new Map(servers.map((server) => [Number(server.id), server]))
  const covered = coveredBy(rules, [...byId.keys()])
  const metrics = recordedMetricsOf(rules.map(({ type }) => type))
  let failure: unknown
  const pasts = await mapConcurrently(
    covered.slice(0, maxAsked.servers),
    maxAsked.atOnce,
    async (id): Promise<ServerHistory | undefined> => {
      if (signal.aborted) return undefined
      try {
        const points: ServerHistory['points'] = {}
        for (const metric of metrics) points[metric] = await pointsOf(id, metric, call, client)
        return { id, host: reportOf(byId.get(id) as ServerRow).host, points }
      } catch (error) {
        failure = error
        return undefined
      }
    },
  )
  signal.throwIfAborted()
  const read = pasts.filter((past) => past !== undefined)
  if (read.length === 0 && failure !== undefined) throw failure
  const result = await runInWorker(rules, read, signal)
  const latest = new Map(servers.map((row) => [Number(row.id), metricsOf(row).online ? reportOf(row) : undefined]))
  return { ...result, covered: covered.length, tested: read.length, now: serversWhereTrue(rules, latest) }
}

/** A rule that is changed asks for the same metrics again. */
const pointsOf = (id: number, metric: RecordedMetric, call: BrowserTest['call'], client: QueryClient) =>
  client.fetchQuery({
    queryKey: ['alert-rule', 'past', id, metric],
    queryFn: async () => (await call(historyEndpoints.serverMetric, { id, metric, period: '7d' })).data_points,
    staleTime: 5 * minute,
  })

const reportOf = ({ state = {}, host = {} }: ServerRow) => ({ state, host }) as unknown as MetricReport

/**
 * Tests rules against points without blocking the page; where there are no workers, in the page.
 * @param signal ends the worker: the rules have changed meanwhile
 */
function runInWorker(
  rules: readonly AlertRulePart[],
  servers: readonly ServerHistory[],
  signal: AbortSignal,
): Promise<PointsBacktest> {
  if (typeof Worker === 'undefined') return Promise.resolve(backtestPoints(rules, servers))
  const worker = new Worker(new URL('./backtest.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<PointsBacktest>()
  worker.onmessage = ({ data }: MessageEvent<PointsBacktest>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message || 'app.toast.unexpected'))
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  worker.postMessage({ rules, servers })
  return promise.finally(() => worker.terminate())
}

import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, use, useId, useState } from 'react'
import { useDataProvider, useGetList, useRecordContext } from 'react-admin'
import { formatChartTime, formatDuration, formatNumber, formatPercent } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { metricsOf, type ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { useSettled } from '../../../components/useSettled.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { alertRuleProblem } from '../../../domain/alerts/alertRuleProblem.ts'
import {
  type BacktestAlarm,
  type BacktestResult,
  backtestProblem,
  serversWhereTrue,
} from '../../../domain/alerts/backtest.ts'
import { type AlertRulePart, coveredBy } from '../../../domain/alerts/compileAlert.ts'
import type { MetricReport } from '../../../domain/alerts/metricValue.ts'
import { type RecordedMetric, recordedMetricsOf } from '../../../domain/alerts/recordedMetrics.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { everyRowByName } from '../../../records/queryRows.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import { mapConcurrently } from '../../server/agentConfig/mapConcurrently.ts'
import type { Rule } from '../alertRule.ts'
import { backtestPoints, type PointsBacktest, type ServerHistory } from './backtestPoints.ts'

interface RuleBacktestPanelProps {
  /** As they are written, complete or not. */
  rules: readonly Rule[]
}

/** What the rules of a form would have done in the last 7 days, and where they are true now. */
export default function RuleBacktestPanel({ rules }: RuleBacktestPanelProps) {
  const { translate } = useLanguage()
  const titleId = useId()
  const problem = rules.some((rule) => alertRuleProblem(rule)) ? 'incomplete' : backtestProblem(rules)
  if (rules.length === 0) return null
  return (
    <Frame aria-labelledby={titleId}>
      <strong id={titleId}>{translate('app.backtest.title')}</strong>
      {problem ? <p>{translate(`app.backtest.${problem}`)}</p> : <Tested rules={rules as readonly AlertRulePart[]} />}
    </Frame>
  )
}

function Tested({ rules }: { rules: readonly AlertRulePart[] }) {
  const language = useLanguage()
  const { translate } = language
  const id = useRecordContext()?.id
  const { data: servers = [] } = useGetList<ServerRow>('server', everyRowByName)
  const { data, error, isTesting, start, isAbsent, refetch } = useBacktest({
    id: id === undefined ? undefined : Number(id),
    rules,
    servers,
  })
  if (isAbsent) return <p>{translate('app.backtest.no_history')}</p>
  if (start) {
    const covered = coveredBy(
      rules,
      servers.map((server) => Number(server.id)),
    )
    const count = Math.min(covered.length, maxAsked.servers)
    return (
      <>
        <p>{translate('app.backtest.start_hint', { smart_count: count })}</p>
        <div>
          <Button variant="outlined" size="small" disabled={count === 0} onClick={start}>
            {translate('app.backtest.start')}
          </Button>
        </div>
      </>
    )
  }
  if (error && !isTesting)
    return (
      <Alert
        severity="error"
        action={
          <Button color="inherit" size="small" onClick={() => void refetch()}>
            {translate('app.list.retry')}
          </Button>
        }
      >
        {translate('app.backtest.failed', { error: translate(error.message) })}
      </Alert>
    )
  const nameOf = (server: number) => servers.find((row) => Number(row.id) === server)?.name || `#${server}`
  return (
    <div aria-busy={isTesting} data-stale={isTesting && data !== undefined}>
      <div role="status">{data ? <Summary result={data} nameOf={nameOf} /> : translate('app.backtest.testing')}</div>
      {data && data.alarms.length > 0 ? (
        <BacktestAlarms alarms={data.alarms} until={data.until ?? Date.now()} nameOf={nameOf} />
      ) : null}
      {data ? <Basis result={data} /> : null}
    </div>
  )
}

/** Names before the others are only counted. */
const maxNames = 5

/** Where the rules are true now, and how many alarms they would have raised. */
function Summary({ result, nameOf }: { result: RuleBacktest; nameOf: (id: number) => string }) {
  const { translate } = useLanguage()
  const names = result.now.slice(0, maxNames).map(nameOf).join(', ')
  const more = result.now.length - maxNames
  const where = more > 0 ? translate('app.backtest.and_more', { names, count: more }) : names
  const sentences: ReactNode[] = [
    translate(result.now.length > 0 ? 'app.backtest.now' : 'app.backtest.now_nowhere', { names: where }),
  ]
  if (result.samples === 0) sentences.push(translate('app.backtest.nothing_kept'))
  else if (result.alarms_total === 0) sentences.push(translate('app.backtest.raised_none'))
  else sentences.push(translate('app.backtest.raised', { smart_count: result.alarms_total }))
  return (
    <p>
      {sentences[0]}
      <br />
      <b>{sentences[1]}</b>
    </p>
  )
}

const day = 86_400
/** Days that a test looks back. */
const days = 7

/** What the result is based on: samples, servers, time and resolution. */
function Basis({ result }: { result: RuleBacktest }) {
  const { translate, locale } = useLanguage()
  const { from, until, step, covered, tested, samples, failed, alarms, alarms_total } = result
  if (samples === 0 || from === undefined || until === undefined) return null
  const isShort = (until - from) / 1000 < (days - 0.5) * day
  const isMixed = step < 3_600 && !isShort
  const sentences = [
    translate('app.backtest.outside', {
      share: formatPercent((failed / samples) * 100, locale, 1),
      samples: formatNumber(samples, locale),
    }),
    tested < covered && translate('app.backtest.some_servers', { tested, covered }),
    isShort && translate('app.backtest.since', { moment: formatChartTime(from, locale) }),
    alarms_total > alarms.length && translate('app.backtest.latest', { count: alarms.length }),
    translate(isMixed ? 'app.backtest.resolution_mixed' : 'app.backtest.resolution', {
      step: formatDuration(step, translate),
    }),
  ]
  return <small>{sentences.filter(Boolean).join(' ')}</small>
}

const Frame = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  marginTop: theme.spacing(1.5),
  padding: theme.spacing(1.25, 1.5),
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontSize: 13,
  '& p': { margin: 0 },
  '& [data-stale=true]': { opacity: 0.6 },
  '& small': { display: 'block', marginTop: theme.spacing(1), color: theme.vars.palette.text.secondary },
}))

interface BacktestAlarmsProps {
  alarms: readonly BacktestAlarm[]
  /** When the test ended, ms since 1970. */
  until: number
  nameOf: (id: number) => string
}

const AlarmChart = lazyPart(() => import('./AlarmChart.tsx'))

/** Rows at first. */
const few = 5

/** The alarms that a rule would have raised, the latest first, each with a chart. */
function BacktestAlarms({ alarms, until, nameOf }: BacktestAlarmsProps) {
  const { translate } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const latestFirst = alarms.toReversed()
  return (
    <>
      <List>
        {latestFirst.slice(0, isWhole ? undefined : few).map((alarm) => (
          <li key={`${alarm.server_id} ${alarm.started_at}`}>
            <AlarmRow alarm={alarm} until={until} name={nameOf(alarm.server_id)} />
          </li>
        ))}
      </List>
      {!isWhole && alarms.length > few ? (
        <Button size="small" onClick={() => setWhole(true)}>
          {translate('app.backtest.show_all', { count: alarms.length })}
        </Button>
      ) : null}
    </>
  )
}

function AlarmRow({ alarm, until, name }: { alarm: BacktestAlarm; until: number; name: string }) {
  const { translate, locale } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { started_at: from, ended_at, share } = alarm
  const duration = formatDuration(((ended_at ?? until) - from) / 1000, translate)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{name}</strong>
        <span>{formatChartTime(from, locale)}</span>
        <span>{ended_at === undefined ? translate('app.backtest.lasts', { duration }) : duration}</span>
        <span>{translate('app.backtest.share', { share: formatPercent(share * 100, locale) })}</span>
      </summary>
      <Suspense>{isOpen ? <AlarmChart alarm={alarm} until={until} /> : null}</Suspense>
    </details>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& summary': {
    padding: theme.spacing(0.75, 0),
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
  },
  '& summary > *': { display: 'inline-block', marginRight: theme.spacing(1.5) },
  '& summary > span': { color: theme.vars.palette.text.secondary },
}))

/** What rules would have done, and how far their past was looked at; see the reply of `backtestAlertRule`. */
interface RuleBacktest extends BacktestResult {
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
const maxAsked = { servers: 100, atOnce: 4 }
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
function useBacktest({ id, rules, servers }: Subject) {
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

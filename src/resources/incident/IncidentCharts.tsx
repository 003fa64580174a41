import Button from '@mui/material/Button'
import { type ReactNode, useMemo, useState } from 'react'
import { useDataProvider, useGetList, useTranslate } from 'react-admin'
import { ChartGrid, FailedChart, LoadingChart } from '../../components/charts/ChartState.tsx'
import { measuredCharts } from '../../components/charts/metricCharts.ts'
import type { TimeMark, TimeRange } from '../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../components/charts/plot/TimeChart.tsx'
import { TimelineContext, useNewCursor } from '../../components/charts/plot/timeline.ts'
import { beginOfPeriod, type ChartPeriod, useChartPeriods, useHistory } from '../../components/charts/useHistory.ts'
import { ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { ServerRow } from '../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { metricsOfAlarm, type RecordedMetric } from '../../domain/alerts/recordedMetrics.ts'
import { everyRowByName, type Row } from '../../records/queryRows.ts'
import type { alertRule } from '../../schemas/alertRule.ts'
import type { service } from '../../schemas/service.ts'
import { readMetrics, useServerBounds } from '../server/page/useServerHistory.ts'
import { latencyBounds, latencySeries, useServiceHistory } from '../service/page/useServiceHistory.ts'
import type { Incident, IncidentPart } from './columns.tsx'

const noRules: readonly Row<typeof alertRule>[] = []
/** Servers and services: each is one question to the server. More are drawn when somebody asks. */
const firstShown = 4
/** Milliseconds before and after the incident, at least. */
const leastAround = 30 * 60_000

/**
 * What was measured around an incident, of the servers and services that it is about, with its parts marked. Absent for
 * one that is older than any history.
 */
export function IncidentCharts({ incident }: { incident: Incident }) {
  const translate = useTranslate()
  const [now] = useState(Date.now)
  const { data: rules = noRules } = useGetList<Row<typeof alertRule>>('alert-rule', everyRowByName)
  const { parts, started_at = '', resolved_at } = incident
  const subjects = useMemo(() => incidentSubjects(parts ?? [], rules), [parts, rules])
  const { shown, ...rest } = useFirstRows(subjects, firstShown)
  const from = Date.parse(started_at)
  const to = resolved_at ? Date.parse(resolved_at) : now
  const around = Math.max(leastAround, (to - from) / 2)
  const begin = from - around
  const periods = useChartPeriods()
  const longest = periods.at(-1)
  const covering = periods.find((one) => one !== '1h' && begin >= beginOfPeriod(one, now))
  // The longest period has what began in it.
  const period = covering ?? (longest && from >= beginOfPeriod(longest, now) ? longest : undefined)
  if (!period || subjects.length === 0) return null
  return (
    <Panel title={translate('app.incident.charts')}>
      <Timeline whole={{ from: begin, to: Math.min(now, to + around) }}>
        <ChartGrid>
          {shown.map((subject) =>
            subject.kind === 'server' ? (
              <ServerCharts key={`server ${subject.id}`} subject={subject} period={period} />
            ) : (
              <ServiceChart key={`service ${subject.id}`} subject={subject} period={period} />
            ),
          )}
        </ChartGrid>
      </Timeline>
      <ShowAllButton {...rest} />
    </Panel>
  )
}

/** One time axis and one crosshair; what each chart marks is its own. */
function Timeline({ whole, children }: { whole: TimeRange; children: ReactNode }) {
  const translate = useTranslate()
  const cursor = useNewCursor()
  const [zoom, setZoom] = useState<TimeRange>()
  const { from, to } = zoom ?? whole
  const timeline = useMemo(() => ({ span: { from, to }, cursor, marks: [], onZoom: setZoom }), [from, to, cursor])
  return (
    <TimelineContext value={timeline}>
      {zoom ? (
        <Button size="small" onClick={() => setZoom(undefined)}>
          {translate('app.charts.zoom.whole')}
        </Button>
      ) : null}
      {children}
    </TimelineContext>
  )
}

interface SubjectProps {
  subject: IncidentSubject
  period: ChartPeriod
}

function ServerCharts({ subject, period }: SubjectProps) {
  const { data: servers } = useGetList<ServerRow>('server', everyRowByName)
  const server = servers?.find(({ id }) => Number(id) === subject.id)
  // One that was deleted has no history either.
  return server ? <MetricCharts server={server} subject={subject} period={period} /> : null
}

function MetricCharts({ server, subject, period }: SubjectProps & { server: ServerRow }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const bounds = useServerBounds(server)
  const { id, metrics, marks } = subject
  const { data, error, isStale, retry } = useHistory(['server', id, 'metrics', metrics], period, (asked) =>
    readMetrics(call, id, metrics, asked),
  )
  const charts = useMemo(() => (data ? measuredCharts(data, translate) : []), [data, translate])
  if (data === undefined) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  const measured = charts.filter(({ series }) => series.some(({ points }) => points.length > 0))
  return measured.map(({ chart, series }) => (
    <TimeChart
      key={chart.key}
      title={translate('app.charts.large_title', { name: server.name, chart: translate(chart.key) })}
      unit={chart.unit}
      series={series}
      most={chart.most?.(server)}
      bounds={bounds}
      ownMarks={marks}
      isStale={isStale}
    />
  ))
}

function ServiceChart({ subject, period }: SubjectProps) {
  const translate = useTranslate()
  const { data: services } = useGetList<Row<typeof service>>('service', everyRowByName)
  const record = services?.find(({ id }) => Number(id) === subject.id)
  const { data, error, isStale, at, retry } = useServiceHistory(subject.id, period)
  const series = useMemo(() => latencySeries(data?.servers ?? [], period, at), [data, period, at])
  const bounds = useMemo(() => latencyBounds(record ?? {}, series), [record, series])
  if (data === undefined) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  if (series.length === 0) return null
  const name = record?.name ?? subject.name
  return (
    <TimeChart
      title={translate('app.charts.large_title', { name, chart: translate('app.charts.latency') })}
      unit="ms"
      series={series}
      bounds={bounds}
      ownMarks={subject.marks}
      isStale={isStale}
    />
  )
}

/** A server or a service that an incident is about. */
interface IncidentSubject {
  kind: 'server' | 'service'
  id: number
  /** Its name on that day. */
  name: string
  /** What to show of a server. */
  metrics: readonly RecordedMetric[]
  /** What went wrong with it, in the charts. */
  marks: readonly TimeMark[]
}

type Rule = Pick<Row<typeof alertRule>, 'id' | 'rules'>

/** Every machine reports it: it shows when one was offline. */
const anyMetric = ['cpu'] as const

const withoutChart: readonly IncidentPart['kind'][] = ['certificate', 'ddns', 'quota', 'contract']

/**
 * What an incident is about, causes first. Of a server, the metrics of the rules that raised alarms there. A
 * certificate or contract that ends has no chart, nor has a name that leads elsewhere.
 */
function incidentSubjects(parts: readonly IncidentPart[], rules: readonly Rule[]): IncidentSubject[] {
  const typesOf = new Map(rules.map(({ id, rules }) => [Number(id), (rules ?? []).map(({ type }) => String(type))]))
  const subjects = new Map<string, IncidentSubject>()
  const ordered = parts.toSorted((one, other) => Number(one.role !== 'cause') - Number(other.role !== 'cause'))
  for (const part of ordered) {
    if (withoutChart.includes(part.kind)) continue
    const kind = part.service_id > 0 ? 'service' : 'server'
    const id = part.service_id > 0 ? part.service_id : part.server_id
    if (id <= 0) continue
    const about = part.kind === 'alarm' ? metricsOfAlarm(typesOf.get(part.rule_id) ?? []) : undefined
    const mark: TimeMark = {
      kind: part.kind === 'alarm' ? 'alarm' : 'outage',
      from: Date.parse(part.started_at),
      to: part.ended_at ? Date.parse(part.ended_at) : Number.MAX_SAFE_INTEGER,
      text: part.name,
      about,
    }
    const known = subjects.get(`${kind} ${id}`) ?? { kind, id, name: part.name, metrics: [], marks: [] }
    const metrics = kind === 'server' ? [...new Set([...known.metrics, ...(about ?? anyMetric)])] : []
    subjects.set(`${kind} ${id}`, { ...known, metrics, marks: [...known.marks, mark] })
  }
  return [...subjects.values()]
}

import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useId, useMemo } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import { ChartGrid, EmptyChart, FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline, type PeriodChoice } from '../../../components/charts/ChartTimeline.tsx'
import {
  EnlargeButton,
  LargeChart,
  type LargeChartChoice,
  useLargeChart,
} from '../../../components/charts/LargeChart.tsx'
import { chartId, type MeasuredChart } from '../../../components/charts/metricCharts.ts'
import {
  type ChartBound,
  type ChartSeries,
  marksAbout,
  type TimeMark,
} from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import { beginOfPeriod } from '../../../components/charts/useHistory.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { isZeroTime } from '../../../live/lastReport.ts'
import { everyRowByName } from '../../../records/queryRows.ts'
import { useOtherServer, useServerBounds, useServerHistory, useServerServices } from './useServerHistory.ts'

interface ServerChartsProps {
  server: ServerRow
  choice: PeriodChoice
  marks: readonly TimeMark[]
}

/** Seconds until a new server has its first value in the history. */
const firstValueDelay = 60
/** What names the chart of the checked services in an address. */
const servicesChart = 'services'

/** All charts of a server: its metrics, and the latency of the services that it checks. */
export function ServerCharts({ server, choice, marks }: ServerChartsProps) {
  const translate = useTranslate()
  const setting = useSetting()
  const large = useLargeChart()
  const id = Number(server.id)
  const history = useServerHistory(id, choice.period)
  const services = useServerServices(id, choice.period)
  const bounds = useServerBounds(server)
  const { charts, at } = history
  const from = beginOfPeriod(choice.period, at)
  const measured = charts.filter(({ chart, series }) => isMeasured(series, from, chart.isOptional))
  const absent = charts.filter(({ chart, series }) => chart.isOptional && !isMeasured(series, 0, true))
  const all = useMemo(() => [...charts.flatMap(({ series }) => series), ...services.series], [charts, services.series])
  const hasServices = isMeasured(services.series, from)
  const { error, retry, isLoaded } = history
  const timeline = { choice, at, marks }
  const enlarged = charts.find(({ chart }) => chartId(chart) === large.chart)

  if (!isLoaded) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart rows={3} />
  const isAbsent = history.isAbsent || (setting && !setting.tsdb_enabled)
  const isEmpty = measured.length === 0 && !hasServices
  if (isEmpty && isAbsent) return <EmptyChart>{translate('app.charts.no_history')}</EmptyChart>
  return (
    <>
      <ChartTimeline {...timeline} series={all}>
        {error ? <FailedChart error={error} onRetry={retry} /> : null}
        {isEmpty ? (
          <EmptyChart>
            {/* Read from the record: importing the live metrics would put a shared chunk into the first load of the list. */}
            {translate(`app.charts.${isZeroTime(server.last_active) ? 'offline' : 'nothing_yet'}`, {
              seconds: firstValueDelay,
            })}
          </EmptyChart>
        ) : null}
        <ChartGrid>
          {measured.map(({ chart, series }) => (
            <TimeChart
              key={chart.key}
              title={translate(chart.key)}
              unit={chart.unit}
              series={series}
              most={chart.most?.(server)}
              bounds={bounds}
              isStale={history.isStale}
              action={<EnlargeButton title={translate(chart.key)} onClick={() => large.open(chartId(chart))} />}
            />
          ))}
          {hasServices ? (
            <TimeChart
              title={translate('app.charts.metrics.services')}
              unit="ms"
              series={services.series}
              isStale={services.isStale}
              action={
                <EnlargeButton
                  title={translate('app.charts.metrics.services')}
                  onClick={() => large.open(servicesChart)}
                />
              }
            />
          ) : null}
        </ChartGrid>
        {services.error ? <FailedChart error={services.error} onRetry={services.retry} /> : null}
        {absent.length > 0 ? (
          <Note>
            {translate('app.charts.not_measured', {
              names: absent.map(({ chart }) => translate(chart.key)).join(', '),
            })}
          </Note>
        ) : null}
      </ChartTimeline>
      {enlarged ? (
        <LargeServerChart
          {...timeline}
          server={server}
          measured={enlarged}
          bounds={bounds}
          isStale={history.isStale}
          large={large}
        />
      ) : null}
      {large.chart === servicesChart ? (
        <LargeServicesChart {...timeline} series={services.series} isStale={services.isStale} onClose={large.close} />
      ) : null}
    </>
  )
}

/**
 * Whether any of the series has a value since then.
 * @param isOptional whether zeros are as good as none: swap of nothing, as without a swap partition
 */
const isMeasured = (series: readonly ChartSeries[], from: number, isOptional = false): boolean =>
  series.some(({ points }) => points.some(({ at, value }) => at >= from && (!isOptional || value)))

const Note = styled('p')(({ theme }) => ({
  margin: theme.spacing(2, 0, 0),
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
}))

interface TimelineParts {
  choice: PeriodChoice
  /** When the data was received, ms since 1970. */
  at: number
  marks: readonly TimeMark[]
  isStale: boolean
}

interface LargeServerChartProps extends TimelineParts {
  server: ServerRow
  measured: MeasuredChart
  bounds: readonly ChartBound[]
  large: LargeChartChoice
}

/** One chart of a server in a dialog that fills the window, with the same of another server over it if somebody wants. */
function LargeServerChart({ server, measured, bounds, marks, large, isStale, ...timeline }: LargeServerChartProps) {
  const translate = useTranslate()
  const { chart, series: own } = measured
  const { data: servers = [] } = useGetList<ServerRow>('server', everyRowByName)
  const others = servers.filter(({ id }) => id !== server.id)
  const other = others.find(({ id }) => Number(id) === large.other)
  const theirs = useOtherServer(other && Number(other.id), chart, timeline.choice.period)
  const [ownName, otherName] = [nameOf(server), nameOf(other)]
  const series = useMemo(() => {
    if (!theirs.series) return own
    const isOneLine = own.length === 1
    const ofServer = (name: string) => (line: ChartSeries) => ({
      ...line,
      name: isOneLine ? name : translate('app.charts.line_of', { server: name, line: line.name }),
    })
    return [...own.map(ofServer(ownName)), ...theirs.series.map(ofServer(otherName))]
  }, [own, theirs.series, ownName, otherName, translate])
  const most = other ? highestOf(chart.most?.(server), chart.most?.(other)) : chart.most?.(server)
  const title = translate(chart.key)
  const ownMarks = useMemo(() => marksAbout(marks, new Set(own.map(({ key }) => key))), [marks, own])
  return (
    <LargeChart title={translate('app.charts.large_title', { name: ownName, chart: title })} onClose={large.close}>
      <ChartTimeline
        {...timeline}
        series={series}
        marks={ownMarks}
        tools={<ServerSelect servers={others} chosen={large.other} onChoose={large.compareWith} />}
      >
        {theirs.error ? <FailedChart error={theirs.error} onRetry={theirs.retry} /> : null}
        <Place>
          <TimeChart
            isLarge
            title={title}
            unit={chart.unit}
            series={series}
            most={most}
            bounds={bounds}
            isStale={isStale || (other !== undefined && !theirs.series && !theirs.error)}
          />
        </Place>
      </ChartTimeline>
    </LargeChart>
  )
}

const nameOf = (server: ServerRow | undefined): string => server?.name || `#${server?.id}`

/** The higher of two limits; none if one of both is not known. */
const highestOf = (one: number | undefined, other: number | undefined) => one && other && Math.max(one, other)

interface LargeServicesChartProps extends TimelineParts {
  series: readonly ChartSeries[]
  onClose: () => void
}

/** The latency of the services that a server checks, in a dialog that fills the window. */
function LargeServicesChart({ series, isStale, onClose, ...timeline }: LargeServicesChartProps) {
  const translate = useTranslate()
  const title = translate('app.charts.metrics.services')
  return (
    <LargeChart title={title} onClose={onClose}>
      <ChartTimeline {...timeline} series={series}>
        <Place>
          <TimeChart isLarge title={title} unit="ms" series={series} isStale={isStale} />
        </Place>
      </ChartTimeline>
    </LargeChart>
  )
}

interface ServerSelectProps {
  servers: readonly ServerRow[]
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
}

/** The browser's own select finds one of thousands by typing. */
function ServerSelect({ servers, chosen, onChoose }: ServerSelectProps) {
  const translate = useTranslate()
  const id = useId()
  return (
    <Select>
      <FormLabel htmlFor={id}>{translate('app.charts.compare_with')}</FormLabel>
      <NativeSelect
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ id }}
        value={chosen ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">{translate('app.charts.no_comparison')}</option>
        {servers.map((server) => (
          <option key={server.id} value={server.id}>
            {nameOf(server)}
          </option>
        ))}
      </NativeSelect>
    </Select>
  )
}

const Select = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  minWidth: 0,
  marginInlineStart: 'auto',
  '& label': { fontSize: 13, whiteSpace: 'nowrap' },
  '& select': { maxWidth: 240 },
  [theme.breakpoints.down('sm')]: {
    width: '100%',
    margin: 0,
    '& > :last-child': { flex: 1, minWidth: 0 },
    '& select': { maxWidth: 'none', minHeight: 44, boxSizing: 'border-box' },
  },
}))

const Place = styled('div')(({ theme }) => ({ marginTop: theme.spacing(2) }))

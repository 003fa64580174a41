import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useId, useMemo } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import { FailedChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline } from '../../../components/charts/ChartTimeline.tsx'
import { LargeChart } from '../../../components/charts/LargeChart.tsx'
import type { MeasuredChart } from '../../../components/charts/metricCharts.ts'
import { type ChartBound, marksAbout } from '../../../components/charts/plot/bounds.ts'
import type { ChartSeries } from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import type { TimeMark } from '../../../components/charts/plot/timeMarks.ts'
import type { LargeChartChoice } from '../../../components/charts/useLargeChart.ts'
import type { PeriodChoice } from '../../../components/charts/usePeriod.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { everyRowByName } from '../../../records/wholeList.ts'
import { useOtherServer } from './useServerHistory.ts'

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
export function LargeServerChart({
  server,
  measured,
  bounds,
  marks,
  large,
  isStale,
  ...timeline
}: LargeServerChartProps) {
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
export function LargeServicesChart({ series, isStale, onClose, ...timeline }: LargeServicesChartProps) {
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

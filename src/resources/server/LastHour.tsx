import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useDataProvider, useListContext, useStore, useTranslate } from 'react-admin'
import { formatBytes, formatNumber, formatPercent } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { type ServerRow, useServerRow } from '../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'
import type { serverMetrics } from '../../schemas/endpoints/serviceHistory.ts'

type Metric = (typeof serverMetrics)[number]

/** Milliseconds: there is a new value every minute. */
const refreshInterval = 60_000

/** The metrics that fit into a line without an axis. */
export const lastHourMetrics = {
  cpu: 'resources.server.columns.cpu',
  memory: 'resources.server.columns.memory',
  disk: 'resources.server.columns.disk',
  net_in_speed: 'resources.server.values.download',
  net_out_speed: 'resources.server.values.upload',
  load1: 'resources.server.columns.load',
} as const satisfies Partial<Record<Metric, string>>

export type LastHourMetric = keyof typeof lastHourMetrics

/** The metric that a person chose for the column, saved in this browser. */
export const useLastHourMetric = () => useStore<LastHourMetric>('table.server.lastHour', 'cpu')

/** The last hour of a server on the page, in one request for all rows of the page. */
function useLastHour(id: number | string): readonly (number | null)[] | undefined {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [metric] = useLastHourMetric()
  const { data: rows = [] } = useListContext()
  const ids = rows.map((row) => row.id).join(',')
  const { data } = useQuery({
    queryKey: ['server', 'last-hour', metric, ids],
    queryFn: () => call(historyEndpoints.lastHour, { metric, ids }),
    select: (all) => all[String(id)],
    enabled: ids !== '',
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  return data
}

const [width, height] = [112, 26]

/** The chosen metric of a server in the last hour, as a line; drawn where it is on screen. */
export function LastHour() {
  const record = useServerRow()
  const box = useRef<HTMLSpanElement>(null)
  const isSeen = useIsSeen(box)
  return <Box ref={box}>{record && isSeen ? <Line record={record} /> : null}</Box>
}

function Line({ record }: { record: ServerRow }) {
  const [metric] = useLastHourMetric()
  const values = useLastHour(record.id)
  const { translate, locale } = useLanguage()
  const measured = values?.filter((value) => value !== null) ?? []
  if (measured.length === 0) return <span className="none">–</span>
  const [least, most] = [Math.min(...measured), Math.max(...measured)]
  const text = (value: number) => valueText(metric, value, locale)
  const label = translate('resources.server.values.last_hour', {
    what: translate(lastHourMetrics[metric]),
    least: text(least),
    most: text(most),
    last: text(measured.at(-1) ?? 0),
  })
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <title>{label}</title>
      <path d={pathOf(values ?? [], ceilingOf(metric, record, most))} />
    </svg>
  )
}

/** The value at the upper edge: what cannot be exceeded, so that rows can be compared, else the highest one. */
function ceilingOf(metric: LastHourMetric, { host }: ServerRow, most: number): number {
  const limit = { cpu: 100, memory: host?.mem_total, disk: host?.disk_total }[metric as 'cpu']
  return Math.max(limit ?? most, most) || 1
}

/** A line with a gap where nothing was measured. */
function pathOf(values: readonly (number | null)[], ceiling: number): string {
  const step = (width - 2) / Math.max(1, values.length - 1)
  let isGap = true
  return values
    .map((value, index) => {
      if (value === null) {
        isGap = true
        return ''
      }
      const point = `${isGap ? 'M' : 'L'}${(1 + index * step).toFixed(1)} ${(height - 1 - (value / ceiling) * (height - 2)).toFixed(1)}`
      // A single value between gaps is a dot.
      const dot = isGap ? 'h0.01' : ''
      isGap = false
      return point + dot
    })
    .join('')
}

function valueText(metric: LastHourMetric, value: number, locale: string): string {
  if (metric === 'cpu') return formatPercent(value, locale, 1)
  if (metric === 'load1') return formatNumber(value, locale)
  const bytes = formatBytes(value, locale)
  return metric === 'memory' || metric === 'disk' ? bytes : `${bytes}/s`
}

/** Whether an element has been on screen; where that cannot be observed, it counts as seen. */
function useIsSeen(box: { current: HTMLElement | null }): boolean {
  const [isSeen, setSeen] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (isSeen || !box.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [isSeen, box])
  return isSeen
}

const Box = styled('span')(({ theme }) => ({
  display: 'block',
  width,
  height,
  '& svg': { display: 'block' },
  '& path': {
    fill: 'none',
    stroke: theme.vars.palette.primary.main,
    strokeWidth: 1.5,
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
  },
  '& .none': { color: theme.vars.palette.text.secondary },
}))

/** Chooses the metric of the column "last hour". */
export function LastHourOptions() {
  const [metric, setMetric] = useLastHourMetric()
  const translate = useTranslate()
  const id = useId()
  return (
    <>
      <FormLabel htmlFor={id} sx={{ display: 'block', fontSize: 13, fontWeight: 600 }}>
        {translate('resources.server.columns.last_hour')}
      </FormLabel>
      <NativeSelect
        fullWidth
        inputProps={{ id }}
        value={metric}
        onChange={(event) => setMetric(event.target.value as LastHourMetric)}
      >
        {Object.entries(lastHourMetrics).map(([value, key]) => (
          <option key={value} value={value}>
            {translate(key)}
          </option>
        ))}
      </NativeSelect>
    </>
  )
}

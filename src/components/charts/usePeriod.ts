import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { TimeRange } from './plot/chartSeries.ts'
import { type ChartPeriod, useChartPeriods } from './useHistory.ts'
import { useSearchChange } from './useSearchChange.ts'

/** The period of a page of charts and the part of it that is shown larger, as its address has them. */
export interface PeriodChoice {
  period: ChartPeriod
  zoom: TimeRange | undefined
  /** Shows the whole of another period. */
  choosePeriod: (period: ChartPeriod) => void
  /** Shows a part, or the whole period again. */
  zoomTo: (range: TimeRange | undefined) => void
}

/** Milliseconds. A shorter part has hardly a value: one is measured each minute. */
export const minZoom = 5 * 60_000

/** Reads `?period=7d&from=1700000000&to=1700003600`, seconds since 1970; what makes no sense counts as not given. */
export function usePeriod(): PeriodChoice {
  const [params] = useSearchParams()
  const set = useSearchChange()
  const periods = useChartPeriods()
  const period = periods.find((one) => one === params.get('period')) ?? '1d'
  const [from, to] = [secondsIn(params.get('from')), secondsIn(params.get('to'))]
  const zoom = useMemo(() => rangeOf(from, to), [from, to])
  const choosePeriod = useCallback(
    (chosen: ChartPeriod) => set({ period: chosen, from: undefined, to: undefined }),
    [set],
  )
  const zoomTo = useCallback(
    (range: TimeRange | undefined) => {
      const [start, end] = range ? [seconds(range.from), seconds(range.to)] : []
      set({ period, from: start, to: end })
    },
    [set, period],
  )
  return { period, zoom, choosePeriod, zoomTo }
}

const secondsIn = (text: string | null) => (text !== null && /^\d{1,11}$/.test(text) ? Number(text) : undefined)
const seconds = (at: number) => String(Math.round(at / 1000))

const rangeOf = (from: number | undefined, to: number | undefined): TimeRange | undefined =>
  from !== undefined && to !== undefined && (to - from) * 1000 >= minZoom
    ? { from: from * 1000, to: to * 1000 }
    : undefined

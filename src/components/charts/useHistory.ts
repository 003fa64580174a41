import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { HttpError, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { type HistoryPeriod, historyPeriods, leastHistoryDays } from '../../schemas/endpoints/serviceHistory.ts'
import { settingQuery, useSetting } from '../useSetting.ts'

const minute = 60_000

/** How far back charts go. An hour is the end of what servers send of a day, which has more values than the rest of it. */
export const chartPeriods = ['1h', ...historyPeriods] as const
export type ChartPeriod = (typeof chartPeriods)[number]

interface PeriodTimes {
  /** How long it is, in ms. */
  length: number
  /** How often its data is fetched again, in ms. */
  refresh: number
  /** What the server is asked for. */
  asked: HistoryPeriod
}

export const chartPeriodTimes: Readonly<Record<ChartPeriod, PeriodTimes>> = {
  '1h': { length: 60 * minute, refresh: minute / 2, asked: '1d' },
  '1d': { length: 1440 * minute, refresh: minute / 2, asked: '1d' },
  '7d': { length: 7 * 1440 * minute, refresh: 5 * minute, asked: '7d' },
  '30d': { length: 30 * 1440 * minute, refresh: 15 * minute, asked: '30d' },
  '365d': { length: 365 * 1440 * minute, refresh: 60 * minute, asked: '365d' },
}

/** The periods that this server has: a year only where it says that its history reaches back so far. */
export function useChartPeriods(): readonly ChartPeriod[] {
  const days = useSetting()?.wheelhouse?.history_days ?? leastHistoryDays
  return chartPeriods.filter((one) => one !== '365d' || days > leastHistoryDays)
}

/** When a period that ends at `at` begins; both in ms since 1970. */
export const beginOfPeriod = (period: ChartPeriod, at: number): number => at - chartPeriodTimes[period].length

/** The data of a period. While another period loads, the data of the previous one stays on screen. */
export interface History<T> {
  /** `null`: this server keeps no history. */
  data: T | null | undefined
  error: Error | null
  /** `data` still belongs to the previous period or request. */
  isStale: boolean
  /** When `data` was received, ms since 1970. */
  at: number
  retry: () => void
}

/**
 * Reads a history and keeps it current while it is on screen. Servers from before v2.0.0 have none: their settings do
 * not say whether it is switched on.
 * @param subject what the history is of, as part of the query key; `undefined` asks for nothing
 * @param read gets the period in the words of the wire, which may be longer than the one that is shown
 * @param readBefore what those servers have instead
 */
export function useHistory<T>(
  subject: readonly unknown[] | undefined,
  period: ChartPeriod,
  read: (period: HistoryPeriod) => Promise<T>,
  readBefore: () => Promise<T | null> = async () => null,
): History<T> {
  const { data: setting, isError } = useQuery(settingQuery(useDataProvider<ConsoleDataProvider>()))
  const hasHistory = setting === undefined || setting.tsdb_enabled !== undefined
  const { asked, refresh } = chartPeriodTimes[period]
  const query = useQuery({
    queryKey: ['charts', ...(subject ?? []), asked, hasHistory],
    queryFn: () => (hasHistory ? orOnNotFound<T | null>(read(asked), readBefore) : readBefore()),
    enabled: subject !== undefined && (setting !== undefined || isError),
    placeholderData: keepPreviousData,
    // New data is drawn anew anyway; comparing tens of thousands of points with the previous ones only costs time.
    structuralSharing: false,
    refetchInterval: refresh,
    gcTime: 5 * minute,
  })
  return {
    data: query.data,
    error: query.error,
    isStale: query.isPlaceholderData,
    at: query.dataUpdatedAt || Date.now(),
    retry: () => void query.refetch(),
  }
}

/** The result of a call, or of another one if the server answers 404. */
async function orOnNotFound<T>(call: Promise<T>, fallback: () => Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return fallback()
    throw error
  }
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { HttpError, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'
import { settingQuery } from '../useSetting.ts'

const minute = 60_000

/** The length of each period, and how often its data is fetched again; both in ms. */
export const historyPeriodTimes: Readonly<Record<HistoryPeriod, { length: number; refresh: number }>> = {
  '1d': { length: 1440 * minute, refresh: minute / 2 },
  '7d': { length: 7 * 1440 * minute, refresh: 5 * minute },
  '30d': { length: 30 * 1440 * minute, refresh: 15 * minute },
}

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
 * @param subject what the history is of, as part of the query key
 * @param readBefore what those servers have instead
 */
export function useHistory<T>(
  subject: readonly unknown[],
  period: HistoryPeriod,
  read: () => Promise<T>,
  readBefore: () => Promise<T | null> = async () => null,
): History<T> {
  const { data: setting, isError } = useQuery(settingQuery(useDataProvider<ConsoleDataProvider>()))
  const hasHistory = setting === undefined || setting.tsdb_enabled !== undefined
  const query = useQuery({
    queryKey: ['charts', ...subject, period, hasHistory],
    queryFn: () => (hasHistory ? orOnNotFound<T | null>(read(), readBefore) : readBefore()),
    enabled: setting !== undefined || isError,
    placeholderData: keepPreviousData,
    // New data is drawn anew anyway; comparing tens of thousands of points with the previous ones only costs time.
    structuralSharing: false,
    refetchInterval: historyPeriodTimes[period].refresh,
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

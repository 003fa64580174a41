import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { HttpError } from 'react-admin'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'

const minute = 60_000

/** How long a period is, and after which time its figures are asked for again; both in ms. */
export const historyPeriodTimes: Readonly<Record<HistoryPeriod, { length: number; renewal: number }>> = {
  '1d': { length: 1440 * minute, renewal: minute / 2 },
  '7d': { length: 7 * 1440 * minute, renewal: 5 * minute },
  '30d': { length: 30 * 1440 * minute, renewal: 15 * minute },
}

/** What a period's figures are by now: those of the last period stay on screen until the new ones are there. */
export interface History<T> {
  /** `null`: this server has no such thing. */
  data: T | null | undefined
  error: Error | null
  /** What `data` is belongs to another period or another question. */
  isStale: boolean
  /** When `data` came, ms since 1970. */
  at: number
  retry: () => void
}

/**
 * Reads a history and keeps it current while it is on screen. Servers from before v2.0.0 answer 404.
 * @param subject what it is of, as a key
 */
export function useHistory<T>(subject: readonly unknown[], period: HistoryPeriod, read: () => Promise<T>): History<T> {
  const query = useQuery({
    queryKey: ['figures', ...subject, period],
    queryFn: () => orOnNotFound<T | null>(read(), async () => null),
    placeholderData: keepPreviousData,
    // New figures make a new plotData anyway; comparing tens of thousands of points with the last ones would only take
    // time.
    structuralSharing: false,
    refetchInterval: historyPeriodTimes[period].renewal,
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

/** What comes of a call, or of another one where the server answers that it has no such thing. */
export async function orOnNotFound<T>(asked: Promise<T>, other: () => Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return other()
    throw error
  }
}

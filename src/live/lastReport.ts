import type { HostFacts, HostState } from '../schemas/machines/live.ts'

/** Agents report every 2 s; after five missed reports a machine counts as offline. */
const offlineAfterMs = 10_000

/** The wire's "never": what `last_active` becomes the moment an agent's stream ends. */
export const isZeroTime = (time: string | undefined): boolean => !time || time.startsWith('0001-')

/** Whether a machine that reported at `seenAt` is online at `now`; both in ms since 1970 by the server's clock. */
export const isRecent = (seenAt: number, now: number): boolean => now - seenAt <= offlineAfterMs

interface Report {
  last_active?: string
  host?: HostFacts
  state?: HostState
}

/**
 * When a machine last reported, in ms since 1970. The server drops the time of an offline machine but keeps its
 * last metrics, and boot time plus uptime is when these were measured.
 */
export function lastReportAt({ last_active, host, state }: Report): number | undefined {
  if (!isZeroTime(last_active)) return Date.parse(last_active as string)
  return host?.boot_time && state?.uptime ? (host.boot_time + state.uptime) * 1000 : undefined
}

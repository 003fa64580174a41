import type { Contract } from '../../schemas/machines/contract.ts'
import type { Cycle } from '../alerts/calendar.ts'

/** Bytes in both directions. */
export interface Transferred {
  received: number
  sent: number
}

/** The bytes that count against a quota. */
export function countedBytes({ received, sent }: Transferred, counts: Contract['quota_counts']): number {
  if (counts === 'in') return received
  if (counts === 'out') return sent
  return counts === 'larger' ? Math.max(received, sent) : received + sent
}

/** Milliseconds of a period that have to pass before it says anything of the whole. */
const firstForecastMs = 6 * 3_600_000

/**
 * What the bytes of a period come to at its end if it goes on so; `undefined` in its first hours.
 * @param now milliseconds since 1970
 * @param since from when it was counted, if that is later than its begin
 */
export function forecastBytes(bytes: number, { from, to }: Cycle, now: number, since = from): number | undefined {
  const begin = Math.max(from, since)
  const passed = Math.min(now, to) - begin
  if (passed < firstForecastMs) return undefined
  return Math.round(bytes + (bytes / passed) * (to - Math.min(now, to)))
}

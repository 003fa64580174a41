import type { Contract } from '../../schemas/machines/contract.ts'
import { monthsAfter } from '../monthsAfter.ts'
import { cycleMonths, pricePerMonth } from './contractTimes.ts'

/** Months from the year 0 to the one that contains a moment, in UTC. @param at milliseconds since 1970 */
export const monthOf = (at: number): number => {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** A month as `2026-11`. @param month months since the year 0 */
export const monthText = (month: number): string =>
  new Date(Date.UTC(1970, month - 12 * 1970)).toISOString().slice(0, 7)

/**
 * What falls due of a contract in each of so many months, the first of which is the present one. A contract is paid on
 * the day on which it ends, in each cycle; one that does not renew itself, until then. Where no end says on which day,
 * each month has its share. What is paid once is not known to be due.
 * @param now milliseconds since 1970
 */
export function paymentsByMonth(
  { price, cycle, ends_at, renews }: Pick<Contract, 'price' | 'cycle' | 'ends_at' | 'renews'>,
  now: number,
  count: number,
): number[] {
  const due = Array.from({ length: count }, () => 0)
  const length = cycleMonths[cycle]
  const share = pricePerMonth({ price, cycle })
  if (length === undefined || share === undefined) return due
  const end = Date.parse(ends_at)
  if (Number.isNaN(end)) return due.fill(share)
  const first = monthOf(now)
  const between = first - monthOf(end)
  return due.map((_, index) => {
    if ((between + index) % length !== 0) return 0
    const at = monthsAfter(end, between + index)
    return at >= now && (renews || at < end) ? price : 0
  })
}

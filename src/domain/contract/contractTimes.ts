import type { Contract, ContractCycle } from '../../schemas/machines/contract.ts'
import { monthsAfter } from '../monthsAfter.ts'

const dayMs = 86_400_000

/** How many months a cycle has; what is paid once has none. */
export const cycleMonths: Readonly<Record<ContractCycle, number | undefined>> = {
  month: 1,
  quarter: 3,
  half: 6,
  year: 12,
  two: 24,
  three: 36,
  five: 60,
  once: undefined,
}

type Ending = Pick<Contract, 'ends_at' | 'renews' | 'cycle'>

/**
 * When a contract ends, in milliseconds since 1970; one that renews itself, at the next end. `undefined` for none.
 * @param now milliseconds since 1970
 */
export function contractEnd({ ends_at, renews, cycle }: Ending, now: number): number | undefined {
  const end = Date.parse(ends_at)
  const months = cycleMonths[cycle]
  if (Number.isNaN(end)) return undefined
  if (end >= now || !renews || months === undefined) return end
  const [first, present] = [new Date(end), new Date(now)]
  const years = present.getUTCFullYear() - first.getUTCFullYear()
  const between = 12 * years + present.getUTCMonth() - first.getUTCMonth()
  const next = monthsAfter(end, between - (between % months))
  return next > now ? next : monthsAfter(end, between - (between % months) + months)
}

/** Whole days until a moment, rounded up; below 0 when it has passed. */
export const daysUntil = (at: number, now: number): number => Math.ceil((at - now) / dayMs)

/** What a contract costs in a month; `undefined` for what is paid once, and for no price. */
export function pricePerMonth({ price, cycle }: Pick<Contract, 'price' | 'cycle'>): number | undefined {
  const months = cycleMonths[cycle]
  return price > 0 && months !== undefined ? price / months : undefined
}

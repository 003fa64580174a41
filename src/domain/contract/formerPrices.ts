import { z } from 'zod'
import { moment } from '../../schemas/define/fields.ts'
import { type Contract, contractCycles, currency, maxPrice } from '../../schemas/machines/contract.ts'

/** More than once a month for eight years; the oldest go first. */
export const maxFormerPrices = 100

/** What a contract cost before, each until a moment. */
export const formerPrices = z
  .array(z.object({ price: z.number().min(0).max(maxPrice), currency, cycle: z.enum(contractCycles), until: moment() }))
  .max(maxFormerPrices)
export type FormerPrice = z.output<typeof formerPrices>[number]

/** Those of a stored contract, the earliest first. */
export const formerPricesOf = (contract: Pick<Contract, 'former_prices'> | null | undefined): FormerPrice[] =>
  contract?.former_prices?.length ? (formerPrices.safeParse(contract.former_prices).data ?? []) : []

type Price = Pick<Contract, 'price' | 'currency' | 'cycle'>

const isSamePrice = (one: Price, other: Price): boolean =>
  one.price === other.price && one.currency === other.currency && one.cycle === other.cycle

const untilOf = ({ until }: FormerPrice): number => Date.parse(until)

/** With a price that held until a moment; of too many, the oldest are left out. Those without a price are none. */
export function withFormerPrice(
  former: readonly FormerPrice[],
  { price, currency, cycle }: Price,
  until: string,
): FormerPrice[] {
  if (price === 0) return [...former]
  return [...former, { price, currency, cycle, until }]
    .sort((one, other) => untilOf(one) - untilOf(other))
    .slice(-maxFormerPrices)
}

/**
 * The former prices of a contract that is saved. A save that does not say them, as of a program that does not know them,
 * keeps those that are stored, and what it cost until now if it costs something else.
 * @param given what the save says of them
 * @param now RFC 3339
 */
export function formerPricesAfter(
  given: readonly FormerPrice[] | undefined,
  next: Price,
  before: Contract | null | undefined,
  now: string,
): FormerPrice[] {
  if (given) return given.toSorted((one, other) => untilOf(one) - untilOf(other))
  const former = formerPricesOf(before)
  return before && !isSamePrice(before, next) ? withFormerPrice(former, before, now) : former
}

/**
 * What a contract cost within a time, the earliest price first.
 * @param from and `to` in milliseconds since 1970
 * @returns each price with the share of the time in which it held
 */
export function pricesWithin(contract: Contract, from: number, to: number): (Price & { share: number })[] {
  const parts: (Price & { share: number })[] = []
  let begin = from
  const add = (price: Price, end: number) => {
    if (end > begin) parts.push({ ...price, share: (end - begin) / (to - from) })
    begin = Math.max(begin, end)
  }
  for (const { until, ...price } of formerPricesOf(contract)) add(price, Math.min(to, Date.parse(until)))
  const { price, currency, cycle } = contract
  add({ price, currency, cycle }, to)
  return parts
}

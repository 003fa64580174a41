import { contractEnd, cycleMonths, pricePerMonth } from '../../src/domain/contract/contractTimes.ts'
import { pricesWithin } from '../../src/domain/contract/formerPrices.ts'
import { monthsAfter } from '../../src/domain/monthsAfter.ts'
import type { Costs, PricedServer } from '../../src/schemas/endpoints/contractEndpoints.ts'
import type { TrafficOfPeriod } from '../../src/schemas/endpoints/trafficEndpoints.ts'
import type { Contract } from '../../src/schemas/machines/contract.ts'
import type { serverGroup } from '../../src/schemas/serverGroup.ts'
import type { ContractSetting } from '../../src/schemas/settings/contractSettings.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Row, ServerRow } from '../entities/entityTable.ts'
import { timestamp } from '../wire/apiCall.ts'

interface CostsAsked {
  /** Those that the person owns. */
  servers: readonly ServerRow[]
  /** Those that the person sees. */
  groups: readonly Row<typeof serverGroup>[]
  /** The traffic of a server in the period of the sums. */
  trafficOf: (row: ServerRow) => Pick<TrafficOfPeriod, 'from' | 'to' | 'received' | 'sent' | 'used'>
  /** Whether the period is over: then prices are those of that time. */
  isPast: boolean
  setting: Pick<ContractSetting, 'currency' | 'rates'>
  /** Milliseconds since 1970. */
  now: number
}

type Sum = Costs['total']

/** How many months are looked ahead. */
const monthsAhead = 12

/** What servers cost, and what they transfer, by group and provider. Others are served between the servers. */
export async function costsOf({ servers, groups, trafficOf, isPast, setting, now }: CostsAsked): Promise<Costs> {
  const contracts = servers.flatMap(({ contract }) => (contract ? [contract] : []))
  const priced = contracts.filter(({ price }) => price > 0)
  const used = priced.map(({ currency }) => currency)
  const exchange = exchangeOf(setting.currency, setting.rates, used)
  const turn = takeTurns()
  const groupsOf = new Map<number, Row<typeof serverGroup>[]>()
  for (const group of groups) {
    for (const id of group.servers) entryOf(groupsOf, id, () => []).push(group)
    await turn()
  }
  const total = emptySum()
  const byGroup = new Map<number, Costs['groups'][number]>()
  const byProvider = new Map<string, Costs['providers'][number]>()
  const due = Array.from({ length: monthsAhead }, () => 0)
  const unconverted = new Map<string, number>()
  const listed: { row: PricedServer; end: number }[] = []
  for (const row of servers) {
    const { contract } = row
    const { from, to, received, sent, used } = trafficOf(row)
    const span = isPast ? { from: Date.parse(from), to: Date.parse(to) } : { from: now, to: now + 1 }
    const prices = contract ? pricesWithin(contract, span.from, Math.max(span.to, span.from + 1)) : []
    const month = contract ? monthlyPrice(contract, prices, exchange, span) : undefined
    const part = { received, sent, used, month: month ?? 0 }
    add(total, part)
    for (const { id, name } of groupsOf.get(row.id) ?? [noGroup]) {
      add(
        entryOf(byGroup, id, () => ({ ...emptySum(), group_id: id, name })),
        part,
      )
    }
    const provider = contract?.provider ?? ''
    add(
      entryOf(byProvider, provider, () => ({ ...emptySum(), provider })),
      part,
    )
    if (contract) {
      for (const currency of new Set(prices.flatMap((one) => (one.price > 0 ? [one.currency] : [])))) {
        if (exchange.convert(0, currency) === undefined) unconverted.set(currency, (unconverted.get(currency) ?? 0) + 1)
      }
      for (const [index, price] of paymentsByMonth(contract, now, monthsAhead).entries()) {
        due[index] = (due[index] ?? 0) + (exchange.convert(price, contract.currency) ?? 0)
      }
      const end = contractEnd(contract, isPast ? span.to : now)
      const shown = { ...contract, ...prices.at(-1) }
      if (shown.price > 0 || end !== undefined) {
        listed.push({ row: pricedServer(row, shown, month, end), end: end ?? Number.POSITIVE_INFINITY })
      }
    }
    await turn()
  }
  return {
    currency: exchange.currency,
    total,
    groups: mostExpensiveFirst(byGroup.values(), ({ name }) => name),
    providers: mostExpensiveFirst(byProvider.values(), ({ provider }) => provider),
    months: due.map((amount, index) => ({ month: monthText(monthOf(now) + index), due: amount })),
    servers: listed.sort((one, other) => one.end - other.end || one.row.server_id - other.row.server_id).map(rowOf),
    unconverted: [...unconverted].sort().map(([currency, count]) => ({ currency, servers: count })),
  }
}

const rowOf = ({ row }: { row: PricedServer }) => row
const noGroup = { id: 0, name: '' }
const emptySum = (): Sum => ({ servers: 0, month: 0, received: 0, sent: 0, used: 0 })

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

function add(sum: Sum, part: Omit<Sum, 'servers'>): void {
  sum.servers += 1
  sum.month += part.month
  sum.received += part.received
  sum.sent += part.sent
  sum.used += part.used
}

/** Those without a name stand last. */
function mostExpensiveFirst<Entry extends Sum>(entries: Iterable<Entry>, nameOf: (entry: Entry) => string): Entry[] {
  return [...entries].sort(
    (one, other) =>
      Number(nameOf(one) === '') - Number(nameOf(other) === '') ||
      other.month - one.month ||
      (nameOf(one) < nameOf(other) ? -1 : 1),
  )
}

/**
 * What a contract cost by month within a time: nothing after its end, and for a currency without a rate.
 * @param prices those of that time
 */
function monthlyPrice(
  contract: Contract,
  prices: ReturnType<typeof pricesWithin>,
  exchange: Exchange,
  span: { from: number; to: number },
): number | undefined {
  const end = contractEnd(contract, span.from) ?? Number.POSITIVE_INFINITY
  let left = contract.renews ? 1 : (Math.min(end, span.to) - span.from) / (span.to - span.from)
  let sum: number | undefined
  for (const { share, ...price } of prices) {
    const held = Math.min(share, left)
    if (held <= 0) break
    left -= held
    const month = pricePerMonth(price)
    const converted = month === undefined ? undefined : exchange.convert(month, price.currency)
    if (converted !== undefined) sum = (sum ?? 0) + converted * held
  }
  return sum
}

const pricedServer = (
  { id, name }: ServerRow,
  { provider, price, currency, cycle, renews }: Contract,
  month: number | undefined,
  end: number | undefined,
): PricedServer => ({
  server_id: id,
  name,
  provider,
  price,
  currency,
  cycle,
  ...(month !== undefined && { month }),
  ...(end !== undefined && { ends_at: timestamp(end) }),
  renews,
})

/** A rate that a person typed. */
interface Rate {
  currency: string
  /** What one unit is worth in the currency of sums. */
  rate: number
}

/** Converts prices into the currency of sums. */
interface Exchange {
  /** Empty where no contract has one. */
  currency: string
  /** @returns `undefined` without a rate */
  convert(amount: number, currency: string): number | undefined
}

/**
 * A price without a currency is in that of sums.
 * @param chosen the currency of sums; empty: the one that most contracts have
 * @param rates what they are worth in `chosen`: without it they hold for nothing, because each person may have other
 * contracts
 * @param used the currencies of all contracts, with repetitions
 */
export function exchangeOf(chosen: string, rates: readonly Rate[], used: Iterable<string>): Exchange {
  const currency = chosen || mostUsed(used)
  const rateOf = new Map((chosen ? rates : []).map((one) => [one.currency, one.rate]))
  return {
    currency,
    convert(amount, from) {
      const rate = from === '' || from === currency ? 1 : rateOf.get(from)
      return rate === undefined ? undefined : amount * rate
    },
  }
}

/** Of those that are used as often, the first by name, so that sums do not change by themselves. */
function mostUsed(used: Iterable<string>): string {
  const counts = new Map<string, number>()
  for (const currency of used) if (currency !== '') counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const [most] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return most?.[0] ?? ''
}

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

import type { z } from 'zod'
import type { Cycle } from '../../src/domain/alerts/calendar.ts'
import { countedBytes, forecastBytes } from '../../src/domain/contract/quota.ts'
import { dayIn, dayText, periodsUntil } from '../../src/domain/contract/trafficPeriods.ts'
import { keptPeriods, type serverTraffic, type trafficOfPeriod } from '../../src/schemas/endpoints/trafficEndpoints.ts'
import { contract as contractSchema } from '../../src/schemas/machines/contract.ts'
import type { ServerRow } from '../entities/row.ts'
import { timestamp } from '../wire/timestamp.ts'
import type { KeptTraffic } from './trafficDays.ts'

interface Asked {
  row: ServerRow
  kept: KeptTraffic
  /** How many periods back; 0 is the present one. */
  index: number
  /** Milliseconds since 1970. */
  now: number
  /** For a contract that names none. */
  zone: string
}

/** A contract that says nothing: months of the calendar, without a limit. */
const noContract = contractSchema.parse({})

/** The traffic of a server in one period. */
export function periodTraffic(asked: Asked): z.output<typeof trafficOfPeriod> {
  const { row, index, now, zone } = asked
  return trafficIn(periodOf(asked, periodsUntil(row.contract ?? noContract, now, zone, index + 1)), asked)
}

/** The same, day by day, with the periods before that anything is kept of. */
export function detailedTraffic(asked: Asked): z.output<typeof serverTraffic> {
  const { row, kept, now, zone } = asked
  const contract = row.contract ?? noContract
  const periods = periodsUntil(contract, now, zone, keptPeriods)
  const period = periodOf(asked, periods)
  const { since = now } = kept
  return {
    ...trafficIn(period, asked),
    ...(kept.since !== undefined && { counted_since: timestamp(kept.since) }),
    days: daysOf(period, kept, contract.zone || zone),
    periods: periods.filter(({ to }) => to > since).map((one) => bytesIn(one, asked)),
  }
}

const periodOf = ({ index, now }: Asked, periods: readonly Cycle[]): Cycle => periods[index] ?? { from: now, to: now }

function trafficIn(period: Cycle, asked: Asked): z.output<typeof trafficOfPeriod> {
  const { row, kept, index, now } = asked
  const { quota_bytes, provider } = row.contract ?? noContract
  const bytes = bytesIn(period, asked)
  const forecast = index === 0 ? forecastBytes(bytes.used, period, now, kept.since) : undefined
  const jumps = kept.jumps.filter((at) => at >= period.from && at < period.to)
  return {
    server_id: row.id,
    name: row.name,
    provider,
    ...bytes,
    quota_bytes,
    ...(forecast !== undefined && { forecast }),
    jumps: jumps.map((at) => timestamp(at)),
  }
}

/** The bytes of a period, and those of them that count against the quota. */
function bytesIn(period: Cycle, { row, kept, zone }: Asked) {
  const contract = row.contract ?? noContract
  const bytes = sumOf(daysOf(period, kept, contract.zone || zone))
  const used = countedBytes(bytes, contract.quota_counts)
  return { from: timestamp(period.from), to: timestamp(period.to), ...bytes, used }
}

function daysOf({ from, to }: Cycle, { days }: KeptTraffic, zone: string) {
  const [first, end] = [dayIn(zone, from), dayIn(zone, to)]
  return Array.from({ length: end - first }, (_, index) => first + index).flatMap((day) => {
    const bytes = days.get(day)
    return bytes ? [{ day: dayText(day), received: bytes[0], sent: bytes[1] }] : []
  })
}

const sumOf = (days: readonly { received: number; sent: number }[]) => ({
  received: days.reduce((sum, { received }) => sum + received, 0),
  sent: days.reduce((sum, { sent }) => sum + sent, 0),
})

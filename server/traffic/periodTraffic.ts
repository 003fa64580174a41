import type { z } from 'zod'
import type { Cycle } from '../../src/domain/alerts/calendar.ts'
import { dayIn, dayText, periodsUntil } from '../../src/domain/contract/trafficPeriods.ts'
import { keptPeriods, type serverTraffic, type trafficOfPeriod } from '../../src/schemas/endpoints/trafficEndpoints.ts'
import { type Contract, contract as contractSchema } from '../../src/schemas/machines/contract.ts'
import { createSelector } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import { timestamp } from '../wire/apiCall.ts'
import type { DaySpan, KeptTraffic } from './trafficDays.ts'

interface Asked {
  row: ServerRow
  kept: KeptTraffic
  corrections: Pick<Corrections, 'of'>
  /** How many periods back; 0 is the present one. */
  index: number
  /** Milliseconds since 1970. */
  now: number
  /** For a contract that names none. */
  zone: string
}

/** A contract that says nothing: months of the calendar, without a limit. */
const noContract = contractSchema.parse({})

/**
 * Finds a period of servers, each of which is reckoned once: thousands of servers have the same.
 * @param zone for contracts that name none
 */
export function periodFinder({ index, now, zone }: Pick<Asked, 'index' | 'now' | 'zone'>): (row: ServerRow) => Cycle {
  const known = new Map<string, Cycle>()
  return ({ contract }) => {
    const reset = contract ?? noContract
    const key = `${reset.resets_on} ${reset.zone}`
    const period = known.get(key) ?? periodOf({ index, now }, periodsUntil(reset, now, zone, index + 1))
    known.set(key, period)
    return period
  }
}

/**
 * The traffic of a server in one period.
 * @param keptIn what is kept of some days: the list of all servers reads no others
 */
export function periodTraffic(
  period: Cycle,
  asked: Omit<Asked, 'kept'> & { keptIn: (span: DaySpan) => KeptTraffic },
): z.output<typeof trafficOfPeriod> {
  const { row, zone, keptIn } = asked
  const contract = row.contract ?? noContract
  const place = contract.zone || zone
  // A jump of the first or the last hour may have been counted in another zone.
  const kept = keptIn({ first: dayIn(place, period.from) - 1, last: dayIn(place, period.to) + 1 })
  return trafficIn(period, { ...asked, kept })
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

/** What corrections of a period of a server are about. */
export const correctedOf = (period: Cycle, { contract }: ServerRow): Corrected => ({
  period,
  counts: (contract ?? noContract).quota_counts,
})

/** The bytes of a period that count against the quota, without what somebody corrected. */
export const countedInPeriod = (period: Cycle, asked: Asked): number => countedIn(period, asked).counted

const periodOf = ({ index, now }: Pick<Asked, 'index' | 'now'>, periods: readonly Cycle[]): Cycle =>
  periods[index] ?? { from: now, to: now }

function trafficIn(period: Cycle, asked: Asked): z.output<typeof trafficOfPeriod> {
  const { row, kept, corrections, index, now } = asked
  const { quota_bytes, provider } = row.contract ?? noContract
  const bytes = bytesIn(period, asked)
  const correction = corrections.of(row.id, correctedOf(period, row))
  // What the provider shows is of the whole period, since whenever it was counted here.
  const since = correction ? undefined : kept.since
  const forecast = index === 0 ? forecastBytes(bytes.used, period, now, since) : undefined
  const jumps = kept.jumps.filter((at) => at >= period.from && at < period.to)
  return {
    server_id: row.id,
    name: row.name,
    provider,
    ...bytes,
    quota_bytes,
    ...(forecast !== undefined && { forecast }),
    jumps: jumps.map((at) => timestamp(at)),
    ...(correction && {
      correction: { at: timestamp(correction.at), difference: correction.difference, by: correction.username },
    }),
  }
}

/** The bytes of a period, and those of them that count against the quota, as somebody corrected them. */
function bytesIn(period: Cycle, asked: Asked) {
  const { counted, ...bytes } = countedIn(period, asked)
  const { difference = 0 } = asked.corrections.of(asked.row.id, correctedOf(period, asked.row)) ?? {}
  return { from: timestamp(period.from), to: timestamp(period.to), ...bytes, used: Math.max(0, counted + difference) }
}

function countedIn(period: Cycle, { row, kept, zone }: Asked) {
  const contract = row.contract ?? noContract
  const bytes = sumOf(daysOf(period, kept, contract.zone || zone))
  return { ...bytes, counted: countedBytes(bytes, contract.quota_counts) }
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

/** Bytes in both directions. */
interface Transferred {
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

/** What a person said of the traffic of a server, as the provider shows it. */
export interface Correction {
  /** When it was said, in milliseconds since 1970. */
  at: number
  /** Bytes to add to what was counted in that period, a safe integer: below 0 where too much was counted. */
  difference: number
  user_id: number
  /** The name at that time. */
  username: string
}

/** What a correction is about: of another period, or when something else counts, its difference says nothing. */
interface Corrected {
  period: Cycle
  /** Which traffic counts, as the contract says. */
  counts: string
}

interface CorrectionRow extends Correction {
  id: number
  server_id: number
  /** When the period began, in milliseconds since 1970. */
  period: number
  counts: string
}

/** What people corrected by hand. */
interface Corrections {
  /** The one that holds in a period, which is the latest of it. */
  of(serverId: number, corrected: Corrected): Correction | undefined
  add(serverId: number, corrected: Corrected, correction: Correction): void
  /** Takes the latest one of a period back, so that the one before it holds. @returns whether there was one */
  takeBack(serverId: number, corrected: Corrected): boolean
  /** Deletes those of these servers. */
  forget(serverIds: readonly number[]): void
}

/** Of a server: in two years, more than anybody needs. The oldest are deleted. */
const maxOfServer = 100

export function openCorrections(store: Store): Corrections {
  const table = store.resident<CorrectionRow>({
    name: 'traffic_correction',
    columns: [
      { name: 'server_id', type: 'INTEGER', indexed: true },
      { name: 'at', type: 'INTEGER' },
      // Of an integer too large for a number, the whole table could not be read.
      { name: 'difference', type: 'REAL' },
      { name: 'period', type: 'INTEGER' },
      { name: 'counts', type: 'TEXT' },
      { name: 'user_id', type: 'INTEGER' },
      { name: 'username', type: 'TEXT' },
    ],
  })
  // Lists of thousands ask for each server.
  const byServer = createSelector([table], (rows) => Map.groupBy(rows, ({ server_id }) => server_id))
  const rowsOf = (serverId: number): readonly CorrectionRow[] => byServer().get(serverId) ?? []

  const latest = (serverId: number, corrected: Corrected) =>
    rowsOf(serverId).findLast(({ period, counts }) => period === corrected.period.from && counts === corrected.counts)

  return {
    of: latest,
    add(serverId, { period: { from: period }, counts }, correction) {
      store.transaction(() => {
        const rows = rowsOf(serverId)
        table.remove(rows.slice(0, Math.max(0, rows.length - maxOfServer + 1)).map(({ id }) => id))
        table.insert({ server_id: serverId, period, counts, ...correction })
      })
    },
    takeBack(serverId, corrected) {
      const row = latest(serverId, corrected)
      return row !== undefined && table.remove([row.id]) > 0
    },
    forget(serverIds) {
      table.remove(serverIds.flatMap((id) => rowsOf(id).map((row) => row.id)))
    },
  }
}

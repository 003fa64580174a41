import { dayIn } from '../../src/domain/contract/trafficPeriods.ts'
import { leaveTurn, takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { type Counters, growthOf } from '../machines/counterRestart.ts'

/** Bytes of a day. */
export type DayBytes = readonly [received: number, sent: number]

/** The first and the last of some days, in days since 1970. */
export interface DaySpan {
  first: number
  last: number
}

/** What is kept of the traffic of a server. */
export interface KeptTraffic {
  /** By days since 1970. */
  days: ReadonlyMap<number, DayBytes>
  /** When a counter leapt or fell, and what it did was left out: milliseconds since 1970, the first first. */
  jumps: readonly number[]
  /** Since when its traffic is counted, in milliseconds since 1970; `undefined` before its first report. */
  since: number | undefined
}

/** The traffic of each server by days, for as many months as 24 periods have. */
export interface TrafficDays {
  /**
   * Takes the counters of a report. @param counters `undefined` for one that is not known
   * @param jumps how many were left out since the start of this server @param at milliseconds since 1970
   */
  observe(serverId: number, counters: ReportedCounters, jumps: number, at: number): void
  /** @param span only what is of these days. Default: all */
  read(serverId: number, span?: DaySpan): KeptTraffic
  /** Deletes what is kept of these servers. */
  forget(serverIds: readonly number[]): void
  /** Writes what has changed, a part at a time. */
  save(): Promise<void>
  /** The same at once. */
  saveNow(): void
}

export interface ReportedCounters {
  net_in_transfer?: number
  net_out_transfer?: number
  uptime?: number
}

/**
 * A month of a server. Its last counters are written with what was counted up to them: a killed server loses nothing.
 */
interface MonthRow {
  id: number
  server_id: number
  /** Months since the year 0. */
  month: number
  days: Record<string, [received: number, sent: number]>
  jumps: number[]
  counters: Counters | null
  since: number
}

interface Current extends Omit<MonthRow, 'id' | 'server_id'> {
  rowId: number | undefined
  seenJumps: number
}

/** 24 periods that begin within a month touch 25 months. */
const keptMonths = 25
/** Of a month, the latest: an agent that is broken leaps with each report. */
const maxJumps = 20
/** Rows in one transaction. */
const rowsPerWrite = 200
const dayMs = 86_400_000
/** The clocks of zones change at quarters of an hour only. */
const quarterMs = 900_000

const monthOf = (day: number): number => {
  const date = new Date(day * dayMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/**
 * @param zoneOf where the days of a server begin
 * @param retentionNow the time by which months are too old, in milliseconds since 1970
 */
export function openTrafficDays(
  store: Store,
  zoneOf: (serverId: number) => string,
  retentionNow: () => number,
): TrafficDays {
  const table = store.table<MonthRow>({
    name: 'server_traffic',
    columns: [
      { name: 'server_id', type: 'INTEGER', indexed: true },
      { name: 'month', type: 'INTEGER' },
      { name: 'days', type: 'JSON' },
      { name: 'jumps', type: 'JSON' },
      { name: 'counters', type: 'JSON' },
      { name: 'since', type: 'INTEGER' },
    ],
  })
  const currentOf = new Map<number, Current>()
  const changed = new Set<number>()
  /** The day of each zone in the present quarter of an hour. */
  let days = new Map<string, number>()
  let quarter = 0
  let cleanedMonth = 0

  function today(zone: string, at: number): number {
    const now = Math.floor(at / quarterMs)
    if (now !== quarter) {
      quarter = now
      days = new Map()
    }
    const known = days.get(zone)
    if (known !== undefined) return known
    const day = dayIn(zone, at)
    days.set(zone, day)
    return day
  }

  /** What was written last of a server, or a new month of it. */
  function load(serverId: number, month: number, at: number): Current {
    const rows = table.find({ server_id: serverId })
    const latest = rows.reduce<MonthRow | undefined>(
      (best, row) => (best && best.month > row.month ? best : row),
      undefined,
    )
    if (!latest) return { rowId: undefined, month, days: {}, jumps: [], counters: null, since: at, seenJumps: 0 }
    const { id, server_id: _, ...kept } = latest
    return { ...kept, rowId: id, seenJumps: 0 }
  }

  function begin(serverId: number, month: number, at: number): Current {
    const current = load(serverId, month, at)
    currentOf.set(serverId, current)
    return current
  }

  /** Months that end are written whole, before the next one begins. */
  function beginMonth(serverId: number, current: Current, month: number): void {
    write([serverId])
    Object.assign(current, { rowId: undefined, month, days: {}, jumps: [] })
    const present = Math.min(month, monthOf(Math.floor(retentionNow() / dayMs)))
    if (present <= cleanedMonth) return
    cleanedMonth = present
    table.removeBelow('month', present - keptMonths)
  }

  function write(ids: readonly number[]): void {
    const inserted = store.transaction(() =>
      ids.flatMap((server_id) => {
        const current = currentOf.get(server_id)
        if (!current) return []
        const { rowId, seenJumps: _, ...row } = current
        if (rowId !== undefined && table.update(rowId, row)) return []
        return [[current, table.insert({ server_id, ...row })] as const]
      }),
    )
    for (const [current, rowId] of inserted) current.rowId = rowId
    for (const id of ids) changed.delete(id)
  }

  function* writes(): Iterable<void> {
    const ids = [...changed]
    for (let from = 0; from < ids.length; from += rowsPerWrite) yield write(ids.slice(from, from + rowsPerWrite))
  }

  /** The rows of some months, and no others: what they hold takes longer to read than to find. */
  function rowsIn(serverId: number, { first, last }: DaySpan): MonthRow[] {
    const [from, to] = [monthOf(first), monthOf(last)]
    const months = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    return months
      .filter((month) => month !== currentOf.get(serverId)?.month)
      .flatMap((month) => table.find({ server_id: serverId, month }))
  }

  return {
    observe(serverId, { net_in_transfer, net_out_transfer, uptime = 0 }, jumps, at) {
      if (net_in_transfer === undefined || net_out_transfer === undefined) return
      const day = today(zoneOf(serverId), at)
      const month = monthOf(day)
      const current = currentOf.get(serverId) ?? begin(serverId, month, at)
      if (month > current.month) beginMonth(serverId, current, month)
      const next = { in: net_in_transfer, out: net_out_transfer, uptime }
      const growth = current.counters ? growthOf(current.counters, next) : { in: 0, out: 0 }
      // Changed in place: thousands of objects that live until the next report would outlive the young garbage.
      const bytes = current.days[day] ?? [0, 0]
      current.days[day] = bytes
      bytes[0] += growth.in
      bytes[1] += growth.out
      if (current.counters) Object.assign(current.counters, next)
      else current.counters = next
      if (jumps > current.seenJumps) current.jumps = [...current.jumps, at].slice(-maxJumps)
      current.seenJumps = jumps
      changed.add(serverId)
    },
    read(serverId, span) {
      const current = currentOf.get(serverId)
      const rows = span ? rowsIn(serverId, span) : table.find({ server_id: serverId })
      const stored = rows.filter(({ id }) => id !== current?.rowId)
      const months = [...stored, ...(current ? [current] : [])].sort((one, other) => one.month - other.month)
      return {
        days: new Map(
          months.flatMap(({ days }) => Object.entries(days).map(([day, bytes]) => [Number(day), [...bytes] as const])),
        ),
        jumps: months.flatMap(({ jumps }) => jumps),
        since: months[0]?.since,
      }
    },
    forget(serverIds) {
      for (const id of serverIds) {
        currentOf.delete(id)
        changed.delete(id)
        table.remove(table.find({ server_id: id }).map((row) => row.id))
      }
    },
    async save() {
      const turn = takeTurns(leaveTurn)
      for (const _ of writes()) await turn()
    },
    saveNow() {
      for (const _ of writes());
    },
  }
}

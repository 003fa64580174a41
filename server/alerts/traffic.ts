import { type AlertState, nextEvaluationAt } from '../../src/domain/alerts/alertState.ts'
import { type Calendar, type Cycle, cycleAt, type OwnedCalendar } from '../../src/domain/alerts/calendar.ts'
import type { CompiledAlert } from '../../src/domain/alerts/compileAlert.ts'
import { type CycleTraffic, cycleValue, type TrafficTotal } from '../../src/domain/alerts/evaluateAlert.ts'
import { leaveTurn, takeTurns } from '../concurrency/takeTurns.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import { type Counters, restartOf } from '../machines/counterRestart.ts'
import { timestamp } from '../wire/apiCall.ts'
import type { SavedState } from './savedState.ts'

/** Counts the bytes that servers receive and send within cycles, across reboots of the machines and restarts here. */
interface Traffic extends CycleTraffic {
  /** Counts for these calendars only. The totals of a calendar that is no longer there are deleted. */
  setCalendars(calendars: readonly OwnedCalendar[], now: number): Promise<void>
  /**
   * Whose servers a calendar counts for: those of its owners, and all when one of them is an administrator.
   * @param admins the ids of administrators
   */
  setAdmins(admins: ReadonlySet<number>): void
  /** Starts new cycles where the old ones have ended. */
  startNewCycles(now: number): Promise<void>
  /** Takes the counters of a report: bytes and seconds since the machine's boot. @param ownerId whose machine it is */
  observe(serverId: number, ownerId: number, counters: ReportedCounters, now: number): void
  /** Whether anything is counted at all. */
  isCounting(): boolean
  /**
   * Deletes what is counted for servers that no longer exist, and where a calendar no longer counts for them.
   * @param ownerOf `undefined` for a server that does not exist
   */
  removeUncovered(ownerOf: (serverId: number) => number | undefined): Promise<void>
  /** Passes all changes to the saved state. */
  save(): Promise<void>
}

export interface ReportedCounters {
  /** `null`: what was reported cannot be. */
  net_in_transfer?: number | null
  net_out_transfer?: number | null
  uptime?: number | null
}

/** The total of a cycle is `base` plus the growth of the counters since `since`. */
interface CycleCount {
  base: TrafficTotal
  since: TrafficTotal
}

interface RunningCycle extends Cycle {
  key: string
  calendar: Calendar
  owners: Set<number>
  counts: Map<number, CycleCount>
}

/** Servers are saved in chunks of 512, so that of ten thousand only the changed chunks are written. */
const chunkBits = 9

/** @param zone time zone in which cycles of days and longer begin */
export function createTraffic(savedState: SavedState, zone: string): Traffic {
  const cycles = new Map<string, RunningCycle>()
  const lastByServer = new Map<number, Counters>()
  const changedCounterChunks = new Set<number>()
  const changedCountChunks = new Map<string, Set<number>>()
  let admins: ReadonlySet<number> = new Set()
  /** The cycles that count for the servers of an owner; made when they are asked for. */
  const cyclesByOwner = new Map<number, readonly RunningCycle[]>()
  readLastCounters(savedState, lastByServer)

  const covers = ({ owners }: RunningCycle, ownerId: number) =>
    owners.has(ownerId) || [...owners].some((id) => admins.has(id))

  function cyclesOf(ownerId: number): readonly RunningCycle[] {
    const cached = cyclesByOwner.get(ownerId)
    if (cached) return cached
    const covering = [...cycles.values()].filter((cycle) => covers(cycle, ownerId))
    cyclesByOwner.set(ownerId, covering)
    return covering
  }

  const changedChunksOf = (key: string) => {
    const chunks = changedCountChunks.get(key) ?? new Set()
    changedCountChunks.set(key, chunks)
    return chunks
  }

  /** @param savedNames the names under which its counts are saved */
  function startCycle(key: string, calendar: Calendar, savedNames: readonly string[], now: number): void {
    const cycle = cycleAt(calendar, now, zone)
    const counts = new Map<number, CycleCount>()
    cycles.set(key, { key, calendar, counts, owners: new Set(), ...cycle })
    for (const name of savedNames) {
      const { from, counts: packed } = savedState.read(name) as SavedCounts
      for (const [id, count] of packed) {
        const last = lastByServer.get(id)
        // The saved cycle has ended meanwhile; what was counted since the last report belongs to the new one.
        if (from === cycle.from || !last) counts.set(id, unpack(count))
        else counts.set(id, { base: { in: 0, out: 0 }, since: { in: last.in, out: last.out } })
        if (from !== cycle.from) changedChunksOf(key).add(id >> chunkBits)
      }
    }
  }

  function startCount(cycle: RunningCycle, serverId: number, last: Counters, now: number): void {
    if (cycle.counts.has(serverId)) return
    // When the machine was booted within the cycle, its counters cover the whole cycle.
    const isFromBoot = last.uptime > 0 && now - last.uptime * 1000 >= cycle.from
    const created = { base: { in: 0, out: 0 }, since: isFromBoot ? { in: 0, out: 0 } : { in: last.in, out: last.out } }
    cycle.counts.set(serverId, created)
    changedChunksOf(cycle.key).add(serverId >> chunkBits)
  }

  /** After the counters of a machine have fallen, adds what they had counted to the base of every cycle. */
  function carryOver(
    covering: readonly RunningCycle[],
    serverId: number,
    last: Counters,
    restart: { in?: number; out?: number },
  ): void {
    for (const { key, counts } of covering) {
      const count = counts.get(serverId)
      if (!count) continue
      for (const direction of ['in', 'out'] as const) {
        const restartValue = restart[direction]
        if (restartValue === undefined) continue
        count.base[direction] += last[direction] - count.since[direction]
        count.since[direction] = restartValue
      }
      changedChunksOf(key).add(serverId >> chunkBits)
    }
  }

  return {
    async setCalendars(calendars, now) {
      const turn = takeTurns(leaveTurn)
      const ownedByKey = Map.groupBy(calendars, ({ calendar }) => keyOf(calendar))
      const savedCounts = savedState.names().filter((name) => name.startsWith('cycle '))
      const namesByKey = Map.groupBy(savedCounts, (name) => name.slice(0, name.lastIndexOf(' ')))
      for (const key of cycles.keys()) if (!ownedByKey.has(key)) cycles.delete(key)
      for (const [key, names] of namesByKey) {
        if (!ownedByKey.has(key)) for (const name of names) savedState.set(name, undefined)
      }
      for (const [key, owned] of ownedByKey) {
        const [{ calendar }] = owned as [OwnedCalendar]
        if (!cycles.has(key)) startCycle(key, calendar, namesByKey.get(key) ?? [], now)
        const cycle = cycles.get(key) as RunningCycle
        cycle.owners = new Set(owned.map(({ ownerId }) => ownerId))
        await turn()
      }
      cyclesByOwner.clear()
    },
    setAdmins(ids) {
      admins = ids
      cyclesByOwner.clear()
    },
    async startNewCycles(now) {
      const turn = takeTurns(leaveTurn)
      for (const [key, cycle] of cycles) {
        await turn()
        // A clock that is set back does not restart an old cycle.
        if (now < cycle.to) continue
        Object.assign(cycle, cycleAt(cycle.calendar, now, zone))
        for (const [id, count] of cycle.counts) {
          const last = lastByServer.get(id)
          if (last) Object.assign(count, { base: { in: 0, out: 0 }, since: { in: last.in, out: last.out } })
          changedChunksOf(key).add(id >> chunkBits)
        }
      }
    },
    observe(serverId, ownerId, counters, now) {
      if (cycles.size === 0) return
      const covering = cyclesOf(ownerId)
      const { net_in_transfer = 0, net_out_transfer = 0, uptime } = counters
      if (net_in_transfer === null || net_out_transfer === null) return
      const last = lastByServer.get(serverId)
      const next: Counters = { in: net_in_transfer, out: net_out_transfer, uptime: uptime ?? 0 }
      const restart = last && restartOf(last, next)
      if (last && restart) carryOver(covering, serverId, last, restart)
      lastByServer.set(serverId, next)
      if (next.in !== last?.in || next.out !== last.out) changedCounterChunks.add(serverId >> chunkBits)
      for (const cycle of covering) startCount(cycle, serverId, next, now)
    },
    total(calendar, serverId) {
      const count = cycles.get(keyOf(calendar))?.counts.get(serverId)
      const last = lastByServer.get(serverId)
      if (!count || !last) return { in: 0, out: 0 }
      return { in: count.base.in + last.in - count.since.in, out: count.base.out + last.out - count.since.out }
    },
    cycle: (calendar) => cycles.get(keyOf(calendar)) ?? { from: calendar.start, to: calendar.start },
    isCounting: () => cycles.size > 0,
    async removeUncovered(ownerOf) {
      const turn = takeTurns(leaveTurn)
      for (const id of lastByServer.keys()) {
        if (ownerOf(id) !== undefined) continue
        lastByServer.delete(id)
        changedCounterChunks.add(id >> chunkBits)
      }
      for (const [key, cycle] of cycles) {
        for (const id of cycle.counts.keys()) {
          const ownerId = ownerOf(id)
          if (ownerId !== undefined && covers(cycle, ownerId)) continue
          cycle.counts.delete(id)
          changedChunksOf(key).add(id >> chunkBits)
        }
        await turn()
      }
    },
    async save() {
      const turn = takeTurns(leaveTurn)
      for (const chunk of changedCounterChunks) savedState.set(`seen ${chunk}`, packLastCounters(lastByServer, chunk))
      for (const [key, chunks] of changedCountChunks) {
        const cycle = cycles.get(key)
        if (cycle) for (const chunk of chunks) savedState.set(`${key} ${chunk}`, packCounts(cycle, chunk))
        await turn()
      }
      changedCounterChunks.clear()
      changedCountChunks.clear()
    },
  }
}

const keyOf = ({ start, interval, unit }: Calendar) => `cycle ${start}/${interval}/${unit}`

type PackedCount = readonly [baseIn: number, baseOut: number, sinceIn: number, sinceOut: number]

interface SavedCounts {
  from: number
  counts: (readonly [id: number, count: PackedCount])[]
}

const unpack = ([baseIn, baseOut, sinceIn, sinceOut]: PackedCount): CycleCount => ({
  base: { in: baseIn, out: baseOut },
  since: { in: sinceIn, out: sinceOut },
})

function* idsOfChunk(chunk: number) {
  for (let id = chunk << chunkBits; id < (chunk + 1) << chunkBits; id++) yield id
}

/** The ids of a chunk, or the few that there are. */
const idsIn = (counts: ReadonlyMap<number, unknown>, chunk: number): Iterable<number> =>
  counts.size < 1 << chunkBits
    ? [...counts.keys()].filter((id) => id >> chunkBits === chunk).sort((a, b) => a - b)
    : idsOfChunk(chunk)

function packCounts({ from, counts }: RunningCycle, chunk: number): SavedCounts {
  const packed: SavedCounts['counts'] = []
  for (const id of idsIn(counts, chunk)) {
    const count = counts.get(id)
    if (count) packed.push([id, [count.base.in, count.base.out, count.since.in, count.since.out]])
  }
  return { from, counts: packed }
}

function packLastCounters(lastByServer: ReadonlyMap<number, Counters>, chunk: number) {
  const packed: [id: number, counters: readonly number[]][] = []
  for (const id of idsOfChunk(chunk)) {
    const last = lastByServer.get(id)
    if (last) packed.push([id, [last.in, last.out, last.uptime]])
  }
  return packed
}

function readLastCounters(savedState: SavedState, lastByServer: Map<number, Counters>): void {
  for (const name of savedState.names()) {
    if (!name.startsWith('seen ')) continue
    for (const [id, numbers] of savedState.read(name) as [number, readonly number[]][]) {
      const [received = 0, sent = 0, uptime = 0] = numbers
      lastByServer.set(id, { in: received, out: sent, uptime })
    }
  }
}

/**
 * Traffic of an alert with a cycle rule in `GET /service` (docs/contract/CONTRACT.md#511-services). Bytes; the maps are
 * by server id.
 */
export type CycleStats = {
  name: string
  /** The running cycle, RFC 3339. */
  from: string
  to: string
  max: number
  min: number
  server_name: Record<string, string>
  transfer: Record<string, number>
  /** When the rule is evaluated next, RFC 3339. */
  next_update: Record<string, string>
}

/** The traffic of an alert's first cycle rule on these servers; `undefined` when there is none. */
export function cycleStatsOf(
  alert: CompiledAlert,
  stateByServer: ReadonlyMap<number, AlertState>,
  servers: ReadonlyMap<number, ServerRow>,
  traffic: Traffic,
): CycleStats | undefined {
  const index = alert.rules.findIndex(({ kind }) => kind === 'cycle')
  const rule = alert.rules[index]
  if (rule?.kind !== 'cycle') return undefined
  const { from, to } = traffic.cycle(rule.calendar)
  const { max = 0, min = 0 } = rule.bounds
  const stats: CycleStats = {
    name: alert.name,
    from: timestamp(from),
    to: timestamp(to),
    max,
    min,
    server_name: {},
    transfer: {},
    next_update: {},
  }
  for (const [id, state] of stateByServer) {
    const row = servers.get(id)
    const nextAt = row && nextEvaluationAt(state, index)
    if (nextAt === undefined) continue
    stats.server_name[id] = String(row?.name)
    stats.transfer[id] = cycleValue(rule, id, traffic)
    stats.next_update[id] = timestamp(nextAt)
  }
  return Object.keys(stats.transfer).length > 0 ? stats : undefined
}

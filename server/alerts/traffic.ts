import { type Calendar, type Cycle, cycleAt } from './calendar.ts'
import type { SavedState } from './savedState.ts'

/** Counts the bytes that servers receive and send within cycles, across reboots of the machines and restarts here. */
export interface Traffic {
  /** Counts for these calendars only. The totals of a calendar that is no longer there are deleted. */
  setCalendars(calendars: readonly Calendar[], now: number): void
  /** Starts new cycles where the old ones have ended. */
  startNewCycles(now: number): void
  /** Takes the counters of a report: bytes and seconds since the machine's boot. */
  observe(serverId: number, counters: ReportedCounters, now: number): void
  /** Bytes of a server within the running cycle. */
  total(calendar: Calendar, serverId: number): TrafficTotal
  cycle(calendar: Calendar): Cycle
  /** Whether anything is counted at all. */
  isCounting(): boolean
  /** Deletes what is counted for servers that no longer exist. */
  removeMissing(exists: (serverId: number) => boolean): void
  /** Passes all changes to the saved state. */
  save(): void
}

export interface TrafficTotal {
  in: number
  out: number
}

export interface ReportedCounters {
  net_in_transfer?: number
  net_out_transfer?: number
  uptime?: number
}

/** The counters in the last report of a machine. */
interface LastCounters extends TrafficTotal {
  uptime: number
}

/** The total of a cycle is `base` plus the growth of the counters since `since`. */
interface CycleCount {
  base: TrafficTotal
  since: TrafficTotal
}

interface RunningCycle extends Cycle {
  calendar: Calendar
  counts: Map<number, CycleCount>
}

/** Servers are saved in chunks of 512, so that of ten thousand only the changed chunks are written. */
const chunkBits = 9

/** @param zone time zone in which cycles of days and longer begin */
export function createTraffic(savedState: SavedState, zone: string): Traffic {
  const cycles = new Map<string, RunningCycle>()
  const lastByServer = new Map<number, LastCounters>()
  const changedCounterChunks = new Set<number>()
  const changedCountChunks = new Map<string, Set<number>>()
  readLastCounters(savedState, lastByServer)

  const changedChunksOf = (key: string) => {
    const chunks = changedCountChunks.get(key) ?? new Set()
    changedCountChunks.set(key, chunks)
    return chunks
  }

  function startCycle(key: string, calendar: Calendar, now: number): void {
    const cycle = cycleAt(calendar, now, zone)
    const counts = new Map<number, CycleCount>()
    cycles.set(key, { calendar, counts, ...cycle })
    for (const name of savedState.names()) {
      if (!name.startsWith(`${key} `)) continue
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

  function countOf(cycle: RunningCycle, key: string, serverId: number, last: LastCounters, now: number): CycleCount {
    const existing = cycle.counts.get(serverId)
    if (existing) return existing
    // When the machine was booted within the cycle, its counters cover the whole cycle.
    const isFromBoot = last.uptime > 0 && now - last.uptime * 1000 >= cycle.from
    const created = { base: { in: 0, out: 0 }, since: isFromBoot ? { in: 0, out: 0 } : { in: last.in, out: last.out } }
    cycle.counts.set(serverId, created)
    changedChunksOf(key).add(serverId >> chunkBits)
    return created
  }

  /** After the counters of a machine have fallen, adds what they had counted to the base of every cycle. */
  function carryOver(serverId: number, last: LastCounters, restart: { in?: number; out?: number }): void {
    for (const [key, { counts }] of cycles) {
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
    setCalendars(calendars, now) {
      const calendarByKey = new Map(calendars.map((calendar) => [keyOf(calendar), calendar]))
      for (const key of cycles.keys()) if (!calendarByKey.has(key)) cycles.delete(key)
      for (const [key, calendar] of calendarByKey) if (!cycles.has(key)) startCycle(key, calendar, now)
      for (const name of savedState.names()) {
        if (name.startsWith('cycle ') && !calendarByKey.has(name.slice(0, name.lastIndexOf(' '))))
          savedState.set(name, undefined)
      }
    },
    startNewCycles(now) {
      for (const [key, cycle] of cycles) {
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
    observe(serverId, counters, now) {
      if (cycles.size === 0) return
      const { net_in_transfer = 0, net_out_transfer = 0, uptime = 0 } = counters
      const last = lastByServer.get(serverId)
      const next: LastCounters = { in: net_in_transfer, out: net_out_transfer, uptime }
      const restart = last && restartOf(last, next)
      if (last && restart) carryOver(serverId, last, restart)
      lastByServer.set(serverId, next)
      if (next.in !== last?.in || next.out !== last.out) changedCounterChunks.add(serverId >> chunkBits)
      for (const [key, cycle] of cycles) countOf(cycle, key, serverId, next, now)
    },
    total(calendar, serverId) {
      const count = cycles.get(keyOf(calendar))?.counts.get(serverId)
      const last = lastByServer.get(serverId)
      if (!count || !last) return { in: 0, out: 0 }
      return { in: count.base.in + last.in - count.since.in, out: count.base.out + last.out - count.since.out }
    },
    cycle: (calendar) => cycles.get(keyOf(calendar)) ?? { from: calendar.start, to: calendar.start },
    isCounting: () => cycles.size > 0,
    removeMissing(exists) {
      for (const id of lastByServer.keys()) {
        if (exists(id)) continue
        lastByServer.delete(id)
        changedCounterChunks.add(id >> chunkBits)
      }
      for (const [key, { counts }] of cycles) {
        for (const id of counts.keys()) {
          if (exists(id)) continue
          counts.delete(id)
          changedChunksOf(key).add(id >> chunkBits)
        }
      }
    },
    save() {
      for (const chunk of changedCounterChunks) savedState.set(`seen ${chunk}`, packLastCounters(lastByServer, chunk))
      for (const [key, chunks] of changedCountChunks) {
        const cycle = cycles.get(key)
        if (cycle) for (const chunk of chunks) savedState.set(`${key} ${chunk}`, packCounts(cycle, chunk))
      }
      changedCounterChunks.clear()
      changedCountChunks.clear()
    },
  }
}

/** The new start values of counters that have fallen; `undefined` when none has. */
function restartOf(last: LastCounters, next: LastCounters): { in?: number; out?: number } | undefined {
  // A reboot, even if the counters have already grown beyond their old values.
  if (next.uptime > 0 && next.uptime < last.uptime) return { in: 0, out: 0 }
  // Without a reboot, a network interface has disappeared together with its counters.
  const isSameBoot = last.uptime > 0 && next.uptime > last.uptime
  const restart: { in?: number; out?: number } = {}
  if (next.in < last.in) restart.in = isSameBoot ? next.in : 0
  if (next.out < last.out) restart.out = isSameBoot ? next.out : 0
  return restart.in === undefined && restart.out === undefined ? undefined : restart
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

function packCounts({ from, counts }: RunningCycle, chunk: number): SavedCounts {
  const packed: SavedCounts['counts'] = []
  for (const id of idsOfChunk(chunk)) {
    const count = counts.get(id)
    if (count) packed.push([id, [count.base.in, count.base.out, count.since.in, count.since.out]])
  }
  return { from, counts: packed }
}

function packLastCounters(lastByServer: ReadonlyMap<number, LastCounters>, chunk: number) {
  const packed: [id: number, counters: readonly number[]][] = []
  for (const id of idsOfChunk(chunk)) {
    const last = lastByServer.get(id)
    if (last) packed.push([id, [last.in, last.out, last.uptime]])
  }
  return packed
}

function readLastCounters(savedState: SavedState, lastByServer: Map<number, LastCounters>): void {
  for (const name of savedState.names()) {
    if (!name.startsWith('seen ')) continue
    for (const [id, numbers] of savedState.read(name) as [number, readonly number[]][]) {
      const [received = 0, sent = 0, uptime = 0] = numbers
      lastByServer.set(id, { in: received, out: sent, uptime })
    }
  }
}

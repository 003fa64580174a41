import { type Calendar, type Cycle, cycleAt } from './calendar.ts'
import type { Kept } from './savedState.ts'

/** Bytes that servers received and sent within cycles, counted across reboots of theirs and restarts of ours. */
export interface Traffic {
  /** Counts for these calendars and no others. One that goes loses its totals. */
  keep(calendars: readonly Calendar[], now: number): void
  /** Begins new cycles where the old ones are over. */
  turn(now: number): void
  /** Takes what a machine tells: bytes and seconds since its boot. */
  observe(serverId: number, told: Counters, now: number): void
  /** Bytes of a server within the running cycle. */
  total(calendar: Calendar, serverId: number): Counted
  cycle(calendar: Calendar): Cycle
  /** Whether anything is counted at all. */
  isCounting(): boolean
  /** Servers that are gone. */
  forget(isThere: (serverId: number) => boolean): void
  /** Gives what has changed to be kept. */
  save(): void
}

export interface Counted {
  in: number
  out: number
}

export interface Counters {
  net_in_transfer?: number
  net_out_transfer?: number
  uptime?: number
}

/** The counters of a machine as it told them last. */
interface Seen extends Counted {
  uptime: number
}

/** The total of a cycle is `base` and what the counters have grown beyond `since`. */
interface Count {
  base: Counted
  since: Counted
}

interface Running extends Cycle {
  calendar: Calendar
  counts: Map<number, Count>
}

/** Servers whose figures are kept together: of ten thousand, only what changed is written. */
const chunkBits = 9

/** @param zone by whose clocks cycles of days and longer begin */
export function createTraffic(kept: Kept, zone: string): Traffic {
  const running = new Map<string, Running>()
  const seen = new Map<number, Seen>()
  const changedSeen = new Set<number>()
  const changedCounts = new Map<string, Set<number>>()
  readSeen(kept, seen)

  const changedIn = (key: string) => {
    const known = changedCounts.get(key) ?? new Set()
    changedCounts.set(key, known)
    return known
  }

  function begin(key: string, calendar: Calendar, now: number): void {
    const cycle = cycleAt(calendar, now, zone)
    const counts = new Map<number, Count>()
    running.set(key, { calendar, counts, ...cycle })
    for (const name of kept.names()) {
      if (!name.startsWith(`${key} `)) continue
      const { from, counts: packed } = kept.read(name) as KeptCounts
      for (const [id, count] of packed) {
        const last = seen.get(id)
        // That cycle ended while nobody looked; what came since the last look counts for the new one.
        if (from === cycle.from || !last) counts.set(id, unpack(count))
        else counts.set(id, { base: { in: 0, out: 0 }, since: { in: last.in, out: last.out } })
        if (from !== cycle.from) changedIn(key).add(id >> chunkBits)
      }
    }
  }

  function countOf(run: Running, key: string, serverId: number, last: Seen, now: number): Count {
    const known = run.counts.get(serverId)
    if (known) return known
    // A machine that was started within the cycle has counted all of it.
    const isFromBoot = last.uptime > 0 && now - last.uptime * 1000 >= run.from
    const made = { base: { in: 0, out: 0 }, since: isFromBoot ? { in: 0, out: 0 } : { in: last.in, out: last.out } }
    run.counts.set(serverId, made)
    changedIn(key).add(serverId >> chunkBits)
    return made
  }

  /** Counters of a machine fell: what they had counted goes into the base of every cycle. */
  function carryOver(serverId: number, last: Seen, restart: { in?: number; out?: number }): void {
    for (const [key, { counts }] of running) {
      const count = counts.get(serverId)
      if (!count) continue
      for (const way of ['in', 'out'] as const) {
        const begin = restart[way]
        if (begin === undefined) continue
        count.base[way] += last[way] - count.since[way]
        count.since[way] = begin
      }
      changedIn(key).add(serverId >> chunkBits)
    }
  }

  return {
    keep(calendars, now) {
      const wanted = new Map(calendars.map((calendar) => [keyOf(calendar), calendar]))
      for (const key of running.keys()) if (!wanted.has(key)) running.delete(key)
      for (const [key, calendar] of wanted) if (!running.has(key)) begin(key, calendar, now)
      for (const name of kept.names()) {
        if (name.startsWith('cycle ') && !wanted.has(name.slice(0, name.lastIndexOf(' ')))) kept.set(name, undefined)
      }
    },
    turn(now) {
      for (const [key, run] of running) {
        // A clock that was put back does not bring back what was counted.
        if (now < run.to) continue
        Object.assign(run, cycleAt(run.calendar, now, zone))
        for (const [id, count] of run.counts) {
          const last = seen.get(id)
          if (last) Object.assign(count, { base: { in: 0, out: 0 }, since: { in: last.in, out: last.out } })
          changedIn(key).add(id >> chunkBits)
        }
      }
    },
    observe(serverId, told, now) {
      if (running.size === 0) return
      const { net_in_transfer = 0, net_out_transfer = 0, uptime = 0 } = told
      const last = seen.get(serverId)
      const next: Seen = { in: net_in_transfer, out: net_out_transfer, uptime }
      const restart = last && restartOf(last, next)
      if (last && restart) carryOver(serverId, last, restart)
      seen.set(serverId, next)
      if (next.in !== last?.in || next.out !== last.out) changedSeen.add(serverId >> chunkBits)
      for (const [key, run] of running) countOf(run, key, serverId, next, now)
    },
    total(calendar, serverId) {
      const count = running.get(keyOf(calendar))?.counts.get(serverId)
      const last = seen.get(serverId)
      if (!count || !last) return { in: 0, out: 0 }
      return { in: count.base.in + last.in - count.since.in, out: count.base.out + last.out - count.since.out }
    },
    cycle: (calendar) => running.get(keyOf(calendar)) ?? { from: calendar.start, to: calendar.start },
    isCounting: () => running.size > 0,
    forget(isThere) {
      for (const id of seen.keys()) {
        if (isThere(id)) continue
        seen.delete(id)
        changedSeen.add(id >> chunkBits)
      }
      for (const [key, { counts }] of running) {
        for (const id of counts.keys()) {
          if (isThere(id)) continue
          counts.delete(id)
          changedIn(key).add(id >> chunkBits)
        }
      }
    },
    save() {
      for (const chunk of changedSeen) kept.set(`seen ${chunk}`, packSeen(seen, chunk))
      for (const [key, chunks] of changedCounts) {
        const run = running.get(key)
        if (run) for (const chunk of chunks) kept.set(`${key} ${chunk}`, packCounts(run, chunk))
      }
      changedSeen.clear()
      changedCounts.clear()
    },
  }
}

/** Where fallen counters begin again; `undefined` when none fell. */
function restartOf(last: Seen, next: Seen): { in?: number; out?: number } | undefined {
  // After a reboot, also one that nobody saw because the counters have already grown beyond what they were.
  if (next.uptime > 0 && next.uptime < last.uptime) return { in: 0, out: 0 }
  // The machine has run on: a network interface went, with all that it had counted.
  const hasRunOn = last.uptime > 0 && next.uptime > last.uptime
  const restart: { in?: number; out?: number } = {}
  if (next.in < last.in) restart.in = hasRunOn ? next.in : 0
  if (next.out < last.out) restart.out = hasRunOn ? next.out : 0
  return restart.in === undefined && restart.out === undefined ? undefined : restart
}

const keyOf = ({ start, interval, unit }: Calendar) => `cycle ${start}/${interval}/${unit}`

type Four = readonly [baseIn: number, baseOut: number, sinceIn: number, sinceOut: number]

interface KeptCounts {
  from: number
  counts: (readonly [id: number, count: Four])[]
}

const unpack = ([baseIn, baseOut, sinceIn, sinceOut]: Four): Count => ({
  base: { in: baseIn, out: baseOut },
  since: { in: sinceIn, out: sinceOut },
})

function* idsOfChunk(chunk: number) {
  for (let id = chunk << chunkBits; id < (chunk + 1) << chunkBits; id++) yield id
}

function packCounts({ from, counts }: Running, chunk: number): KeptCounts {
  const packed: KeptCounts['counts'] = []
  for (const id of idsOfChunk(chunk)) {
    const count = counts.get(id)
    if (count) packed.push([id, [count.base.in, count.base.out, count.since.in, count.since.out]])
  }
  return { from, counts: packed }
}

function packSeen(seen: ReadonlyMap<number, Seen>, chunk: number) {
  const packed: [id: number, told: readonly number[]][] = []
  for (const id of idsOfChunk(chunk)) {
    const last = seen.get(id)
    if (last) packed.push([id, [last.in, last.out, last.uptime]])
  }
  return packed
}

function readSeen(kept: Kept, seen: Map<number, Seen>): void {
  for (const name of kept.names()) {
    if (!name.startsWith('seen ')) continue
    for (const [id, told] of kept.read(name) as [number, readonly number[]][]) {
      const [received = 0, sent = 0, uptime = 0] = told
      seen.set(id, { in: received, out: sent, uptime })
    }
  }
}

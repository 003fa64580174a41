import type { HostFacts, HostState } from '../schemas/machines/live.ts'
import { type ServerValues, sortedMetrics } from '../schemas/machines/serverChanges.ts'

/** The live state of one server on screen, as of the newest frame. */
export interface LiveEntry {
  id: number
  /** By the server's clock, never by the browser's. */
  online: boolean
  /** When it last reported, ms since 1970 by the server's clock; left out when unknown. */
  seenAt?: number
  host?: HostFacts
  state?: HostState
  /** Only what lists sort by is known of `state`, or nothing; the rest is on its way. */
  isPartial?: true
  /** The addresses of all machines that report with its uuid, when there are several. */
  duplicate_uuid?: readonly string[]
  /** The metrics of `state` of which nothing true is known. */
  missing?: readonly string[]
}

/** Servers that are offline, by id: when each last reported, ms since 1970 by the server's clock, if that is known. */
export type OfflineServers = ReadonlyMap<number, number | undefined>

/** Servers that are online and whose disks are full, by id: how full, in whole percent. */
export type FullDisks = ReadonlyMap<number, number>

/** What one frame changed for the servers on screen. */
export interface Tick {
  entries: LiveEntry[]
  /** How many different servers the frames have held since the feed was started. */
  serverCount: number
  /** Number of sockets that watch the server. */
  watching: number
  /** The server's clock, ms since 1970. */
  now: number
  /** All servers that are offline, where that differs from the frame before. */
  offline?: OfflineServers
  /** All servers whose disks are full, where that differs from the frame before. */
  fullDisks?: FullDisks
}

/** Page to worker. `connect` and `wait` are the answers to `ready`. */
export type FeedRequest =
  /** Comes once. `sendsChanges`: whether the server has `/ws/wheelhouse/servers`; else it is `/ws/server`. */
  | { type: 'start'; sendsChanges: boolean }
  | { type: 'connect' }
  | { type: 'wait' }
  /** The server can be reached again: ends a delay early. */
  | { type: 'retry' }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'visible'; ids: number[] }
  /** What lists sort by, of all servers. */
  | { type: 'snapshot'; request: number }
  /** Which servers are online, and maybe more: costs nothing. */
  | { type: 'states'; request: number }

/** Worker to page. */
export type FeedMessage =
  | ({ type: 'tick' } & Tick)
  /** Current entries of servers that have come into view. */
  | { type: 'known'; entries: LiveEntry[] }
  | { type: 'lost' }
  /** A delay is over; asks whether to connect again. */
  | { type: 'ready' }
  /** `entries` as `packEntries` makes them. */
  | { type: 'snapshot'; request: number; entries: Float64Array<ArrayBuffer> }

/**
 * All servers at one moment as plain numbers, one server after the other: the browser transfers them as one block, where
 * copying ten thousand objects would block the page for a tenth of a second.
 */
export type PackedEntries = Float64Array<ArrayBuffer>

/**
 * Numbers per server: id, online, seen at, and of host and state only what lists sort and filter by; missing ones count as 0,
 * as on the wire. Written out instead of looped over names, because the first sort by a live column waits for this.
 */
const width = 10

/** What the numbers of a state are, in their order; what is missing is no number. */
const stateNames: readonly string[] = sortedMetrics

export function packEntries(entries: readonly LiveEntry[]): PackedEntries {
  const packed = new Float64Array(entries.length * width)
  let at = 0
  for (const { id, online, seenAt, host, state, missing } of entries) {
    packed[at] = id
    packed[at + 1] = online ? 1 : 0
    packed[at + 2] = seenAt ?? Number.NaN
    packed[at + 3] = host?.mem_total ?? 0
    packed[at + 4] = host?.disk_total ?? 0
    if (isFilled(state)) {
      packed[at + 5] = state.cpu ?? 0
      packed[at + 6] = state.mem_used ?? 0
      packed[at + 7] = state.disk_used ?? 0
      packed[at + 8] = state.net_in_speed ?? 0
      packed[at + 9] = state.net_out_speed ?? 0
      for (const name of missing ?? []) {
        const place = stateNames.indexOf(name)
        if (place >= 0) packed[at + 5 + place] = Number.NaN
      }
    } else {
      packed.fill(Number.NaN, at + 5, at + width)
    }
    at += width
  }
  return packed
}

/** The same of what a server says that it has measured. @param offline who is offline, and since when */
export function packValues(values: ServerValues, offline: OfflineServers): PackedEntries {
  const { now, ids, age, mem_total, disk_total, metrics } = values
  const packed = new Float64Array(ids.length * width)
  for (const [index, id] of ids.entries()) {
    const at = index * width
    packed[at] = id
    packed[at + 1] = offline.has(id) ? 0 : 1
    packed[at + 2] = now - (age[index] ?? Number.NaN)
    packed[at + 3] = mem_total[index] ?? 0
    packed[at + 4] = disk_total[index] ?? 0
    for (const [place, column] of metrics.entries()) packed[at + 5 + place] = column[index] ?? Number.NaN
  }
  return packed
}

/** Who is online; what they measured is missing. */
export function packStates(ids: Iterable<number>, offline: OfflineServers): PackedEntries {
  const all = [...ids]
  const packed = new Float64Array(all.length * width).fill(Number.NaN)
  for (const [index, id] of all.entries()) {
    packed.set([id, offline.has(id) ? 0 : 1, offline.get(id) ?? Number.NaN], index * width)
  }
  return packed
}

/** A machine that has not reported since the server started may come with empty parts. */
function isFilled<Part extends object>(part: Part | undefined): part is Part {
  for (const _ in part) return true
  return false
}

/** All servers at one moment, by id. */
export interface Entries {
  get(id: number): LiveEntry | undefined
  keys(): Iterable<number>
  readonly size: number
}

/** Entries are created when they are read; a metric of which nothing true is known is no number. */
export function unpackEntries(packed: PackedEntries): Entries {
  const value = (at: number) => packed[at] as number
  const places = new Map<number, number>()
  for (let at = 0; at < packed.length; at += width) places.set(value(at), at)
  return {
    keys: () => places.keys(),
    size: places.size,
    get(id) {
      const at = places.get(id)
      if (at === undefined) return undefined
      const [online, seenAt] = [packed[at + 1] === 1, packed[at + 2] || undefined]
      // Of states, nothing else is known: records say what was measured.
      if (Number.isNaN(packed[at + 3])) return { id, online, seenAt }
      return {
        id,
        online,
        seenAt,
        host: { mem_total: value(at + 3), disk_total: value(at + 4) },
        state: {
          cpu: value(at + 5),
          mem_used: value(at + 6),
          disk_used: value(at + 7),
          net_in_speed: value(at + 8),
          net_out_speed: value(at + 9),
        },
      }
    },
  }
}

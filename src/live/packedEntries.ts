import type { LiveEntry } from './feedMessages.ts'

/**
 * All servers at one moment as plain numbers, one server after the other: the browser transfers them as one block, where
 * copying ten thousand objects would block the page for a tenth of a second.
 */
export type PackedEntries = Float64Array<ArrayBuffer>

/**
 * Numbers per server: id, online, seen at, has host, has state, and of host and state only what lists sort and filter by;
 * missing ones count as 0, as on the wire. Written out instead of looped over names, because the first sort by a live
 * column waits for this.
 */
const width = 12

/** What the numbers of a state are, in their order; what is missing is no number. */
const stateNames: readonly string[] = ['cpu', 'mem_used', 'disk_used', 'net_in_speed', 'net_out_speed']

export function packEntries(entries: readonly LiveEntry[]): PackedEntries {
  const packed = new Float64Array(entries.length * width)
  let at = 0
  for (const { id, online, seenAt, host, state, missing } of entries) {
    packed[at] = id
    packed[at + 1] = online ? 1 : 0
    packed[at + 2] = seenAt ?? Number.NaN
    if (isFilled(host)) {
      packed[at + 3] = 1
      packed[at + 5] = host.mem_total ?? 0
      packed[at + 6] = host.disk_total ?? 0
    }
    if (isFilled(state)) {
      packed[at + 4] = 1
      packed[at + 7] = state.cpu ?? 0
      packed[at + 8] = state.mem_used ?? 0
      packed[at + 9] = state.disk_used ?? 0
      packed[at + 10] = state.net_in_speed ?? 0
      packed[at + 11] = state.net_out_speed ?? 0
      for (const name of missing ?? []) {
        const place = stateNames.indexOf(name)
        if (place >= 0) packed[at + 7 + place] = Number.NaN
      }
    }
    at += width
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
}

/** Entries are created when they are read. */
export function unpackEntries(packed: PackedEntries): Entries {
  const value = (at: number) => packed[at] as number
  const places = new Map<number, number>()
  for (let at = 0; at < packed.length; at += width) places.set(value(at), at)
  return {
    keys: () => places.keys(),
    get(id) {
      const at = places.get(id)
      if (at === undefined) return undefined
      const entry: LiveEntry = { id, online: packed[at + 1] === 1 }
      if (!Number.isNaN(packed[at + 2])) entry.seenAt = value(at + 2)
      if (packed[at + 3] === 1) entry.host = { mem_total: value(at + 5), disk_total: value(at + 6) }
      if (packed[at + 4] === 1) {
        const missing = stateNames.filter((_, index) => Number.isNaN(value(at + 7 + index)))
        if (missing.length > 0) entry.missing = missing
        entry.state = {
          cpu: value(at + 7),
          mem_used: value(at + 8),
          disk_used: value(at + 9),
          net_in_speed: value(at + 10),
          net_out_speed: value(at + 11),
        }
      }
      return entry
    },
  }
}

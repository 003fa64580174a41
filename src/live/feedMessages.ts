import type { HostFacts, HostState } from '../schemas/machines/live.ts'

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

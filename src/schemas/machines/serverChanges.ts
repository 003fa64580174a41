import type { HostFacts, HostState } from './live.ts'

/** Servers of which one stream may ask for everything at a time: several times what a page has on screen. */
export const maxShownServers = 1000

/** What a client may send to `/ws/wheelhouse/servers`: text with JSON. */
export type ChangesRequest =
  /** From now on everything of these servers, in place of those before; at most `maxShownServers`. */
  | { show: number[] }
  /** What lists sort by, of all servers, once. The answer carries this number; with `gzip` it is compressed, in binary. */
  | { values: number; gzip?: boolean }

/** A server that went offline, and when it reported last: ms since 1970 by the server's clock, `null` where it is not known. */
export type OfflineSince = readonly [id: number, seen: number | null]

/** A server that is shown, as far as it has changed. */
export interface ShownServer {
  id: number
  /** When it reported last: ms since 1970 by the server's clock. */
  seen?: number
  /** What it is; whole, where anything of it has changed. */
  host?: HostFacts
  /** What it measured; whole, where anything of it has changed. */
  report?: {
    state: HostState
    /** The metrics of `state` of which nothing true is known: they are left out, as zeros are. */
    missing?: readonly string[]
    /** The addresses of all machines that report with its uuid, when there are several. */
    duplicate_uuid?: readonly string[]
  }
}

/** One text frame of `/ws/wheelhouse/servers`, sent every 2 s: what has changed since the one before; what has not is absent. */
export interface ChangesFrame {
  /** The server's clock, ms since 1970. */
  now: number
  /** Number of open sockets. */
  watching: number
  /** All that was known before is void: this frame has everything. */
  reset?: true
  /** Ids of servers that have come online. */
  online?: readonly number[]
  /** Servers that have gone offline. */
  offline?: readonly OfflineSince[]
  /** Servers whose disks are full, in whole percent; 0 where they no longer are. */
  full_disks?: readonly (readonly [id: number, percent: number])[]
  /** Ids of servers that this person no longer sees. */
  gone?: readonly number[]
  shown?: readonly ShownServer[]
}

/** The metrics that lists sort by, in the order of `ServerValues`. */
export const sortedMetrics = ['cpu', 'mem_used', 'disk_used', 'net_in_speed', 'net_out_speed'] as const

/** The answer to `values`: lists as long as `ids`, in its order. */
export interface ServerValues {
  values: number
  now: number
  ids: readonly number[]
  /** Milliseconds before `now` at which it reported last; `null` where that is not known. */
  age: readonly (number | null)[]
  mem_total: readonly number[]
  disk_total: readonly number[]
  /** For each of `sortedMetrics`: what the server reported, processors to a hundredth of a percent; `null` where nothing true is known. */
  metrics: readonly (readonly (number | null)[])[]
}

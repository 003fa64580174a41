import type { HostFacts, HostState } from '../schemas/machines/live.ts'
import type { PackedEntries } from './packedEntries.ts'

/** What the page knows about one server on screen, as of the newest frame. */
export interface LiveEntry {
  id: number
  /** Judged by the server's clock, never by the browser's. */
  online: boolean
  /** When it last reported, ms since 1970 by the server's clock; left out when nobody knows. */
  seenAt?: number
  host?: HostFacts
  state?: HostState
}

/** What one frame changed for the servers on screen. */
export interface Tick {
  entries: LiveEntry[]
  /** Sockets open at the server: the people watching. */
  watching: number
  /** The server's clock, ms since 1970. */
  now: number
}

/** Page to worker. `connect` and `wait` are the answers to `ready`. */
export type ToFeed =
  | { type: 'start'; url: string }
  | { type: 'connect' }
  | { type: 'wait' }
  /** The server is there again: ends a pause early. */
  | { type: 'retry' }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'visible'; ids: number[] }
  | { type: 'snapshot'; request: number }

/** Worker to page. */
export type FromFeed =
  | ({ type: 'tick' } & Tick)
  /** What is already known about servers that have just come into view. */
  | { type: 'known'; entries: LiveEntry[] }
  | { type: 'lost' }
  /** The pause is over; asks whether to connect again. */
  | { type: 'ready' }
  | { type: 'snapshot'; request: number; entries: PackedEntries }

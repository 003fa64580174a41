import type { LiveFrame, LiveServer } from '../schemas/machines/live.ts'
import type { LiveEntry, Tick } from './feedMessages.ts'
import { isRecent, isZeroTime, lastReportAt } from './lastReport.ts'

interface ServerState {
  server: LiveServer
  /** Number of the newest frame that held the server; an older one means that it is no longer in the frames. */
  frame: number
  /** Its newest `last_active` that was a real time. */
  lastActive?: string
}

/**
 * Holds the newest state of all servers and computes what changed for those on screen. A frame with every server comes
 * every 2 s; only the servers on screen are reported to the page.
 */
export class LiveFeed {
  readonly #states = new Map<number, ServerState>()
  /** For each server on screen its last reported entry, as JSON; empty before the first report. */
  #reported = new Map<number, string>()
  #frame = 0
  #now = 0

  /** Sets which servers are on screen. @returns the entries of those that were not on screen before */
  show(ids: Iterable<number>): LiveEntry[] {
    const before = this.#reported
    const added: LiveEntry[] = []
    this.#reported = new Map()
    for (const id of ids) {
      const reported = before.get(id)
      this.#reported.set(id, reported ?? '')
      const state = reported === undefined ? this.#states.get(id) : undefined
      if (state) added.push(this.#report(id, state))
    }
    return added
  }

  /** Reads one text frame. @returns what changed on screen, or `undefined` when the text is not a frame */
  read(text: string): Tick | undefined {
    const frame = parseFrame(text)
    if (!frame) return undefined
    this.#frame += 1
    this.#now = frame.now
    for (const server of frame.servers ?? []) this.#store(server)
    const entries: LiveEntry[] = []
    for (const [id, reported] of this.#reported) {
      const entry = this.#report(id, this.#states.get(id))
      if (this.#reported.get(id) !== reported) entries.push(entry)
    }
    return { entries, serverCount: this.#states.size, watching: frame.online ?? 0, now: frame.now }
  }

  /** All servers as of the newest frame, for sorting by a live column. */
  snapshot(): LiveEntry[] {
    return Array.from(this.#states, ([id, state]) => this.#entry(id, state))
  }

  #store(server: LiveServer): void {
    const lastActive = isZeroTime(server.last_active) ? this.#states.get(server.id)?.lastActive : server.last_active
    this.#states.set(server.id, { server, frame: this.#frame, lastActive })
  }

  #report(id: number, state: ServerState | undefined): LiveEntry {
    const entry = this.#entry(id, state)
    this.#reported.set(id, JSON.stringify(entry))
    return entry
  }

  #entry(id: number, serverState: ServerState | undefined): LiveEntry {
    if (!serverState) return { id, online: false }
    const { host, state, last_active, duplicate_uuid, missing } = serverState.server
    const seenAt = lastReportAt({ last_active: serverState.lastActive, host, state })
    const isReporting = serverState.frame === this.#frame && !isZeroTime(last_active)
    return {
      id,
      online: isReporting && seenAt !== undefined && isRecent(seenAt, this.#now),
      seenAt,
      host,
      state,
      duplicate_uuid,
      missing,
    }
  }
}

/** Reads tolerantly: entries that are not servers are left out, a text that is not a frame is `undefined`. */
function parseFrame(text: string): LiveFrame | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined // the next frame comes in 2 s
  }
  const frame = value as Partial<LiveFrame> | null
  if (typeof frame?.now !== 'number') return undefined
  const servers = Array.isArray(frame.servers) ? frame.servers.filter((server) => typeof server?.id === 'number') : []
  return { now: frame.now, online: frame.online, servers }
}

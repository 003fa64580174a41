import type { LiveFrame, LiveServer } from '../schemas/machines/live.ts'
import { isRecent, isZeroTime, lastReportAt } from './lastReport.ts'
import type { LiveEntry, Tick } from './messages.ts'

interface Known {
  server: LiveServer
  /** Number of the newest frame that held it; an older one means that the server has left the frames. */
  frame: number
  /** Its newest `last_active` that was a real time. */
  lastActive?: string
}

/**
 * Keeps the newest state of all servers and says what changed for those on screen. Frames carry every server every
 * 2 s; all but a page of them stay in here.
 */
export class LiveFeed {
  readonly #known = new Map<number, Known>()
  /** Each server on screen with its entry as last told, for telling only what changed. */
  #told = new Map<number, string>()
  #frame = 0
  #now = 0

  /** Sets which servers are on screen. @returns what is known about those that were not before */
  show(ids: Iterable<number>): LiveEntry[] {
    const before = this.#told
    const fresh: LiveEntry[] = []
    this.#told = new Map()
    for (const id of ids) {
      const told = before.get(id)
      this.#told.set(id, told ?? '')
      const known = told === undefined ? this.#known.get(id) : undefined
      if (known) fresh.push(this.#tell(id, known))
    }
    return fresh
  }

  /** Takes in one text frame. @returns what changed on screen, or `undefined` when the text is no frame */
  read(text: string): Tick | undefined {
    const frame = parseFrame(text)
    if (!frame) return undefined
    this.#frame += 1
    this.#now = frame.now
    for (const server of frame.servers ?? []) this.#keep(server)
    const entries: LiveEntry[] = []
    for (const [id, told] of this.#told) {
      const entry = this.#tell(id, this.#known.get(id))
      if (this.#told.get(id) !== told) entries.push(entry)
    }
    return { entries, watching: frame.online ?? 0, now: frame.now }
  }

  /** All servers as of the newest frame: what a list sorts by when a live column is clicked. */
  snapshot(): LiveEntry[] {
    return Array.from(this.#known, ([id, known]) => this.#entry(id, known))
  }

  #keep(server: LiveServer): void {
    const known = this.#known.get(server.id)
    const lastActive = isZeroTime(server.last_active) ? known?.lastActive : server.last_active
    this.#known.set(server.id, { server, frame: this.#frame, lastActive })
  }

  #tell(id: number, known: Known | undefined): LiveEntry {
    const entry = this.#entry(id, known)
    this.#told.set(id, JSON.stringify(entry))
    return entry
  }

  #entry(id: number, known: Known | undefined): LiveEntry {
    if (!known) return { id, online: false }
    const { host, state, last_active } = known.server
    const seenAt = lastReportAt({ last_active: known.lastActive, host, state })
    const isReporting = known.frame === this.#frame && !isZeroTime(last_active)
    return {
      id,
      online: isReporting && seenAt !== undefined && isRecent(seenAt, this.#now),
      seenAt,
      host,
      state,
    }
  }
}

/** Reads tolerantly: members that are no servers are left out, a text that is no frame is `undefined`. */
function parseFrame(text: string): LiveFrame | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined // a broken frame is no news; the next one comes in 2 s
  }
  const frame = value as Partial<LiveFrame> | null
  if (typeof frame?.now !== 'number') return undefined
  const servers = Array.isArray(frame.servers) ? frame.servers.filter((server) => typeof server?.id === 'number') : []
  return { now: frame.now, online: frame.online, servers }
}

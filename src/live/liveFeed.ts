import { fullDiskPercent } from '../domain/trouble/fullDisk.ts'
import type { LiveFrame, LiveServer } from '../schemas/machines/live.ts'
import {
  type FullDisks,
  type LiveEntry,
  type OfflineServers,
  type PackedEntries,
  packEntries,
  type Tick,
} from './feedMessages.ts'
import type { Feed } from './handleFeedRequests.ts'
import { isRecent, isZeroTime, lastReportAt } from './lastReport.ts'

interface ServerState {
  server: LiveServer
  /** Number of the newest frame that held the server; an older one means that it is no longer in the frames. */
  frame: number
  /** Its newest `last_active` that was a real time. */
  lastActive?: string
}

/**
 * Holds the newest state of all servers and computes what changed for those on screen, as the frames of `/ws/server` say it. A
 * frame with every server comes every 2 s; only the servers on screen are reported to the page. While it is paused, the newest
 * frame is kept unread.
 */
export class LiveFeed implements Feed {
  readonly #states = new Map<number, ServerState>()
  /** For each server on screen its last reported entry, as JSON; empty before the first report. */
  #reported = new Map<number, string>()
  #offline?: OfflineServers
  #fullDisks?: FullDisks
  #frame = 0
  #now = 0
  #isPaused = false
  #unread: string | undefined

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

  pause(): void {
    this.#isPaused = true
  }

  resume(): Tick | undefined {
    const unread = this.#unread
    this.#isPaused = false
    this.#unread = undefined
    return unread === undefined ? undefined : this.read(unread)
  }

  read(text: string): Tick | undefined {
    if (this.#isPaused) {
      this.#unread = text
      return undefined
    }
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
    const tick: Tick = { entries, serverCount: this.#states.size, watching: frame.online ?? 0, now: frame.now }
    const offline = this.#offlineNow()
    if (!isSame(offline, this.#offline)) tick.offline = this.#offline = offline
    const fullDisks = this.#fullDisksNow(offline)
    if (!isSame(fullDisks, this.#fullDisks)) tick.fullDisks = this.#fullDisks = fullDisks
    return tick
  }

  snapshot(answer: (entries: PackedEntries) => void): void {
    answer(this.states())
  }

  states(): PackedEntries {
    return packEntries(Array.from(this.#states, ([id, state]) => this.#entry(id, state)))
  }

  #offlineNow(): OfflineServers {
    const offline = new Map<number, number | undefined>()
    for (const [id, state] of this.#states) {
      const seenAt = seenAtOf(state)
      if (!this.#isOnline(state, seenAt)) offline.set(id, seenAt)
    }
    return offline
  }

  #fullDisksNow(offline: OfflineServers): FullDisks {
    const full = new Map<number, number>()
    for (const [id, { server }] of this.#states) {
      if (offline.has(id) || server.missing?.includes('disk_used')) continue
      const wasFull = this.#fullDisks?.has(id)
      const percent = fullDiskPercent(server.state?.disk_used, server.host?.disk_total, wasFull)
      if (percent !== undefined) full.set(id, percent)
    }
    return full
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
    const { host, state, duplicate_uuid, missing } = serverState.server
    const seenAt = seenAtOf(serverState)
    return {
      id,
      online: this.#isOnline(serverState, seenAt),
      seenAt,
      host,
      state,
      duplicate_uuid,
      missing,
    }
  }

  #isOnline({ frame, server }: ServerState, seenAt: number | undefined): boolean {
    const isReporting = frame === this.#frame && !isZeroTime(server.last_active)
    return isReporting && seenAt !== undefined && isRecent(seenAt, this.#now)
  }
}

const seenAtOf = ({ lastActive, server }: ServerState) =>
  lastReportAt({ last_active: lastActive, host: server.host, state: server.state })

const isSame = <Value>(one: ReadonlyMap<number, Value>, other: ReadonlyMap<number, Value> | undefined): boolean =>
  one.size === other?.size && [...one].every(([id, value]) => other.has(id) && other.get(id) === value)

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

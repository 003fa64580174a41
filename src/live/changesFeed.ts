import {
  type ChangesFrame,
  maxShownServers,
  type ServerValues,
  type ShownServer,
} from '../schemas/machines/serverChanges.ts'
import {
  type Entries,
  type LiveEntry,
  type PackedEntries,
  packStates,
  packValues,
  type Tick,
  unpackEntries,
} from './feedMessages.ts'
import type { Feed } from './handleFeedRequests.ts'

type Answer = (entries: PackedEntries) => void

/** Milliseconds between two requests for what is on screen: who scrolls passes many servers. */
const showEveryMs = 250

/**
 * Holds which servers are online, and everything of those on screen, as the frames of `/ws/wheelhouse/servers` say it; what
 * lists sort by is asked for when it is needed.
 */
export class ChangesFeed implements Feed {
  readonly #send: (text: string) => void
  readonly #ids = new Set<number>()
  /** Every server that was in a frame, whether or not it still is. */
  readonly #everSeen = new Set<number>()
  readonly #offline = new Map<number, number | undefined>()
  readonly #fullDisks = new Map<number, number>()
  readonly #rows = new Map<number, ShownServer>()
  #onScreen: ReadonlySet<number> = new Set()
  #isPaused = false
  /** Whether this connection has brought its first frame. */
  #isOpen = false
  #now = 0
  #watching = 0
  /** What has changed since the last tick. */
  readonly #changed = new Set<number>()
  #isOfflineChanged = true
  #areDisksChanged = true
  #showTimer: ReturnType<typeof setTimeout> | undefined
  #isShowDue = false
  #waiting: Answer[] = []
  /** What was answered last, and the same by id. */
  #values: PackedEntries | undefined
  #sorted: Entries | undefined

  /** @param send sends a request over the connection, if there is one */
  constructor(send: (text: string) => void) {
    this.#send = send
  }

  /** @returns the entries of those that were not on screen before and are known */
  show(ids: Iterable<number>): LiveEntry[] {
    const before = this.#onScreen
    this.#onScreen = new Set(ids)
    this.#requestShown()
    return this.#entries([...this.#onScreen].filter((id) => !before.has(id)))
  }

  /** The server knows nothing of what is on screen. */
  opened(): void {
    this.#requestNow()
    if (this.#waiting.length > 0) this.#requestValues()
  }

  /** Who waits gets what was known last. */
  lost(): void {
    this.#isOpen = false
    this.#answer(this.#values ?? this.states())
  }

  pause(): void {
    this.#isPaused = true
    this.#requestNow()
  }

  resume(): Tick | undefined {
    this.#isPaused = false
    this.#requestNow()
    return this.#isOpen ? this.#tick() : undefined
  }

  stop(): void {
    clearTimeout(this.#showTimer)
  }

  /** Reads changes also while it is paused: the next frame has only what is new since this one. */
  read(text: string): Tick | undefined {
    const frame = parseFrame(text)
    if (!frame) return undefined
    if ('values' in frame) {
      this.#values = packValues(frame, this.#offline)
      this.#sorted = unpackEntries(this.#values)
      this.#answer(this.#values)
      return undefined
    }
    this.#apply(frame)
    return this.#isPaused ? undefined : this.#tick()
  }

  /** Asks for all servers as of now; without a connection, they are as they were known last. */
  snapshot(answer: Answer): void {
    this.#waiting.push(answer)
    if (!this.#isOpen) this.#answer(this.#values ?? this.states())
    else if (this.#waiting.length === 1) this.#requestValues()
  }

  states(): PackedEntries {
    return packStates(this.#ids, this.#offline)
  }

  #requestValues(): void {
    this.#send(JSON.stringify({ values: 1, gzip: typeof DecompressionStream !== 'undefined' }))
  }

  #answer(entries: PackedEntries): void {
    const waiting = this.#waiting
    this.#waiting = []
    // Each is given away as a whole.
    for (const answer of waiting) answer(entries.slice())
  }

  #apply({ reset, now, watching, online, offline, full_disks, gone, shown }: ChangesFrame): void {
    this.#isOpen = true
    this.#now = now
    this.#watching = watching
    if (reset) {
      for (const known of [this.#ids, this.#offline, this.#fullDisks]) known.clear()
      for (const id of this.#onScreen) this.#changed.add(id)
    }
    this.#isOfflineChanged ||= Boolean(reset ?? online ?? offline ?? gone)
    this.#areDisksChanged ||= Boolean(reset ?? full_disks ?? gone)
    for (const id of online ?? []) {
      this.#note(id)
      this.#offline.delete(id)
    }
    for (const [id, seen] of offline ?? []) {
      this.#note(id)
      this.#offline.set(id, seen ?? undefined)
    }
    for (const [id, percent] of full_disks ?? []) {
      if (percent > 0) this.#fullDisks.set(id, percent)
      else this.#fullDisks.delete(id)
    }
    for (const id of gone ?? []) {
      for (const known of [this.#ids, this.#offline, this.#fullDisks, this.#rows]) known.delete(id)
      this.#changed.add(id)
    }
    // What the others had stays on screen until they are sent again.
    if (reset) for (const id of this.#rows.keys()) if (!this.#ids.has(id)) this.#rows.delete(id)
    for (const row of shown ?? []) {
      this.#rows.set(row.id, { ...this.#rows.get(row.id), ...row })
      this.#changed.add(row.id)
    }
  }

  #note(id: number): void {
    this.#ids.add(id)
    this.#everSeen.add(id)
    this.#changed.add(id)
  }

  #tick(): Tick {
    const changed = [...this.#changed].filter((id) => this.#onScreen.has(id))
    this.#changed.clear()
    const tick: Tick = {
      entries: this.#entries(changed),
      serverCount: this.#everSeen.size,
      watching: this.#watching,
      now: this.#now,
    }
    if (this.#isOfflineChanged) tick.offline = new Map(this.#offline)
    if (this.#areDisksChanged) tick.fullDisks = new Map(this.#fullDisks)
    this.#isOfflineChanged = this.#areDisksChanged = false
    return tick
  }

  /** A server that has just come on screen has what lists were sorted by last: an older figure would belie its place. */
  #entries(ids: readonly number[]): LiveEntry[] {
    if (!this.#isOpen) return []
    return ids.map((id): LiveEntry => {
      if (!this.#ids.has(id)) return { id, online: false }
      const online = !this.#offline.has(id)
      const row = this.#rows.get(id)
      if (row) return { id, online, seenAt: row.seen || undefined, host: row.host, ...row.report }
      const seenAt = online ? this.#now : this.#offline.get(id)
      return { id, online, seenAt, state: this.#sorted?.get(id)?.state, isPartial: true }
    })
  }

  /** Says what is on screen, now or when the last request was some time ago. */
  #requestShown(): void {
    if (this.#showTimer !== undefined) this.#isShowDue = true
    else this.#requestNow()
  }

  #requestNow(): void {
    clearTimeout(this.#showTimer)
    this.#isShowDue = false
    this.#showTimer = setTimeout(() => {
      this.#showTimer = undefined
      if (this.#isShowDue) this.#requestNow()
    }, showEveryMs)
    const show = this.#isPaused ? [] : [...this.#onScreen].slice(0, maxShownServers)
    // The server sends these as a whole when they are shown again.
    for (const id of this.#rows.keys()) if (!this.#onScreen.has(id)) this.#rows.delete(id)
    this.#send(JSON.stringify({ show }))
  }
}

function parseFrame(text: string): ChangesFrame | ServerValues | undefined {
  let frame: (ChangesFrame | ServerValues) | null
  try {
    frame = JSON.parse(text)
  } catch {
    return undefined
  }
  return typeof frame?.now === 'number' ? frame : undefined
}

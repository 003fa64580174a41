import type { Connection, ConnectionEvents } from '../../../api/sessionConnection.ts'
import { encodeConsumed, encodeInput, encodeResize } from '../../../schemas/frames/terminal.ts'
import { type End, type Ending, endOfCreation, endOfLine } from './ending.ts'
import { OutputQueue } from './outputQueue.ts'
import { pieces } from './paste.ts'

/** The shell is asked for its size this long after the line has opened; the contract says so. */
const firstSizeAfter = 1_500
/** A window that is being dragged says its size when it rests. */
const sizeRestsFor = 100
/** Nothing more is sent while so many bytes wait in the browser. */
const bufferedAtMost = 1024 * 1024
const bufferedPoll = 20
/** Bytes drawn before the server is told so. */
const ackEvery = 64 * 1024

const interrupt = '\x03'
const pasteEnd = '\x1b[201~'

/** Where a session draws. */
export interface SessionScreen {
  write(data: Uint8Array | string, done: () => void): void
  size(): { rows: number; cols: number }
}

/** What a session needs of the world. */
export interface SessionDoors {
  /** Asks the server for a session. */
  create(serverId: number): Promise<{ session_id: string; server_name?: string }>
  /** Bytes that the server sends before it waits for word that they were drawn; `undefined` where it never waits. */
  flowWindow(): Promise<number | undefined>
  /** Opens the line of a session; `acknowledged` where the server waits for word. */
  open(sessionId: string, acknowledged: boolean, events: ConnectionEvents): Connection
  /** Whether the server still takes this person's session. Rejects when the server cannot be reached. */
  probe(): Promise<boolean>
  /** The line on screen for bytes that were left out. */
  mark(skipped: number): string
}

export type SessionState = { phase: 'starting' } | { phase: 'open' } | { phase: 'ended'; end: End }

export interface SessionEvents {
  onState(state: SessionState): void
  /** The line broke in a way that is no ordinary end; the state says what is known of it. */
  onSocketError(): void
  onServerName(name: string): void
}

/** One shell on a server, from the call that asks for it to its end. It is not used again: a new one is made. */
export class TerminalSession {
  readonly #serverId: number
  readonly #screen: SessionScreen
  readonly #doors: SessionDoors
  readonly #events: SessionEvents
  readonly #output: OutputQueue
  #connection: Connection | undefined
  #isOpen = false
  #isOver = false
  #window: number | undefined
  #received = 0
  #consumed = 0
  #openedAt = 0
  #hadError = false
  #isAsking = false
  #outbox: string[] = []
  #timers: { size?: ReturnType<typeof setTimeout>; send?: ReturnType<typeof setTimeout> } = {}
  #mayResize = false

  constructor(serverId: number, screen: SessionScreen, doors: SessionDoors, events: SessionEvents) {
    this.#serverId = serverId
    this.#screen = screen
    this.#doors = doors
    this.#events = events
    this.#output = new OutputQueue({
      write: (data, done) => screen.write(data, done),
      mark: doors.mark,
      onConsumed: (bytes) => this.#acknowledge(bytes),
    })
  }

  /** Asks for a shell and opens the line to it. Failures are states, not exceptions. */
  async start(): Promise<void> {
    this.#events.onState({ phase: 'starting' })
    try {
      const [created, window] = await Promise.all([this.#doors.create(this.#serverId), this.#doors.flowWindow()])
      // Whoever closed the tab meanwhile leaves a session that the server forgets when nobody attaches.
      if (this.#isOver) return
      this.#window = window
      if (created.server_name) this.#events.onServerName(created.server_name)
      this.#connection = this.#doors.open(created.session_id, window !== undefined, {
        onOpen: () => this.#opened(),
        onMessage: (bytes) => this.#receive(bytes),
        onError: () => {
          this.#hadError = true
        },
        onClose: (code) => void this.#closed(code),
      })
    } catch (error) {
      if (!this.#isOver) this.#end(endOfCreation(error))
    }
  }

  /** Sends what was typed or pasted; long texts in pieces, at the pace of the network. */
  type(text: string): void {
    if (this.#isOver) return
    if (text === interrupt) this.#interrupted()
    this.#outbox.push(...pieces(text))
    this.#send()
  }

  /** Sends bytes that are no text: how old mouse modes report. Each character is one byte. */
  typeBytes(binary: string): void {
    if (this.#isOpen) void this.#connection?.send(encodeInput(Uint8Array.from(binary, (sign) => sign.charCodeAt(0))))
  }

  /** The screen has another size: the shell is told when it rests. */
  resized(): void {
    if (!this.#mayResize) return
    clearTimeout(this.#timers.size)
    this.#timers.size = setTimeout(() => this.#tellSize(), sizeRestsFor)
  }

  /** Hangs up. No event comes after it. */
  close(): void {
    this.#isOver = true
    this.#isAsking = false
    this.#hangUp()
  }

  /** The person's own session has ended, here or in another tab: its sockets end with it. */
  signOut(): void {
    if (this.#isOver && !this.#isAsking) return
    this.#isAsking = false
    this.#end({ ending: 'signedOut', hadShell: this.#received > 0 })
  }

  #opened(): void {
    this.#isOpen = true
    this.#openedAt = performance.now()
    // The server waits for word of what was drawn only where somebody has promised to send it.
    if (this.#window !== undefined) void this.#connection?.send(encodeConsumed(0))
    this.#timers.size = setTimeout(() => {
      this.#mayResize = true
      this.#tellSize()
    }, firstSizeAfter)
    this.#events.onState({ phase: 'open' })
    this.#send()
  }

  #receive(bytes: Uint8Array): Promise<void> {
    this.#received += bytes.length
    this.#output.push(bytes)
    return this.#output.room()
  }

  async #closed(code: number): Promise<void> {
    if (this.#isOver) return
    const { wasOpen, ...rest } = { wasOpen: this.#isOpen, received: this.#received, code }
    const known = endOfLine({ wasOpen, ...rest, lasted: performance.now() - this.#openedAt })
    const end = { ending: known ?? 'refused', hadShell: this.#received > 0 } satisfies End
    this.#end(end)
    const ending = end.ending === 'completed' || end.ending === 'refused' ? await this.#askWhy(end) : end.ending
    // Browsers call only some of these an error; a person would call all of them one.
    if (this.#hadError || ending !== 'completed') this.#events.onSocketError()
  }

  /** A line that broke may be the sign of something larger. */
  async #askWhy(end: End): Promise<Ending> {
    this.#isAsking = true
    const ending = await this.#doors.probe().then(
      (isTaken) => (isTaken ? end.ending : 'signedOut'),
      () => 'away' as const,
    )
    // A session that has ended is told by `signOut`, and the probe then waits for the next one.
    if (!this.#isAsking) return 'completed'
    this.#isAsking = false
    if (ending !== end.ending) this.#end({ ...end, ending })
    return ending
  }

  #end(end: End): void {
    this.#isOver = true
    this.#hangUp()
    this.#events.onState({ phase: 'ended', end })
  }

  #hangUp(): void {
    clearTimeout(this.#timers.size)
    clearTimeout(this.#timers.send)
    this.#outbox = []
    this.#isOpen = false
    this.#mayResize = false
    this.#connection?.close()
    this.#connection = undefined
    this.#output.finish()
  }

  #tellSize(): void {
    if (this.#isOpen) void this.#connection?.send(encodeResize(this.#screen.size()))
  }

  /** Ctrl-C means now: what is left of a long paste is not sent, and what waits to be drawn need not be. */
  #interrupted(): void {
    const unsent = this.#outbox.at(-1)
    this.#outbox = unsent?.endsWith(pasteEnd) ? [pasteEnd] : []
    if (this.#window === undefined) this.#output.hurry()
  }

  #send(): void {
    clearTimeout(this.#timers.send)
    const connection = this.#connection
    if (!this.#isOpen || !connection) return
    while (this.#outbox.length > 0) {
      if (connection.buffered > bufferedAtMost) {
        this.#timers.send = setTimeout(() => this.#send(), bufferedPoll)
        return
      }
      void connection.send(this.#outbox.shift() as string)
    }
  }

  #acknowledge(bytes: number): void {
    if (this.#window === undefined) return
    this.#consumed += bytes
    const step = Math.min(ackEvery, this.#window / 4)
    // All that is under way is still drawn after Ctrl-C. What a slow screen has no use for stays untold, up to nearly
    // half of the window: below that half the server sends again.
    const untold = Math.min(Math.max(0, this.#window - this.#output.reach), this.#window / 2 - step)
    if (this.#consumed - untold < step) return
    if (this.#isOpen) void this.#connection?.send(encodeConsumed(this.#consumed - untold))
    this.#consumed = untold
  }
}

import type { Connection, ConnectionEvents } from '../../../api/sessionConnection.ts'
import { reasonOfCode } from '../../../schemas/frames/sessionClose.ts'
import { encodeConsumed, encodeInput, encodeResize } from '../../../schemas/frames/terminal.ts'
import { OutputQueue } from './outputQueue.ts'
import { splitIntoMessages } from './paste.ts'
import { endOfFailedStart, reasonOfClose, type SessionEnd, type SessionEndReason } from './sessionEnd.ts'

/** The first size is sent this long after the connection opened (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
const firstSizeDelayMs = 1_500
/** While a window is being resized, only its last size is sent. */
const sizeDebounceMs = 100
/** Nothing more is sent while more bytes than this wait in the browser. */
const maxBuffered = 1024 * 1024
const bufferCheckMs = 20
/** Bytes drawn before the server is told so. */
const ackEvery = 64 * 1024

const interrupt = '\x03'
const pasteEnd = '\x1b[201~'

/** The terminal emulator that a session writes to. */
export interface SessionScreen {
  write(data: Uint8Array | string, done: () => void): void
  size(): { rows: number; cols: number }
}

/** What a session needs from the console: its calls, sockets and texts. */
export interface SessionServices {
  /** Asks the server for a session. */
  create(serverId: number): Promise<{ session_id: string; server_name?: string }>
  /** Bytes that the server sends before it waits for an acknowledgement; `undefined` where it never waits. */
  flowWindow(): Promise<number | undefined>
  /** Connects to a session; `acknowledged` where the server waits for acknowledgements. */
  open(sessionId: string, acknowledged: boolean, events: ConnectionEvents): Connection
  /** Whether the server still takes this person's session. Rejects when the server cannot be reached. */
  probe(): Promise<boolean>
  /** The line shown in place of bytes that were left out. */
  skippedNotice(skipped: number): string
}

export type SessionState = { phase: 'starting' } | { phase: 'open' } | { phase: 'ended'; end: SessionEnd }

export interface SessionEvents {
  onState(state: SessionState): void
  /** The connection failed; the state has the reason. */
  onSocketError(): void
  onServerName(name: string): void
}

/** One shell on a server, from the call that creates it to its end. It cannot be started again. */
export class TerminalSession {
  readonly #serverId: number
  readonly #screen: SessionScreen
  readonly #services: SessionServices
  readonly #events: SessionEvents
  readonly #output: OutputQueue
  #connection: Connection | undefined
  #isOpen = false
  #isOver = false
  #flowWindow: number | undefined
  #received = 0
  #consumed = 0
  #openedAt = 0
  #hadError = false
  #isProbing = false
  #outbox: string[] = []
  #timers: { size?: ReturnType<typeof setTimeout>; send?: ReturnType<typeof setTimeout> } = {}
  #mayResize = false

  constructor(serverId: number, screen: SessionScreen, services: SessionServices, events: SessionEvents) {
    this.#serverId = serverId
    this.#screen = screen
    this.#services = services
    this.#events = events
    this.#output = new OutputQueue({
      write: (data, done) => screen.write(data, done),
      skippedNotice: services.skippedNotice,
      onConsumed: (bytes) => this.#acknowledge(bytes),
    })
  }

  /** Creates the session and connects to it. Failures become states, not exceptions. */
  async start(): Promise<void> {
    this.#events.onState({ phase: 'starting' })
    try {
      const [created, window] = await Promise.all([this.#services.create(this.#serverId), this.#services.flowWindow()])
      // If the tab was closed meanwhile, the server drops the session, because nobody connects to it.
      if (this.#isOver) return
      this.#flowWindow = window
      if (created.server_name) this.#events.onServerName(created.server_name)
      this.#connection = this.#services.open(created.session_id, window !== undefined, {
        onOpen: () => this.#opened(),
        onMessage: (bytes) => this.#receive(bytes),
        onError: () => {
          this.#hadError = true
        },
        onClose: (code) => void this.#closed(code),
      })
    } catch (error) {
      if (!this.#isOver) this.#end(endOfFailedStart(error))
    }
  }

  /** Sends what was typed or pasted; long texts in several messages, at the speed of the network. */
  type(text: string): void {
    if (this.#isOver) return
    if (text === interrupt) this.#onInterrupt()
    this.#outbox.push(...splitIntoMessages(text))
    this.#send()
  }

  /** Sends bytes that are not text, as old mouse modes do. Each character is one byte. */
  typeBytes(binary: string): void {
    if (this.#isOpen)
      void this.#connection?.send(encodeInput(Uint8Array.from(binary, (character) => character.charCodeAt(0))))
  }

  /** The size of the screen has changed. It is sent when it stays the same for a moment. */
  resized(): void {
    if (!this.#mayResize) return
    clearTimeout(this.#timers.size)
    this.#timers.size = setTimeout(() => this.#sendSize(), sizeDebounceMs)
  }

  /** Ends the session. No event follows. */
  close(): void {
    this.#isOver = true
    this.#isProbing = false
    this.#disconnect()
  }

  /** The user has signed out, here or in another tab: sockets end with the user's session. */
  signOut(): void {
    if (this.#isOver && !this.#isProbing) return
    this.#isProbing = false
    this.#end({ reason: 'signedOut', hadShell: this.#received > 0 })
  }

  #opened(): void {
    this.#isOpen = true
    this.#openedAt = performance.now()
    // The server waits for acknowledgements only after a first one was sent.
    if (this.#flowWindow !== undefined) void this.#connection?.send(encodeConsumed(0))
    this.#timers.size = setTimeout(() => {
      this.#mayResize = true
      this.#sendSize()
    }, firstSizeDelayMs)
    this.#events.onState({ phase: 'open' })
    this.#send()
  }

  #receive(bytes: Uint8Array): Promise<void> {
    this.#received += bytes.length
    this.#output.push(bytes)
    return this.#output.waitForRoom()
  }

  async #closed(code: number): Promise<void> {
    if (this.#isOver) return
    const { wasOpen, ...rest } = { wasOpen: this.#isOpen, received: this.#received, code }
    const closeReason = reasonOfClose({ wasOpen, ...rest, lasted: performance.now() - this.#openedAt })
    const end = { reason: closeReason ?? 'refused', hadShell: this.#received > 0 } satisfies SessionEnd
    this.#end(end)
    // The machine is the cause and not the connection.
    if (reasonOfCode(code)) return
    const reason = end.reason === 'completed' || end.reason === 'refused' ? await this.#findCause(end) : end.reason
    // Browsers report an error for some of these only.
    if (this.#hadError || reason !== 'completed') this.#events.onSocketError()
  }

  /** Asks the server whether the session or the server itself is the cause. */
  async #findCause(end: SessionEnd): Promise<SessionEndReason> {
    this.#isProbing = true
    const reason = await this.#services.probe().then(
      (isTaken) => (isTaken ? end.reason : 'signedOut'),
      () => 'away' as const,
    )
    // `signOut` has reported the end meanwhile; the probe then waits for the next sign-in.
    if (!this.#isProbing) return 'completed'
    this.#isProbing = false
    if (reason !== end.reason) this.#end({ ...end, reason })
    return reason
  }

  #end(end: SessionEnd): void {
    this.#isOver = true
    this.#disconnect()
    this.#events.onState({ phase: 'ended', end })
  }

  #disconnect(): void {
    clearTimeout(this.#timers.size)
    clearTimeout(this.#timers.send)
    this.#outbox = []
    this.#isOpen = false
    this.#mayResize = false
    this.#connection?.close()
    this.#connection = undefined
    this.#output.finish()
  }

  #sendSize(): void {
    if (this.#isOpen) void this.#connection?.send(encodeResize(this.#screen.size()))
  }

  /** Ctrl-C: the rest of a long paste is not sent, and waiting output is dropped. */
  #onInterrupt(): void {
    const unsent = this.#outbox.at(-1)
    this.#outbox = unsent?.endsWith(pasteEnd) ? [pasteEnd] : []
    if (this.#flowWindow === undefined) this.#output.dropBacklog()
  }

  #send(): void {
    clearTimeout(this.#timers.send)
    const connection = this.#connection
    if (!this.#isOpen || !connection) return
    while (this.#outbox.length > 0) {
      if (connection.buffered > maxBuffered) {
        this.#timers.send = setTimeout(() => this.#send(), bufferCheckMs)
        return
      }
      void connection.send(this.#outbox.shift() as string)
    }
  }

  #acknowledge(bytes: number): void {
    if (this.#flowWindow === undefined) return
    this.#consumed += bytes
    const step = Math.min(ackEvery, this.#flowWindow / 4)
    // Everything in flight is still drawn after Ctrl-C. For a slow screen, acknowledgements are therefore held back, up
    // to nearly half of the window: below that half the server sends again.
    const unreported = Math.min(Math.max(0, this.#flowWindow - this.#output.bytesInFlight), this.#flowWindow / 2 - step)
    if (this.#consumed - unreported < step) return
    if (this.#isOpen) void this.#connection?.send(encodeConsumed(this.#consumed - unreported))
    this.#consumed = unreported
  }
}

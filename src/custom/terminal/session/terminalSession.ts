import { reasonOfCode } from '../../../schemas/frames/sessionClose.ts'
import { encodeInput, encodeResize } from '../../../schemas/frames/terminal.ts'
import type { SessionScreen } from '../screen/screen.ts'
import type { ReceivedOutput, TerminalSocket, TerminalSocketEvents } from '../socket/terminalSocket.ts'
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

/** Skipped output is reported when nothing more was skipped for this long: once for a whole flood. */
const skipReportMs = 1_000

const interrupt = '\x03'
const pasteEnd = '\x1b[201~'

/** What a session needs from the console: its calls, sockets and texts. */
export interface SessionServices {
  /** Asks the server for a session. */
  create(serverId: number): Promise<{ session_id: string; server_name?: string }>
  /** Bytes that the server sends before it waits for an acknowledgement; `undefined` where it never waits. */
  flowWindow(): Promise<number | undefined>
  /** Connects to a session. @param flowWindow the result of `flowWindow` */
  open(sessionId: string, flowWindow: number | undefined, events: TerminalSocketEvents): TerminalSocket
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
  /** Number of bytes of output that were left out. The line on screen that says so may have scrolled away. */
  onSkipped(bytes: number): void
}

/** One shell on a server, from the call that creates it to its end. It cannot be started again. */
export class TerminalSession {
  readonly #serverId: number
  readonly #screen: SessionScreen
  readonly #services: SessionServices
  readonly #events: SessionEvents
  readonly #output: OutputQueue
  #socket: TerminalSocket | undefined
  #isOpen = false
  #isOver = false
  #received = 0
  #skipped = 0
  #openedAt = 0
  #hadError = false
  #isProbing = false
  #outbox: string[] = []
  #timers: Partial<Record<'size' | 'send' | 'skip', ReturnType<typeof setTimeout>>> = {}
  #mayResize = false

  constructor(serverId: number, screen: SessionScreen, services: SessionServices, events: SessionEvents) {
    this.#serverId = serverId
    this.#screen = screen
    this.#services = services
    this.#events = events
    this.#output = new OutputQueue({
      write: (data, done) => screen.write(data, done),
      skippedNotice: services.skippedNotice,
    })
  }

  /** Creates the session and connects to it. Failures become states, not exceptions. */
  async start(): Promise<void> {
    this.#events.onState({ phase: 'starting' })
    try {
      const [created, window] = await Promise.all([this.#services.create(this.#serverId), this.#services.flowWindow()])
      // If the tab was closed meanwhile, the server drops the session, because nobody connects to it.
      if (this.#isOver) return
      if (created.server_name) this.#events.onServerName(created.server_name)
      this.#socket = this.#services.open(created.session_id, window, {
        onOpen: () => this.#opened(),
        onOutput: (piece) => this.#receive(piece),
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
    if (this.#isOpen) this.#socket?.send(encodeInput(Uint8Array.from(binary, (character) => character.charCodeAt(0))))
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
    this.#timers.size = setTimeout(() => {
      this.#mayResize = true
      this.#sendSize()
    }, firstSizeDelayMs)
    this.#events.onState({ phase: 'open' })
    this.#send()
  }

  #receive(piece: ReceivedOutput): Promise<void> {
    this.#received += piece.bytes.length
    if (!piece.isShown) this.#output.push(piece)
    if (piece.skipped) {
      this.#skipped += piece.skipped.bytes
      clearTimeout(this.#timers.skip)
      this.#timers.skip = setTimeout(() => this.#reportSkipped(), skipReportMs)
    }
    return this.#output.waitForRoom()
  }

  #reportSkipped(): void {
    if (this.#skipped > 0) this.#events.onSkipped(this.#skipped)
    this.#skipped = 0
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
    this.#reportSkipped()
    this.#events.onState({ phase: 'ended', end })
  }

  #disconnect(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer)
    this.#outbox = []
    this.#isOpen = false
    this.#mayResize = false
    this.#socket?.close()
    this.#socket = undefined
    this.#output.finish()
  }

  #sendSize(): void {
    if (this.#isOpen) this.#socket?.send(encodeResize(this.#screen.size()))
  }

  /** Ctrl-C: the rest of a long paste is not sent. */
  #onInterrupt(): void {
    const unsent = this.#outbox.at(-1)
    this.#outbox = unsent?.endsWith(pasteEnd) ? [pasteEnd] : []
  }

  #send(): void {
    clearTimeout(this.#timers.send)
    const socket = this.#socket
    if (!this.#isOpen || !socket) return
    while (this.#outbox.length > 0) {
      if (socket.buffered > maxBuffered) {
        this.#timers.send = setTimeout(() => this.#send(), bufferCheckMs)
        return
      }
      socket.send(this.#outbox.shift() as string)
    }
  }
}

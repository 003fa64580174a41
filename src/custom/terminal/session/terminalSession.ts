import { reasonOfCode } from '../../../schemas/frames/sessionClose.ts'
import { encodeInput, encodeResize, type PastOutputWord, type TerminalState } from '../../../schemas/frames/terminal.ts'
import type { SessionScreen } from '../screen/screen.ts'
import type { ReceivedOutput, TerminalSocket, TerminalSocketEvents } from '../socket/terminalSocket.ts'
import { OutputQueue, Replay } from './outputQueue.ts'
import { endOfFailedStart, mayBeHeld, reasonOfClose, type SessionEnd, type SessionEndReason } from './sessionEnd.ts'
import { onWake, RetryPace, type SocketOptions, type TerminalFeatures } from './sessionSocket.ts'
import { splitIntoMessages } from './terminalText.ts'

/** The first size is sent this long after the connection opened (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
const firstSizeDelayMs = 1_500
/** While a window is being resized, only its last size is sent. */
const sizeDebounceMs = 100
/** Nothing more is sent while more bytes than this wait in the browser. */
const maxBuffered = 1024 * 1024
const bufferCheckMs = 20

/** A connection that was lost sooner is tried again less and less often. */
const steadyMs = 10_000

/** Skipped output is reported when nothing more was skipped for this long: once for a whole flood. */
const skipReportMs = 1_000

const interrupt = '\x03'
const pasteEnd = '\x1b[201~'

/** What a session needs from the console: its calls, sockets and texts. */
export interface SessionServices {
  /** Asks the server for a session. */
  create(serverId: number): Promise<{ session_id: string; server_name?: string }>
  features(): Promise<TerminalFeatures>
  /** Connects to a session. */
  open(sessionId: string, options: SocketOptions, events: TerminalSocketEvents): TerminalSocket
  /** Whether the server still takes this person's session. Rejects when the server cannot be reached. */
  probe(): Promise<boolean>
  /** The line shown in place of bytes that were left out. */
  skippedNotice(skipped: number): string
}

/** A shell to which a session can come back. */
export interface HeldShell extends Pick<SocketOptions, 'offset'> {
  sessionId: string
  /** What the server can do; asked for when it is absent. */
  features?: TerminalFeatures
}

export type SessionState =
  | { phase: 'starting' }
  | { phase: 'open' }
  /** The connection was lost and the server holds the shell: it is tried again. */
  | { phase: 'lost' }
  | { phase: 'ended'; end: SessionEnd }

export interface SessionEvents {
  onState(state: SessionState): void
  /** The connection failed; the state has the reason. */
  onSocketError(): void
  onServerName(name: string): void
  /**
   * It has come back to its shell, or that has ended while the page was loaded again, and a new one takes its place.
   */
  onReturned(shell: 'same' | 'new'): void
  /** Who is in the terminal, and what else is known of it. Only from servers that tell. */
  onTerminal(state: TerminalState): void
  /** Something was printed. */
  onOutput(): void
  /** Number of bytes of output that were left out. The line on screen that says so may have scrolled away. */
  onSkipped(bytes: number): void
}

/**
 * One shell on a server, from the call that creates it to its end. It cannot be started again. Where the server holds
 * shells, it comes back to its own after the connection was lost.
 */
export class TerminalSession {
  readonly #serverId: number
  readonly #screen: SessionScreen
  readonly #services: SessionServices
  readonly #events: SessionEvents
  readonly #output: OutputQueue
  readonly #replay = new Replay()
  readonly #retry = new RetryPace()
  /** The shell to come back to at the start. */
  #held: HeldShell | undefined
  #features: TerminalFeatures = {}
  #sessionId = ''
  #offset: number
  #wasOpen = false
  #endReason: SessionEndReason | undefined
  #socket: TerminalSocket | undefined
  #isOpen = false
  #isOver = false
  #received = 0
  #skipped = 0
  #openedAt = 0
  #hadError = false
  /** The last attempt to connect again failed, although the server answered everything else. */
  #wasRefused = false
  #isProbing = false
  #outbox: string[] = []
  #timers: Partial<Record<'size' | 'send' | 'skip' | 'retry', ReturnType<typeof setTimeout>>> = {}
  #mayResize = false
  #wake: ReturnType<typeof onWake> | undefined

  /** @param held the shell to come back to; where it has ended, a new one takes its place */
  constructor(
    serverId: number,
    screen: SessionScreen,
    services: SessionServices,
    events: SessionEvents,
    held?: HeldShell,
  ) {
    this.#serverId = serverId
    this.#held = held
    this.#offset = held?.offset ?? 0
    this.#screen = screen
    this.#services = services
    this.#events = events
    this.#output = new OutputQueue({
      write: (data, done) =>
        screen.write(data, () => {
          this.#replay.drawn(data.length)
          done()
        }),
      skippedNotice: services.skippedNotice,
    })
  }

  /** The shell, as long as it may be there: where the server holds it, and it has not ended as far as is known. */
  get held(): HeldShell | undefined {
    const mayBeThere = !this.#isOver || this.#endReason === 'taken' || this.#endReason === 'away'
    if (!mayBeThere) return undefined
    if (!this.#features.holdMinutes) return this.#held
    return { sessionId: this.#sessionId, offset: this.#offset, features: this.#features }
  }

  /** The server's id of the session; empty until it has given one. */
  get id(): string {
    return this.#sessionId
  }

  /** Whether its screen draws output again that it has drawn before. */
  get isReplaying(): boolean {
    return this.#replay.isRunning
  }

  /** Creates the session, or comes back to it, and connects. Failures become states, not exceptions. */
  async start(): Promise<void> {
    this.#events.onState({ phase: 'starting' })
    const held = this.#held
    try {
      const [created, features] = await Promise.all([
        held ? { session_id: held.sessionId, server_name: undefined } : this.#services.create(this.#serverId),
        held?.features ?? this.#services.features(),
      ])
      // If the tab was closed meanwhile, the server drops the session, because nobody connects to it.
      if (this.#isOver) return
      if (held && !features.holdMinutes) return this.#startAnew()
      if (created.server_name) this.#events.onServerName(created.server_name)
      this.#sessionId = created.session_id
      this.#features = features
      this.#retry.begin(features.holdMinutes)
      this.#connect()
    } catch (error) {
      if (!this.#isOver) this.#end(endOfFailedStart(error))
    }
  }

  #connect(): void {
    this.#socket = this.#services.open(
      this.#sessionId,
      { ...this.#features, offset: this.#offset },
      {
        onOpen: () => this.#opened(),
        onPast: (word) => this.#returned(word),
        onTerminal: (state) => this.#events.onTerminal(state),
        onOutput: (piece) => this.#receive(piece),
        onError: () => {
          this.#hadError = true
        },
        onClose: (code) => void this.#closed(code),
      },
    )
  }

  /** Sends what was typed or pasted; long texts in several messages, at the speed of the network. */
  type(text: string): void {
    if (this.#isOver || this.#replay.isAnswer(text)) return
    // Somebody types before the clock is looked at: a line that is gone would swallow it.
    this.#wake?.look()
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
    this.#wasOpen = true
    this.#hadError = false
    this.#wasRefused = false
    this.#openedAt = performance.now()
    if (this.#features.holdMinutes) this.#wake = onWake(() => void this.#comeBack())
    this.#timers.size = setTimeout(() => {
      this.#mayResize = true
      this.#sendSize()
    }, firstSizeDelayMs)
    this.#events.onState({ phase: 'open' })
    this.#send()
  }

  /** The same shell as before. What the server has dropped is named, as is what this browser leaves out. */
  #returned({ from, to, modes }: PastOutputWord): void {
    const bytes = from - this.#offset
    if (bytes > 0) this.#output.push({ bytes: new Uint8Array(0), skipped: { bytes, modes } })
    this.#offset = from
    this.#replay.begin(from, to)
    this.#mayResize = true
    this.#sendSize()
    this.#events.onReturned('same')
  }

  #receive(piece: ReceivedOutput): Promise<void> {
    const bytes = piece.bytes.length + (piece.skipped?.bytes ?? 0)
    this.#received += piece.bytes.length
    this.#events.onOutput()
    this.#offset += bytes
    if (!piece.isShown) this.#output.push(piece)
    this.#replay.received(bytes, this.#output.pending)
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
    if (this.#features.holdMinutes && (this.#wasOpen || this.#held) && mayBeHeld(code)) return this.#comeBack()
    const { wasOpen, ...rest } = { wasOpen: this.#isOpen, received: this.#received, code }
    const closeReason = reasonOfClose({ wasOpen, ...rest, lasted: performance.now() - this.#openedAt })
    const end = { reason: closeReason ?? 'refused', hadShell: this.#received > 0 } satisfies SessionEnd
    this.#end(end)
    // The machine is the cause, or another window, and not the connection.
    if (reasonOfCode(code) || end.reason === 'taken') return
    const reason = end.reason === 'completed' || end.reason === 'refused' ? await this.#findCause(end) : end.reason
    // Browsers report an error for some of these only.
    if (this.#hadError || reason !== 'completed') this.#events.onSocketError()
  }

  /** The connection was lost, or could not be made again: tries it once more, as long as the shell may be there. */
  async #comeBack(): Promise<void> {
    const wasOpen = this.#isOpen
    this.#pause()
    // It may be open, as after a sleep: closing it would end the shell.
    this.#socket?.drop()
    this.#socket = undefined
    if (wasOpen && performance.now() - this.#openedAt > steadyMs) this.#retry.begin(this.#features.holdMinutes)
    this.#events.onState({ phase: 'lost' })
    const answer = wasOpen ? 'unknown' : await this.#askServer()
    if (this.#isOver) return
    const hadShell = this.#received > 0
    const isRefused = answer === 'refused'
    // A network that comes back may lose one connection and carry the next: then the shell is there.
    const isGone = isRefused && (this.#wasRefused || this.#retry.isOver())
    this.#wasRefused = isRefused
    if (answer === 'signedOut') this.#end({ reason: 'signedOut', hadShell })
    else if (isRefused && !this.#wasOpen) this.#startAnew()
    else if (isGone) this.#end({ reason: 'gone', hadShell })
    else if (this.#retry.isOver()) this.#end({ reason: 'away', hadShell })
    else this.#timers.retry = setTimeout(() => this.#connect(), this.#retry.nextDelay())
  }

  /** The page was loaded again, and its shell has ended meanwhile. */
  #startAnew(): void {
    this.#held = undefined
    this.#offset = 0
    this.#events.onReturned('new')
    void this.start()
  }

  /** What a connection that was not made means. */
  #askServer(): Promise<'refused' | 'signedOut' | 'away'> {
    return this.#services.probe().then(
      (isTaken) => (isTaken ? 'refused' : 'signedOut'),
      () => 'away',
    )
  }

  /** Asks the server whether the session or the server itself is the cause. */
  async #findCause(end: SessionEnd): Promise<SessionEndReason> {
    this.#isProbing = true
    const answer = await this.#askServer()
    const reason = answer === 'refused' ? end.reason : answer
    // `signOut` has reported the end meanwhile; the probe then waits for the next sign-in.
    if (!this.#isProbing) return 'completed'
    this.#isProbing = false
    if (reason !== end.reason) this.#end({ ...end, reason })
    return reason
  }

  #end(end: SessionEnd): void {
    this.#isOver = true
    this.#endReason = end.reason
    this.#disconnect()
    this.#reportSkipped()
    this.#events.onState({ phase: 'ended', end })
  }

  #disconnect(): void {
    this.#pause()
    this.#socket?.close()
    this.#socket = undefined
    this.#outbox = []
  }

  #pause(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer)
    this.#wake?.stop()
    this.#wake = undefined
    this.#isOpen = false
    this.#mayResize = false
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

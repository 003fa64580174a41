import { type Connection, openPlainSocket } from '../../../api/sessionConnection.ts'
import {
  decodePast,
  decodeTerminalState,
  encodeConsumed,
  type PastOutputWord,
  type TerminalState,
} from '../../../schemas/frames/terminal.ts'
import { OutputBacklog, type OutputPiece } from './outputBacklog.ts'

/** Bytes of output that go to the page at once: all that waits there is still drawn after Ctrl-C. */
const pieceBytes = 64 * 1024
/**
 * While output is left out, what the page draws scrolls out of reach anyway: it gets a little a few times a second, so
 * that the shell and the network have the processor for themselves, and the page has time for its frames. This goes on
 * until so long after the last skip, or until nothing has come for `quietMs`: on a busy machine a flood comes in bursts.
 */
const flood = { pieceBytes: 4 * 1024, everyMs: 200, quietMs: 100 }
/**
 * After Ctrl-C in a flood, a person waits for the prompt at its end: so many lines are kept in place of a whole history,
 * and they are drawn sooner.
 */
const interrupted = { key: '\x03', lines: 1000, quietMs: 20 }
/**
 * What a terminal prints for Ctrl-C, behind all that the program has printed before it: nothing has to be waited for then.
 * Programs that read keys themselves print something else, or nothing.
 */
const echo = { first: 0x5e, second: 0x43 }
/** Received bytes after which an acknowledgement is sent. */
const acknowledgeEvery = 64 * 1024
/** The page sends more when fewer bytes than this wait in the socket. */
const sendBelow = 256 * 1024
const bufferCheckMs = 20

/**
 * The worker's side of a terminal session: reads the socket as fast as data comes, whatever the page is doing, and gives
 * the page what its screen has room for.
 */
export function handleSocketRequests(post: (message: SocketMessage) => void, open = openPlainSocket) {
  let connection: Connection | undefined
  let backlog: OutputBacklog | undefined
  /** Output that does not follow what waits in `backlog`: the server has dropped what is between them. */
  let later: { word: PastOutputWord; backlog: OutputBacklog } | undefined
  let historyLines = 0
  let isInterrupted = false
  let hasRoom = true
  let closeCode: number | undefined
  let unacknowledged = 0
  let skippedAt = Number.NEGATIVE_INFINITY
  let passedAt = Number.NEGATIVE_INFINITY
  let receivedAt = Number.NEGATIVE_INFINITY
  let pause: ReturnType<typeof setTimeout> | undefined

  const floodEnd = () => Math.min(skippedAt + flood.everyMs, receivedAt + (isInterrupted ? interrupted : flood).quietMs)

  function setInterrupted(isNow: boolean): void {
    isInterrupted = isNow
    backlog?.keep(isNow ? Math.min(interrupted.lines, historyLines) : historyLines)
  }

  function passOn(): void {
    if (!hasRoom || pause !== undefined) return
    const now = performance.now()
    const isFlooding = closeCode === undefined && now < floodEnd()
    const pauseMs = Math.min(passedAt + flood.everyMs, floodEnd()) - now
    if (isFlooding && pauseMs > 0) {
      pause = setTimeout(endPause, pauseMs)
      return
    }
    if (isInterrupted && !isFlooding) {
      setInterrupted(false)
      // What comes now is the prompt.
      skippedAt = Number.NEGATIVE_INFINITY
    }
    if (later && backlog?.isEmpty !== false) {
      post({ type: 'past', word: later.word })
      backlog = later.backlog
      later = undefined
    }
    const piece = backlog?.take(isFlooding ? flood.pieceBytes : pieceBytes)
    if (piece) {
      hasRoom = false
      passedAt = now
      post({ type: 'output', piece })
    } else if (closeCode !== undefined) {
      post({ type: 'closed', code: closeCode })
      closeCode = undefined
    }
  }

  function endPause(): void {
    clearTimeout(pause)
    pause = undefined
    passOn()
  }

  function acknowledge(bytes: number, flowWindow: number): void {
    unacknowledged += bytes
    if (unacknowledged < Math.min(acknowledgeEvery, flowWindow / 4)) return
    void connection?.send(encodeConsumed(unacknowledged))
    unacknowledged = 0
  }

  function start({ url, flowWindow, lines }: Extract<SocketRequest, { type: 'open' }>): void {
    historyLines = lines
    backlog = new OutputBacklog({ lines })
    connection = open(url, {
      onOpen() {
        // The server waits for acknowledgements only after a first one was sent.
        if (flowWindow !== undefined) void connection?.send(encodeConsumed(0))
        post({ type: 'opened' })
      },
      onText(text) {
        const word = decodePast(text)
        const state = decodeTerminalState(text)
        if (state) post({ type: 'state', state })
        if (!word) return
        // What has waited since an earlier gap is part of this one.
        later = { word, backlog: new OutputBacklog({ lines }) }
        passOn()
      },
      onMessage(bytes) {
        receivedAt = performance.now()
        if ((later?.backlog ?? backlog)?.push(bytes)) skippedAt = receivedAt
        if (flowWindow !== undefined) acknowledge(bytes.length, flowWindow)
        if (isInterrupted && hasEcho(bytes)) {
          skippedAt = Number.NEGATIVE_INFINITY
          endPause()
        } else passOn()
      },
      onError: () => post({ type: 'error' }),
      onClose(code) {
        closeCode = code
        endPause()
      },
    })
  }

  async function send(message: string | Uint8Array<ArrayBuffer>): Promise<void> {
    if (!connection) return
    if (message === interrupted.key && performance.now() < floodEnd()) {
      setInterrupted(true)
      endPause()
    }
    await connection.send(message)
    while (connection.buffered > sendBelow) await new Promise((resolve) => setTimeout(resolve, bufferCheckMs))
    post({ type: 'sent', bytes: message.length })
  }

  return {
    receive(request: SocketRequest): void {
      if (request.type === 'open') start(request)
      else if (request.type === 'send') void send(request.message)
      else if (request.type === 'close') connection?.close()
      else {
        hasRoom = true
        passOn()
      }
    },
  }
}

function hasEcho(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(echo.first); at >= 0; at = bytes.indexOf(echo.first, at + 1)) {
    if (bytes[at + 1] === echo.second) return true
  }
  return false
}

/** Messages from the page to the worker that owns the socket of a session. */
export type SocketRequest =
  | {
      type: 'open'
      url: string
      /** Bytes that the server sends before it waits for an acknowledgement; absent where it never waits. */
      flowWindow?: number
      /** Lines that the screen can show, scrolled back as far as possible. */
      lines: number
    }
  | { type: 'send'; message: string | Uint8Array<ArrayBuffer> }
  /** There is room for one more piece of output. */
  | { type: 'more' }
  /** Closes the socket; no further message follows. */
  | { type: 'close' }

/** Messages from the worker to the page. Output and the end come in order. */
export type SocketMessage =
  | { type: 'opened' }
  /** The output that follows was there before the socket opened. */
  | { type: 'past'; word: PastOutputWord }
  /** Who is in the terminal, and what else is known of it. */
  | { type: 'state'; state: TerminalState }
  | { type: 'output'; piece: OutputPiece }
  /** Number of bytes that have left the socket, or are about to. */
  | { type: 'sent'; bytes: number }
  | { type: 'error' }
  | { type: 'closed'; code: number }

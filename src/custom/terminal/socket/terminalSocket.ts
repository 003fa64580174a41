import type { PastOutputWord, TerminalState } from '../../../schemas/frames/terminal.ts'
import type { SocketMessage, SocketRequest } from './handleSocketRequests.ts'
import type { OutputPiece } from './outputBacklog.ts'

/** The socket of a terminal session, from its opening to its end. */
export interface TerminalSocket {
  /** Sends one message, unless it is closed. */
  send(message: string | Uint8Array<ArrayBuffer>): void
  /** Bytes that were sent and have not left the browser yet. */
  readonly buffered: number
  /** Closes it; no event follows. A server that holds shells ends this one. */
  close(): void
  /** Leaves it, which is a lost connection to the server: where it holds shells, this one goes on. No event follows. */
  drop(): void
}

/** Output for the screen. */
export interface ReceivedOutput extends OutputPiece {
  /** Whether the screen has it already. */
  isShown?: boolean
}

export interface TerminalSocketEvents {
  onOpen(): void
  /** It leads to a shell that was there before: what it has printed follows. Comes before all output. */
  onPast?(word: PastOutputWord): void
  /** Who is in the terminal, and what else is known of it, has changed. */
  onTerminal?(state: TerminalState): void
  /** Output for the screen. The next comes when the promise is fulfilled. */
  onOutput(piece: ReceivedOutput): void | Promise<void>
  /** It was never open, or the browser met an error; `onClose` follows. */
  onError?(): void
  /** Comes once, after all output, and never after `close`. For most failures browsers report 1006 only. */
  onClose(code: number): void
}

const abnormalClosure = 1006
/** Milliseconds for the closing handshake: ending the worker at once would break the connection, which some log. */
const goodbyeMs = 1000

const startWorker = () => new Worker(new URL('./terminal.worker.ts', import.meta.url), { type: 'module' })
let prepared: Worker | undefined

/** Starts the worker of the next socket, while the server is still asked for its session. */
export function prepareTerminalSocket(): void {
  const worker = startWorker()
  prepared = worker
  // The next socket starts another, and reports its failure.
  worker.onerror = () => {
    prepared = undefined
  }
}

/** Opens the socket in a worker: output is read as fast as it comes, while the page draws. */
export function openTerminalSocket(
  options: Omit<Extract<SocketRequest, { type: 'open' }>, 'type'>,
  events: TerminalSocketEvents,
): TerminalSocket {
  const worker = prepared ?? startWorker()
  prepared = undefined
  let buffered = 0
  let isClosed = false
  const post = (request: SocketRequest) => worker.postMessage(request)

  function close(): void {
    isClosed = true
    post({ type: 'close' })
    setTimeout(() => worker.terminate(), goodbyeMs)
  }

  function drop(): void {
    isClosed = true
    worker.terminate()
  }

  function end(code: number): void {
    if (isClosed) return
    close()
    events.onClose(code)
  }

  async function draw(piece: OutputPiece): Promise<void> {
    await events.onOutput(piece)
    if (!isClosed) post({ type: 'more' })
  }

  worker.onmessage = ({ data }: MessageEvent<SocketMessage>) => {
    if (isClosed) return
    if (data.type === 'output') void draw(data.piece)
    else if (data.type === 'opened') events.onOpen()
    else if (data.type === 'past') events.onPast?.(data.word)
    else if (data.type === 'state') events.onTerminal?.(data.state)
    else if (data.type === 'sent') buffered -= data.bytes
    else if (data.type === 'error') events.onError?.()
    else end(data.code)
  }
  worker.onerror = ({ message }) => {
    console.error('The worker for terminals failed.', message)
    events.onError?.()
    end(abnormalClosure)
  }
  post({ type: 'open', ...options })

  return {
    send(message) {
      if (isClosed) return
      buffered += message.length
      post({ type: 'send', message })
    },
    get buffered() {
      return buffered
    },
    close,
    drop,
  }
}

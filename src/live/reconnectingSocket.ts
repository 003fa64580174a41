/** A frame comes every 2 s; after five missing ones the connection counts as lost, even if it was not closed. */
const frameTimeoutMs = 10_000

const minDelayMs = 1_000
const maxDelayMs = 30_000

/**
 * Delay before the next attempt, in ms: doubles from 1 s to 30 s, with jitter so that tabs do not reconnect together.
 */
export function reconnectDelay(failures: number, random: number = Math.random()): number {
  const pause = Math.min(maxDelayMs, minDelayMs * 2 ** failures)
  return Math.max(minDelayMs, pause * (0.5 + random / 2))
}

export interface ReconnectingSocketEvents {
  /** There is a connection: `send` reaches the server. */
  onOpen(): void
  onText(text: string): void
  /** The connection was lost, or failed. */
  onLost(): void
  /** A delay is over. Answer with `connect()`, `wait()` or `stop()`: with an ended session it must not reconnect. */
  onReady(): void
}

/** One WebSocket that reconnects by itself from `start` to `stop`. */
export class ReconnectingSocket {
  readonly #events: ReconnectingSocketEvents
  readonly #Socket: typeof WebSocket
  #url = ''
  #isStarted = false
  #isSuspended = false
  #failures = 0
  #socket: WebSocket | undefined
  #openedAt = 0
  #pause: ReturnType<typeof setTimeout> | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined

  constructor(events: ReconnectingSocketEvents, Socket: typeof WebSocket = WebSocket) {
    this.#events = events
    this.#Socket = Socket
  }

  /** Connects at once. */
  start(url: string): void {
    this.stop()
    this.#url = url
    this.#isStarted = true
    this.#failures = 0
    this.connect()
  }

  /** Closes the socket; only `start` opens it again. */
  stop(): void {
    this.#isStarted = false
    this.#isSuspended = false
    this.#drop()
  }

  /** Answers `onReady`: opens the socket now. */
  connect(): void {
    if (!this.#isStarted || this.#isSuspended || this.#socket) return
    this.#openedAt = performance.now()
    const socket = new this.#Socket(this.#url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#expectFrame()
    socket.onopen = () => this.#events.onOpen()
    const read = (text: string) => {
      if (socket === this.#socket) this.#events.onText(text)
    }
    socket.onmessage = ({ data }) => {
      this.#expectFrame()
      if (typeof data === 'string') read(data)
      else unzip(data).then(read, () => console.error('A compressed frame could not be read.'))
    }
    socket.onclose = () => this.#onLost()
  }

  /** Sends a text; without a connection it is dropped. */
  send(text: string): void {
    if (this.#socket?.readyState === this.#Socket.OPEN) this.#socket.send(text)
  }

  /** Answers `onReady`: not yet, try again after another delay. */
  wait(): void {
    if (!this.#isStarted || this.#isSuspended || this.#socket) return
    clearTimeout(this.#pause)
    this.#pause = setTimeout(this.#events.onReady, reconnectDelay(this.#failures))
    this.#failures += 1
  }

  /** Ends a delay early, because the network is back. */
  retry(): void {
    if (!this.#isStarted || this.#isSuspended || this.#socket) return
    clearTimeout(this.#pause)
    this.#events.onReady()
  }

  /** Closes the socket until `resume`. */
  suspend(): void {
    if (!this.#isStarted) return
    this.#isSuspended = true
    this.#drop()
  }

  resume(): void {
    if (!this.#isSuspended) return
    this.#isSuspended = false
    this.#failures = 0
    this.retry()
  }

  #expectFrame(): void {
    clearTimeout(this.#watchdog)
    this.#watchdog = setTimeout(() => this.#onLost(), frameTimeoutMs)
  }

  #onLost(): void {
    // A server that accepts and closes at once is a failure too: only a lasting connection resets the delays.
    if (performance.now() - this.#openedAt > frameTimeoutMs * 2) this.#failures = 0
    this.#drop()
    this.#events.onLost()
    this.wait()
  }

  #drop(): void {
    clearTimeout(this.#pause)
    clearTimeout(this.#watchdog)
    const socket = this.#socket
    this.#socket = undefined
    if (!socket) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }
}

const unzip = (data: BufferSource): Promise<string> =>
  new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip'))).text()

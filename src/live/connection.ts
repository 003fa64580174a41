/** A frame comes every 2 s; after five missing ones the line is taken for dead, even if nobody closed it. */
const patience = 10_000

const shortestPause = 1_000
const longestPause = 30_000

/**
 * How long to wait before the next attempt, in ms: doubling from 1 s to 30 s, spread so that tabs do not march in step.
 */
export function reconnectPause(failures: number, random: number = Math.random()): number {
  const pause = Math.min(longestPause, shortestPause * 2 ** failures)
  return Math.max(shortestPause, pause * (0.5 + random / 2))
}

export interface ConnectionEvents {
  onText(text: string): void
  /** The line was lost, or could not be had. */
  onLost(): void
  /** A pause is over. Answer with `connect()`, `wait()` or `stop()`: a session that has ended must not knock again. */
  onReady(): void
}

/** One WebSocket that comes back by itself for as long as it is wanted. */
export class Connection {
  readonly #events: ConnectionEvents
  readonly #Socket: typeof WebSocket
  #url = ''
  #wanted = false
  #resting = false
  #failures = 0
  #socket: WebSocket | undefined
  #openedAt = 0
  #pause: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setTimeout> | undefined

  constructor(events: ConnectionEvents, Socket: typeof WebSocket = WebSocket) {
    this.#events = events
    this.#Socket = Socket
  }

  /** Connects at once. */
  start(url: string): void {
    this.stop()
    this.#url = url
    this.#wanted = true
    this.#failures = 0
    this.connect()
  }

  /** Closes the socket; nothing opens it again but `start`. */
  stop(): void {
    this.#wanted = false
    this.#resting = false
    this.#drop()
  }

  /** Answers `onReady`: opens the socket now. */
  connect(): void {
    if (!this.#wanted || this.#resting || this.#socket) return
    this.#openedAt = performance.now()
    const socket = new this.#Socket(this.#url)
    this.#socket = socket
    this.#expectFrame()
    socket.onmessage = ({ data }) => {
      this.#expectFrame()
      this.#events.onText(String(data))
    }
    socket.onclose = () => this.#lost()
  }

  /** Answers `onReady`: not yet, ask again after another pause. */
  wait(): void {
    if (!this.#wanted || this.#resting || this.#socket) return
    clearTimeout(this.#pause)
    this.#pause = setTimeout(this.#events.onReady, reconnectPause(this.#failures))
    this.#failures += 1
  }

  /** Ends a pause early, because the network has come back. */
  retry(): void {
    if (!this.#wanted || this.#resting || this.#socket) return
    clearTimeout(this.#pause)
    this.#events.onReady()
  }

  /** Closes the socket until `wake`: nobody is looking. */
  rest(): void {
    if (!this.#wanted) return
    this.#resting = true
    this.#drop()
  }

  wake(): void {
    if (!this.#resting) return
    this.#resting = false
    this.#failures = 0
    this.retry()
  }

  #expectFrame(): void {
    clearTimeout(this.#watch)
    this.#watch = setTimeout(() => this.#lost(), patience)
  }

  #lost(): void {
    // A server that accepts and hangs up at once is a failure too: only a line that lasted starts the pauses anew.
    if (performance.now() - this.#openedAt > patience * 2) this.#failures = 0
    this.#drop()
    this.#events.onLost()
    this.wait()
  }

  #drop(): void {
    clearTimeout(this.#pause)
    clearTimeout(this.#watch)
    const socket = this.#socket
    this.#socket = undefined
    if (!socket) return
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }
}

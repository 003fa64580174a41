type Bytes = Uint8Array<ArrayBuffer>

/** The WebSocket of a terminal or file session, from its opening to its end. Messages are texts or binary data. */
export interface Connection {
  /** Sends one message, unless it is closed; resolves when there is room for the next one. */
  send(message: string | Bytes): Promise<void>
  /** Bytes that were sent and have not left the browser yet. */
  readonly buffered: number
  /** Closes it; no event follows. */
  close(): void
}

export interface ConnectionEvents {
  onOpen(): void
  /** One message, a text as UTF-8. A failure closes the connection. */
  onMessage(bytes: Bytes): void | Promise<void>
  /** One text message; without it, texts come to `onMessage`. */
  onText?(text: string): void
  /** It was never open, or the browser met an error; `onClose` follows. */
  onError?(): void
  /** Comes once, and never after `close`. For most failures browsers report 1006 only. */
  onClose(code: number): void
}

export interface ConnectionOptions {
  /**
   * Whether a message is passed on only after the one before was handled. A plain WebSocket keeps the others in memory
   * meanwhile; without it they are passed on as they come. A stream always waits.
   */
  isOrdered?: boolean
  /** Called with binary data that has been copied out of its buffer. */
  onSent?: (data: Bytes) => void
}

export type OpenConnection = (url: string, events: ConnectionEvents, options?: ConnectionOptions) => Connection

const normalClosure = 1000
const abnormalClosure = 1006
/** Bytes in a plain WebSocket's own buffer above which sending waits. */
const bufferLimit = 8 * 1024 * 1024
/** How often a full buffer is checked, in ms: a plain WebSocket has no event for it. */
const bufferCheckMs = 10
const encoder = new TextEncoder()

/** By `WebSocketStream` where the browser has it: only that lets a slow reader slow the sender down. */
export const openConnection: OpenConnection = (url, events, options) => {
  const Stream = webSocketStreamClass()
  return Stream ? openStream(url, events, options, Stream) : openPlainSocket(url, events, options)
}

/** By a plain WebSocket, which cannot ask the sender to wait. */
export function openPlainSocket(
  url: string,
  events: ConnectionEvents,
  { isOrdered = false, onSent }: ConnectionOptions = {},
  Socket: typeof WebSocket = WebSocket,
): Connection {
  const socket = new Socket(url)
  socket.binaryType = 'arraybuffer'
  let isClosed = false
  let handled = Promise.resolve()
  const end = (code: number) => {
    if (isClosed) return
    isClosed = true
    socket.close()
    events.onClose(code)
  }
  const handle = (data: string | ArrayBuffer) => {
    if (isClosed) return undefined
    if (typeof data === 'string' && events.onText) return events.onText(data)
    return events.onMessage(typeof data === 'string' ? encoder.encode(data) : new Uint8Array(data))
  }
  socket.onopen = () => {
    if (!isClosed) events.onOpen()
  }
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (isOrdered) handled = handled.then(() => handle(data)).catch(() => end(abnormalClosure))
    else void handle(data)
  }
  socket.onerror = () => {
    if (!isClosed) events.onError?.()
  }
  // What came before the end is handled before the end is reported.
  socket.onclose = ({ code }) => (isOrdered ? void handled.then(() => end(code)) : end(code))
  return {
    send: async (message) => {
      if (isClosed) return
      socket.send(message)
      if (typeof message !== 'string') onSent?.(message)
      while (!isClosed && socket.bufferedAmount > bufferLimit) {
        await new Promise((resolve) => setTimeout(resolve, bufferCheckMs))
      }
    },
    get buffered() {
      return socket.bufferedAmount
    },
    close: () => {
      isClosed = true
      socket.close(normalClosure)
    },
  }
}

/** The part of `WebSocketStream` that is used here; TypeScript does not know it yet. */
interface SocketStream {
  opened: Promise<{
    readable: ReadableStream<string | ArrayBuffer | Bytes>
    writable: WritableStream<string | Bytes>
  }>
  closed: Promise<{ closeCode?: number }>
  close(): void
}

type SocketStreamClass = new (url: string) => SocketStream

const webSocketStreamClass = (): SocketStreamClass | undefined =>
  (globalThis as { WebSocketStream?: SocketStreamClass }).WebSocketStream

/** By `WebSocketStream`: takes no more from the network than `onMessage` has handled. */
export function openStream(
  url: string,
  events: ConnectionEvents,
  { onSent }: ConnectionOptions = {},
  Stream: SocketStreamClass,
): Connection {
  const stream = new Stream(url)
  let writer: WritableStreamDefaultWriter<string | Bytes> | undefined
  let buffered = 0
  let isClosed = false
  const end = (code: number) => {
    if (isClosed) return
    isClosed = true
    stream.close()
    events.onClose(code)
  }
  const read = async () => {
    const { readable, writable } = await stream.opened
    if (isClosed) return
    writer = writable.getWriter()
    events.onOpen()
    const reader = readable.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (isClosed) return
      if (typeof next.value === 'string' && events.onText) events.onText(next.value)
      else await events.onMessage(asBytes(next.value))
    }
    if (isClosed) return
    const { closeCode } = await stream.closed
    end(closeCode ?? abnormalClosure)
  }
  // The reader reports the end; this promise would only repeat it.
  stream.closed.catch(() => {})
  read().catch((cause) => {
    // A connection that was open and broke has only come to its end, as with a plain WebSocket.
    if (!writer && !isClosed) events.onError?.()
    end(closeCodeOf(cause))
  })
  return {
    send: async (message) => {
      if (isClosed || !writer) return
      const size = message.length
      buffered += size
      writer.write(message).then(
        () => {
          buffered -= size
          if (typeof message !== 'string') onSent?.(message)
        },
        (cause) => end(closeCodeOf(cause)),
      )
      await writer.ready.catch(() => {})
    },
    get buffered() {
      return buffered
    },
    close: () => {
      isClosed = true
      stream.close()
    },
  }
}

function asBytes(message: string | ArrayBuffer | Bytes): Bytes {
  if (typeof message === 'string') return encoder.encode(message)
  return message instanceof Uint8Array ? message : new Uint8Array(message)
}

const closeCodeOf = (cause: unknown): number =>
  (cause as { closeCode?: number | null } | undefined)?.closeCode ?? abnormalClosure

/** One open way to a shell. */
export interface Line {
  send(data: string | Uint8Array<ArrayBuffer>): void
  /** Bytes that were sent and have not left the browser yet. */
  readonly buffered: number
  close(): void
}

export interface LineEvents {
  onOpen(): void
  /** A source that can wait sends nothing more until the promise has resolved. */
  onBytes(bytes: Uint8Array): Promise<void>
  /** The browser met an error; `onClose` follows. */
  onError(): void
  /** Comes once. 1006 is all that is known of most ends. */
  onClose(code: number): void
}

const abnormal = 1006
const encoder = new TextEncoder()

/** A line on a plain WebSocket: it cannot be asked to wait, unless the server listens to frames that say so. */
export function openSocket(url: string, events: LineEvents, Socket: typeof WebSocket = WebSocket): Line {
  const socket = new Socket(url)
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => events.onOpen()
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    void events.onBytes(typeof data === 'string' ? encoder.encode(data) : new Uint8Array(data))
  }
  socket.onerror = () => events.onError()
  socket.onclose = ({ code }) => events.onClose(code)
  return {
    send: (data) => socket.send(data),
    get buffered() {
      return socket.bufferedAmount
    },
    close: () => {
      socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null
      socket.close()
    },
  }
}

/** The part of `WebSocketStream` that is used here; TypeScript does not know it yet. */
interface SocketStream {
  opened: Promise<{ readable: ReadableStream<string | ArrayBuffer>; writable: WritableStream<string | Uint8Array> }>
  closed: Promise<{ closeCode?: number }>
  close(): void
}

type SocketStreamClass = new (url: string) => SocketStream

/** The browser's `WebSocketStream`, where it has one. */
export const socketStreamClass = (): SocketStreamClass | undefined =>
  (globalThis as { WebSocketStream?: SocketStreamClass }).WebSocketStream

/** A line that takes no more from the network than was drawn: the shell at its far end is slowed down by it. */
export function openStream(url: string, events: LineEvents, Stream: SocketStreamClass): Line {
  const stream = new Stream(url)
  let writer: WritableStreamDefaultWriter<string | Uint8Array> | undefined
  let buffered = 0
  let isOver = false
  const end = (code: number) => {
    if (isOver) return
    isOver = true
    events.onClose(code)
  }
  const fail = (cause: unknown) => {
    if (isOver) return
    events.onError()
    end(codeOf(cause))
  }
  const read = async () => {
    const { readable, writable } = await stream.opened
    if (isOver) return
    writer = writable.getWriter()
    events.onOpen()
    const reader = readable.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || isOver) break
      await events.onBytes(typeof value === 'string' ? encoder.encode(value) : new Uint8Array(value))
    }
    const { closeCode } = await stream.closed
    end(closeCode ?? abnormal)
  }
  // A line that was never open has failed; one that was and broke off has only come to its end, as everywhere.
  read().catch((cause) => (writer ? end(codeOf(cause)) : fail(cause)))
  return {
    send: (data) => {
      const size = typeof data === 'string' ? data.length : data.byteLength
      buffered += size
      writer?.write(data).then(
        () => {
          buffered -= size
        },
        // The end of the line is told by the reader.
        () => {},
      )
    },
    get buffered() {
      return buffered
    },
    close: () => {
      isOver = true
      // Whether it was open or on its way, nobody listens any more.
      stream.closed.catch(() => {})
      stream.close()
    },
  }
}

const codeOf = (cause: unknown): number => (cause as { closeCode?: number | null } | undefined)?.closeCode ?? abnormal

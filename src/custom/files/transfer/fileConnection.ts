import { letGo } from './release.ts'

/** The line to a machine's files. */
export interface FileLine {
  /** Sends one frame and takes its bytes over; resolves when there is room for the next. */
  send(frame: Uint8Array<ArrayBuffer>): Promise<void>
  /** Bytes that were handed over and have not left yet. */
  readonly waiting: number
  close(): void
}

export interface LineEvents {
  onOpen(): void
  /** One frame; the next comes after the promise. */
  onFrame(frame: Uint8Array<ArrayBuffer>): void | Promise<void>
  /** The line is gone, or never came; not after `close`. */
  onLost(): void
}

export type OpenLine = (url: string, events: LineEvents) => FileLine

/** Above this many bytes in the socket's own buffer, sending waits. */
const bufferLimit = 8 * 1024 * 1024
/** How often a full buffer is looked at again, in ms: the socket tells nobody when it drains. */
const bufferCheck = 10

/** Opens the line by the browser's streams where it has them, for only they let a slow disk slow down the server. */
export const openLine: OpenLine = (url, events) =>
  'WebSocketStream' in globalThis ? openStream(url, events) : openSocket(url, events)

/** A plain WebSocket: frames that come faster than they are taken wait in memory, in their order. */
export function openSocket(url: string, events: LineEvents, Socket: typeof WebSocket = WebSocket): FileLine {
  const socket = new Socket(url)
  socket.binaryType = 'arraybuffer'
  let isClosed = false
  let taken = Promise.resolve()
  const lose = () => {
    if (isClosed) return
    isClosed = true
    socket.close()
    events.onLost()
  }
  socket.onopen = () => events.onOpen()
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    taken = taken.then(() => (isClosed ? undefined : events.onFrame(new Uint8Array(data)))).catch(lose)
  }
  // What came before the end is taken before the end is told.
  socket.onclose = () => void taken.then(lose)
  return {
    send: async (frame) => {
      if (isClosed) return
      socket.send(frame)
      letGo(frame)
      while (!isClosed && socket.bufferedAmount > bufferLimit) await new Promise((go) => setTimeout(go, bufferCheck))
    },
    get waiting() {
      return socket.bufferedAmount
    },
    close: () => {
      isClosed = true
      socket.close()
    },
  }
}

/** As far as it is used here; TypeScript does not know it yet. */
interface WebSocketStream {
  opened: Promise<{
    readable: ReadableStream<ArrayBuffer | Uint8Array<ArrayBuffer>>
    writable: WritableStream<Uint8Array<ArrayBuffer>>
  }>
  closed: Promise<unknown>
  close(): void
}

function openStream(url: string, events: LineEvents): FileLine {
  const Stream = (globalThis as unknown as { WebSocketStream: new (url: string) => WebSocketStream }).WebSocketStream
  const stream = new Stream(url)
  let writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined
  let isClosed = false
  let waiting = 0
  const lose = () => {
    if (isClosed) return
    isClosed = true
    stream.close()
    events.onLost()
  }
  const read = async () => {
    const { readable, writable } = await stream.opened
    if (isClosed) return
    writer = writable.getWriter()
    events.onOpen()
    const reader = readable.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (isClosed) return
      await events.onFrame(next.value instanceof Uint8Array ? next.value : new Uint8Array(next.value))
    }
  }
  // However it ends, the reading tells; the stream's own promise would only say the same again.
  stream.closed.catch(() => {})
  read().then(lose, lose)
  return {
    send: async (frame) => {
      if (isClosed || !writer) return
      const { length } = frame
      waiting += length
      writer.write(frame).then(
        () => {
          waiting -= length
          letGo(frame)
        },
        () => lose(),
      )
      await writer.ready.catch(() => {})
    },
    get waiting() {
      return waiting
    },
    close: () => {
      isClosed = true
      stream.close()
    },
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ConnectionEvents,
  openConnection,
  openPlainSocket,
  openStream,
} from '../../../src/api/sessionConnection.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Records what a connection reports, in order; `onMessage` may take its time. */
function recordEvents(onMessage: (bytes: Uint8Array) => void | Promise<void> = () => {}) {
  const recorded: string[] = []
  const events: ConnectionEvents = {
    onOpen: () => recorded.push('open'),
    onMessage: async (bytes) => {
      recorded.push(`message ${decode(bytes)}`)
      await onMessage(bytes)
    },
    onError: () => recorded.push('error'),
    onClose: (code) => recorded.push(`close ${code}`),
  }
  return { recorded, events }
}

/** The server's end of a plain WebSocket. */
class PlainSocket {
  static last: PlainSocket
  binaryType = 'blob'
  bufferedAmount = 0
  isClosed = false
  onopen = () => {}
  onerror = () => {}
  onclose = (_event: { code: number }) => {}
  onmessage = (_event: { data: string | ArrayBuffer }) => {}
  constructor() {
    PlainSocket.last = this
  }
  send({ length }: { length: number }) {
    this.bufferedAmount += length
  }
  close() {
    this.isClosed = true
  }
  sendToPage(text: string, asText = false) {
    this.onmessage({ data: asText ? text : new TextEncoder().encode(text).buffer })
  }
}
const Socket = PlainSocket as unknown as typeof WebSocket

describe('A connection by a plain WebSocket', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('reports bytes and text, errors and the end with its code', () => {
    const { recorded, events } = recordEvents()
    openPlainSocket('ws://x/1', events, {}, Socket)
    const socket = PlainSocket.last
    socket.onopen()
    socket.sendToPage('bytes')
    socket.sendToPage('text', true)
    socket.onerror()
    socket.onclose({ code: 1009 })
    expect(recorded).toEqual(['open', 'message bytes', 'message text', 'error', 'close 1009'])
    expect(socket.binaryType).toBe('arraybuffer')
  })

  it('passes messages on as they come, however long each takes', async () => {
    const { recorded, events } = recordEvents(() => pause(50))
    openPlainSocket('ws://x/1', events, {}, Socket)
    for (const text of ['1', '2', '3']) PlainSocket.last.sendToPage(text)
    await Promise.resolve()
    expect(recorded).toEqual(['message 1', 'message 2', 'message 3'])
  })

  it('handles messages one by one and in their order where that is asked for', async () => {
    const handled: string[] = []
    const { events } = recordEvents(async (bytes) => {
      await pause(50 - Number(decode(bytes)) * 10)
      handled.push(decode(bytes))
    })
    openPlainSocket('ws://x/1', events, { isOrdered: true }, Socket)
    for (const text of ['1', '2', '3']) PlainSocket.last.sendToPage(text)
    await vi.advanceTimersByTimeAsync(200)
    expect(handled).toEqual(['1', '2', '3'])
  })

  it('reports its end after the last message was handled, and a failed message as its end', async () => {
    const { recorded, events } = recordEvents(async () => {
      await pause(10)
      recorded.push('handled')
    })
    openPlainSocket('ws://x/1', events, { isOrdered: true }, Socket)
    PlainSocket.last.onopen()
    PlainSocket.last.sendToPage('1')
    PlainSocket.last.onclose({ code: 1006 })
    await vi.advanceTimersByTimeAsync(50)
    expect(recorded).toEqual(['open', 'message 1', 'handled', 'close 1006'])

    const failing = recordEvents(() => Promise.reject(new Error('the disk is full')))
    openPlainSocket('ws://x/1', failing.events, { isOrdered: true }, Socket)
    PlainSocket.last.sendToPage('1')
    await vi.advanceTimersByTimeAsync(50)
    expect(failing.recorded).toEqual(['message 1', 'close 1006'])
    expect(PlainSocket.last.isClosed).toBe(true)
  })

  it('makes the sender wait above 8 MiB, until there is room again', async () => {
    const sent: number[] = []
    const connection = openPlainSocket(
      'ws://x/1',
      recordEvents().events,
      { onSent: ({ length }) => sent.push(length) },
      Socket,
    )
    await connection.send(new Uint8Array(8 * 1024 * 1024))
    let isSent = false
    void connection.send(new Uint8Array(1)).then(() => {
      isSent = true
    })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(isSent).toBe(false)
    PlainSocket.last.bufferedAmount = 100
    await vi.advanceTimersByTimeAsync(20)
    expect(isSent).toBe(true)
    expect(connection.buffered).toBe(100)
    expect(sent).toEqual([8 * 1024 * 1024, 1])
  })

  it('reports nothing more once it was closed from here', async () => {
    const { recorded, events } = recordEvents()
    const connection = openPlainSocket('ws://x/1', events, { isOrdered: true }, Socket)
    connection.close()
    PlainSocket.last.sendToPage('late')
    PlainSocket.last.onclose({ code: 1006 })
    await vi.advanceTimersByTimeAsync(50)
    expect(PlainSocket.last.isClosed).toBe(true)
    expect(recorded).toEqual([])
  })
})

/** The server's end of a `WebSocketStream`. */
function fakeStream() {
  let source: ReadableStreamDefaultController<string | ArrayBuffer> | undefined
  const written: (string | Uint8Array)[] = []
  const opened = Promise.withResolvers<{
    readable: ReadableStream<string | ArrayBuffer>
    writable: WritableStream<string | Uint8Array<ArrayBuffer>>
  }>()
  const closed = Promise.withResolvers<{ closeCode?: number }>()
  closed.promise.catch(() => {})
  const state = { isClosed: false, read: 0 }
  class Stream {
    opened = opened.promise
    closed = closed.promise
    close() {
      state.isClosed = true
    }
  }
  return {
    Stream,
    written,
    state,
    open: () =>
      opened.resolve({
        readable: new ReadableStream({
          start: (controller) => {
            source = controller
          },
        }),
        writable: new WritableStream({
          write: (data) => void written.push(typeof data === 'string' ? data : data.slice()),
        }),
      }),
    sendToPage: (text: string) => source?.enqueue(new TextEncoder().encode(text).buffer),
    finish: (closeCode?: number) => {
      source?.close()
      closed.resolve({ closeCode })
    },
    /** The connection broke: what browsers report then. */
    breakOff: (cause: unknown) => {
      source?.error(cause)
      opened.reject(cause)
      closed.reject(cause)
    },
  }
}

describe('A connection by a WebSocketStream', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('is what browsers that have it get', async () => {
    const server = fakeStream()
    vi.stubGlobal('WebSocketStream', server.Stream)
    const { recorded, events } = recordEvents()
    const sent: Uint8Array[] = []
    const connection = openConnection('ws://x/1', events, { onSent: (data) => sent.push(data) })
    server.open()
    await vi.waitFor(() => expect(recorded).toEqual(['open']))
    await connection.send(Uint8Array.of(7))
    await vi.waitFor(() => expect(sent).toEqual([Uint8Array.of(7)]))
    expect(server.written).toEqual([Uint8Array.of(7)])
  })

  it('takes no further message while one is being handled', async () => {
    const isHandled = Promise.withResolvers<void>()
    const { recorded, events } = recordEvents(() => isHandled.promise)
    const server = fakeStream()
    openStream('ws://x/1', events, {}, server.Stream)
    server.open()
    await vi.waitFor(() => expect(recorded).toEqual(['open']))
    server.sendToPage('1')
    server.sendToPage('2')
    await vi.waitFor(() => expect(recorded).toEqual(['open', 'message 1']))
    await pause(20)
    expect(recorded).toEqual(['open', 'message 1'])
    isHandled.resolve()
    await vi.waitFor(() => expect(recorded).toEqual(['open', 'message 1', 'message 2']))
  })

  it('counts what has not left yet', async () => {
    const { recorded, events } = recordEvents()
    const server = fakeStream()
    const connection = openStream('ws://x/1', events, {}, server.Stream)
    server.open()
    await vi.waitFor(() => expect(recorded).toEqual(['open']))
    void connection.send('hello')
    expect(connection.buffered).toBe(5)
    await vi.waitFor(() => expect(connection.buffered).toBe(0))
    expect(server.written).toEqual(['hello'])
  })

  it('that ends reports the code; one that breaks off reports 1006 and no error', async () => {
    const ended = { ...recordEvents(), server: fakeStream() }
    openStream('ws://x/1', ended.events, {}, ended.server.Stream)
    ended.server.open()
    await vi.waitFor(() => expect(ended.recorded).toEqual(['open']))
    ended.server.finish(1009)
    await vi.waitFor(() => expect(ended.recorded).toEqual(['open', 'close 1009']))

    const broken = { ...recordEvents(), server: fakeStream() }
    openStream('ws://x/1', broken.events, {}, broken.server.Stream)
    broken.server.open()
    await vi.waitFor(() => expect(broken.recorded).toEqual(['open']))
    broken.server.breakOff(new Error('gone'))
    await vi.waitFor(() => expect(broken.recorded).toEqual(['open', 'close 1006']))
    expect(broken.server.state.isClosed).toBe(true)
  })

  it('that never opened reports an error and its end', async () => {
    const { recorded, events } = recordEvents()
    const server = fakeStream()
    openStream('ws://x/1', events, {}, server.Stream)
    server.breakOff(new Error('refused'))
    await vi.waitFor(() => expect(recorded).toEqual(['error', 'close 1006']))
  })

  it('reports nothing more once it was closed from here', async () => {
    const { recorded, events } = recordEvents()
    const server = fakeStream()
    openStream('ws://x/1', events, {}, server.Stream).close()
    server.breakOff(new Error('closed'))
    await pause(0)
    expect(server.state.isClosed).toBe(true)
    expect(recorded).toEqual([])
  })
})

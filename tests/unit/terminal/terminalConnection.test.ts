import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type LineEvents, openSocket, openStream } from '../../../src/custom/terminal/session/connection.ts'
import { FakeSocket, FakeWebSocket } from '../../support/fakes/fakeSocket.ts'

function events() {
  const seen = { opened: 0, errors: 0, codes: [] as number[], text: '' }
  let draw = () => Promise.resolve()
  const listeners: LineEvents = {
    onOpen: () => {
      seen.opened += 1
    },
    onBytes: (bytes) => {
      seen.text += new TextDecoder().decode(bytes)
      return draw()
    },
    onError: () => {
      seen.errors += 1
    },
    onClose: (code) => seen.codes.push(code),
  }
  return {
    seen,
    listeners,
    onDraw: (next: () => Promise<void>) => {
      draw = next
    },
  }
}

beforeEach(() => {
  FakeSocket.opened = []
})

describe('A line on a plain socket', () => {
  it('passes on bytes and text, errors and the end', () => {
    const { seen, listeners } = events()
    openSocket('ws://x/1', listeners, FakeWebSocket)
    const socket = FakeSocket.newest as unknown as WebSocket
    socket.onopen?.(new Event('open'))
    socket.onmessage?.({ data: new TextEncoder().encode('bytes ').buffer } as MessageEvent)
    socket.onmessage?.({ data: 'text' } as MessageEvent)
    socket.onerror?.(new Event('error'))
    socket.onclose?.({ code: 1006 } as CloseEvent)
    expect(seen).toEqual({ opened: 1, errors: 1, codes: [1006], text: 'bytes text' })
    expect(socket.binaryType).toBe('arraybuffer')
  })

  it('that was hung up is heard of no more', () => {
    const { seen, listeners } = events()
    const line = openSocket('ws://x/1', listeners, FakeWebSocket)
    line.close()
    FakeSocket.newest.break()
    expect(FakeSocket.newest.isClosed).toBe(true)
    expect(seen.codes).toEqual([])
  })
})

/** The far end of a `WebSocketStream`. */
function fakeStream() {
  let source: ReadableStreamDefaultController<string | ArrayBuffer> | undefined
  const written: (string | Uint8Array)[] = []
  const opened = Promise.withResolvers<{
    readable: ReadableStream<string | ArrayBuffer>
    writable: WritableStream<string | Uint8Array>
  }>()
  const closed = Promise.withResolvers<{ closeCode?: number }>()
  closed.promise.catch(() => {})
  const state = { isClosed: false }
  class Stream {
    opened = opened.promise
    closed = closed.promise
    close() {
      state.isClosed = true
    }
  }
  const open = () =>
    opened.resolve({
      readable: new ReadableStream({
        start: (controller) => {
          source = controller
        },
      }),
      writable: new WritableStream({ write: (data) => void written.push(data) }),
    })
  return {
    Stream,
    written,
    state,
    open,
    say: (text: string) => source?.enqueue(new TextEncoder().encode(text).buffer),
    finish: (closeCode?: number) => {
      source?.close()
      closed.resolve({ closeCode })
    },
    /** The connection broke: what browsers tell of it. */
    breakOff: (cause: unknown) => {
      source?.error(cause)
      opened.reject(cause)
      closed.reject(cause)
    },
  }
}

describe('A line on a socket stream', () => {
  it('takes nothing more while the screen is behind', async () => {
    const { seen, listeners, onDraw } = events()
    const far = fakeStream()
    openStream('ws://x/1', listeners, far.Stream)
    far.open()
    await vi.waitFor(() => expect(seen.opened).toBe(1))
    const behind = Promise.withResolvers<void>()
    onDraw(() => behind.promise)
    far.say('one ')
    far.say('two')
    await vi.waitFor(() => expect(seen.text).toBe('one '))
    behind.resolve()
    await vi.waitFor(() => expect(seen.text).toBe('one two'))
  })

  it('counts what has not left yet', async () => {
    const { seen, listeners } = events()
    const far = fakeStream()
    const line = openStream('ws://x/1', listeners, far.Stream)
    far.open()
    await vi.waitFor(() => expect(seen.opened).toBe(1))
    line.send('hello')
    expect(line.buffered).toBe(5)
    await vi.waitFor(() => expect(line.buffered).toBe(0))
    expect(far.written).toEqual(['hello'])
  })

  it('that ends says so with its code; one that breaks off with 1006 and no error', async () => {
    const ended = { ...events(), far: fakeStream() }
    openStream('ws://x/1', ended.listeners, ended.far.Stream)
    ended.far.open()
    await vi.waitFor(() => expect(ended.seen.opened).toBe(1))
    ended.far.finish(1009)
    await vi.waitFor(() => expect(ended.seen.codes).toEqual([1009]))

    const broken = { ...events(), far: fakeStream() }
    openStream('ws://x/1', broken.listeners, broken.far.Stream)
    broken.far.open()
    await vi.waitFor(() => expect(broken.seen.opened).toBe(1))
    broken.far.breakOff(new Error('gone'))
    await vi.waitFor(() => expect(broken.seen).toMatchObject({ codes: [1006], errors: 0 }))
  })

  it('that was never had is an error', async () => {
    const { seen, listeners } = events()
    const far = fakeStream()
    openStream('ws://x/1', listeners, far.Stream)
    far.breakOff(new Error('refused'))
    await vi.waitFor(() => expect(seen).toMatchObject({ opened: 0, errors: 1, codes: [1006] }))
  })

  it('that was hung up is heard of no more', async () => {
    const { seen, listeners } = events()
    const far = fakeStream()
    openStream('ws://x/1', listeners, far.Stream).close()
    far.breakOff(new Error('closed'))
    await new Promise((resolve) => setTimeout(resolve))
    expect(far.state.isClosed).toBe(true)
    expect(seen).toMatchObject({ errors: 0, codes: [] })
  })
})

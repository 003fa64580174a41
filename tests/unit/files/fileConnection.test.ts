import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLine, openSocket } from '../../../src/custom/files/transfer/fileConnection.ts'

class Socket {
  static last: Socket
  bufferedAmount = 0
  isClosed = false
  onopen = () => {}
  onclose = () => {}
  onmessage = (_event: { data: ArrayBuffer }) => {}
  constructor() {
    Socket.last = this
  }
  send({ length }: Uint8Array) {
    this.bufferedAmount += length
  }
  close() {
    this.isClosed = true
  }
  say(...bytes: number[]) {
    this.onmessage({ data: Uint8Array.from(bytes).buffer })
  }
}
const PlainSocket = Socket as unknown as typeof WebSocket
const ignore = { onOpen: () => {}, onFrame: () => {}, onLost: () => {} }
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a plain socket', () => {
  it('hands frames on one by one and in their order, however long each takes', async () => {
    const taken: number[] = []
    const onFrame = async ([byte = 0]: Uint8Array) => {
      await pause(50 - byte * 10)
      taken.push(byte)
    }
    openSocket('ws://test', { ...ignore, onFrame }, PlainSocket)
    for (const byte of [1, 2, 3]) Socket.last.say(byte)
    await vi.advanceTimersByTimeAsync(200)
    expect(taken).toEqual([1, 2, 3])
  })

  it('makes whoever sends wait above 8 MiB, until there is room again', async () => {
    const line = openSocket('ws://test', ignore, PlainSocket)
    await line.send(new Uint8Array(8 * 1024 * 1024))
    let isSent = false
    void line.send(new Uint8Array(1)).then(() => {
      isSent = true
    })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(isSent).toBe(false)
    Socket.last.bufferedAmount = 100
    await vi.advanceTimersByTimeAsync(20)
    expect(isSent).toBe(true)
    expect(line.waiting).toBe(100)
  })

  it('tells that it is gone after the last frame was taken, and not when it was closed from here', async () => {
    const told: string[] = []
    const events = {
      onOpen: () => told.push('open'),
      onFrame: async () => {
        await pause(10)
        told.push('frame')
      },
      onLost: () => told.push('lost'),
    }
    openSocket('ws://test', events, PlainSocket)
    Socket.last.onopen()
    Socket.last.say(1)
    Socket.last.onclose()
    await vi.advanceTimersByTimeAsync(50)
    expect(told).toEqual(['open', 'frame', 'lost'])
    openSocket('ws://test', events, PlainSocket).close()
    expect(Socket.last.isClosed).toBe(true)
    Socket.last.onclose()
    await vi.advanceTimersByTimeAsync(50)
    expect(told).toHaveLength(3)
  })
})

describe('the streams of browsers that have them', () => {
  it('are read no faster than frames are taken', async () => {
    let read = 0
    const readable = new ReadableStream<ArrayBuffer>(
      {
        pull: (stream) => {
          read += 1
          stream.enqueue(Uint8Array.of(read).buffer)
        },
      },
      { highWaterMark: 0 },
    )
    const written: Uint8Array[] = []
    const writable = new WritableStream<Uint8Array>({ write: (frame) => void written.push(frame.slice()) })
    class Stream {
      opened = Promise.resolve({ readable, writable })
      closed = new Promise(() => {})
      close() {}
    }
    vi.stubGlobal('WebSocketStream', Stream)
    const taken: number[] = []
    const onFrame = async ([byte = 0]: Uint8Array) => {
      taken.push(byte)
      await pause(100)
    }
    let isOpen = false
    const onOpen = () => {
      isOpen = true
    }
    const line = openLine('ws://test', { ...ignore, onOpen, onFrame })
    await vi.advanceTimersByTimeAsync(250)
    expect(isOpen).toBe(true)
    expect([taken, read]).toEqual([[1, 2, 3], 3])
    await line.send(Uint8Array.of(7))
    expect(written).toEqual([Uint8Array.of(7)])
    line.close()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(taken).toHaveLength(3)
  })
})

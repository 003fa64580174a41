import { describe, expect, it, vi } from 'vitest'
import { openSink } from '../../../src/custom/files/transfer/downloadTargets.ts'
import { FileExchange } from '../../../src/custom/files/transfer/fileExchange.ts'
import { rawFromText as path } from '../../../src/custom/files/transfer/remotePath.ts'
import { decodeFileReply, encodeDownloadHeader, fileChunkBytes } from '../../../src/schemas/frames/file.ts'
import { exchangeOfEachTest, failureOf, hex } from '../../support/console/fileExchange.ts'
import { FakeConnection } from '../../support/fakes/fakeConnection.ts'
import { readSocketRecording } from '../../support/recorded/socketRecording.ts'

const memory = { kind: 'memory', limit: Infinity, otherwise: 'needs_memory' } as const

const exchange = exchangeOfEachTest()

const fetched = async (name: string) => {
  const saved = await exchange.files.download(path(name), openSink(memory), () => {})
  return saved.kind === 'memory' ? Buffer.from(await saved.blob.arrayBuffer()) : undefined
}

describe('a list', () => {
  it('is asked for and read as on the recorded server', async () => {
    const requests = exchange.replay('ws-file-list')
    const frame = await exchange.files.list(path('/srv/demo'))
    expect(hex(exchange.connection.sent[0] as Uint8Array)).toBe(requests[0]?.hex)
    const reply = decodeFileReply(frame)
    expect(reply.kind === 'list' && reply.entries.length).toBe(15)
  })

  it('that nobody answers within 10 s ends the session and says so', async () => {
    const failure = failureOf(exchange.files.list(path('/stuck')))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(exchange.connection.isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toEqual({ code: 'silent' })
    expect([exchange.connection.isClosed, exchange.ends]).toEqual([true, ['silent']])
  })

  it('with a marker that nobody knows is an unknown identifier, and ends the session', async () => {
    exchange.connection.answer(() => void exchange.connection.sendToPage('WHAT is this'))
    expect(await failureOf(exchange.files.list(path('/')))).toEqual({ code: 'unknown' })
    expect(exchange.connection.isClosed).toBe(true)
  })

  it('fails at once when the connection breaks, and says whether it was ever open', async () => {
    const failure = failureOf(exchange.files.list(path('/')))
    await vi.advanceTimersByTimeAsync(1)
    exchange.connection.break()
    expect(await failure).toEqual({ code: 'lost' })
    const closed = new FakeConnection()
    const refused = new FileExchange(
      { url: 'ws://test', announcesReady: false },
      (url, events) => {
        const opened = closed.open(url, { ...events, onOpen: () => {} })
        queueMicrotask(() => events.onClose(1006))
        return opened
      },
      () => {},
    )
    expect(await failureOf(refused.list(path('/')))).toEqual({ code: 'unreachable' })
    expect(closed.sent).toEqual([])
  })

  it.each([
    [1009, 'frame_refused'],
    [4001, 'disabled'],
    [4002, 'silent'],
    [4003, 'busy'],
    [4004, 'offline'],
  ])(
    'fails with the reason that the server closes with, when the machine opens no files: %i, %s',
    async (code, reason) => {
      const failure = failureOf(exchange.files.list(path('/')))
      await vi.advanceTimersByTimeAsync(1)
      exchange.connection.break(code)
      expect(await failure).toEqual({ code: reason })
    },
  )

  it('that nobody asked for shows that the session is out of step', async () => {
    exchange.replay('ws-file-list')
    await exchange.files.list(path('/srv/demo'))
    await exchange.connection.sendToPage('NZUP')
    expect([exchange.ends, exchange.connection.isClosed]).toEqual([['unknown'], true])
  })
})

describe('a download', () => {
  it('is as long as announced, and its chunks are in order', async () => {
    const requests = exchange.replay('ws-file-download-3MiB')
    const content = await fetched('/srv/demo/big.bin')
    expect(hex(exchange.connection.sent[0] as Uint8Array)).toBe(requests[0]?.hex)
    expect(content?.length).toBe(3 * fileChunkBytes)
    const heads = readSocketRecording('ws-file-download-3MiB').flatMap(({ hex_head }) => hex_head ?? [])
    const found = [0, 1, 2].map((at) =>
      content?.subarray(at * fileChunkBytes, at * fileChunkBytes + 32).toString('hex'),
    )
    expect(found).toEqual(heads)
  })

  it('keeps the order when writing is slow, and asks for no frame before the last one is written', async () => {
    const written: number[] = []
    exchange.connection.answer(() => void exchange.connection.sendToPage(encodeDownloadHeader(3)).then(sendAll))
    const sendAll = async () => {
      for (const byte of [1, 2, 3]) await exchange.connection.sendToPage(Uint8Array.of(byte))
    }
    const open = async () => ({
      write: async ([byte = 0]: Uint8Array) => {
        await new Promise((done) => setTimeout(done, 50 - byte * 10))
        written.push(byte)
      },
      close: async () => ({ kind: 'picked' }) as const,
      abort: async () => {},
      keep: async () => {},
    })
    const done = exchange.files.download(path('/x'), open, () => {})
    await vi.advanceTimersByTimeAsync(200)
    await done
    expect(written).toEqual([1, 2, 3])
  })

  it('is answered with the server’s message: empty, missing, a folder, refused', async () => {
    exchange.replay('ws-file-download-small-and-errors')
    expect((await fetched('/srv/demo/small.txt'))?.toString()).toBe('hello\n')
    const messageOf = async (name: string) => (await failureOf(fetched(`/srv/demo/${name}`)))?.message
    expect(await messageOf('empty.txt')).toBe('requested file is empty')
    expect(await messageOf('nope')).toBe('open download file: no such file or directory')
    expect(await messageOf('dir1')).toBe('read /srv/demo/dir1: is a directory')
    expect((await fetched('/srv/demo/linkfile'))?.toString()).toBe('hello\n')
    expect(exchange.connection.isClosed).toBe(false)
  })

  it('takes what looks like a marker for what it is: content', async () => {
    const content = ['NERRread this first', 'NZUP', 'NZTD12345678', 'NZFN'].map((text) => Buffer.from(text))
    for (const frame of content) {
      exchange.reopen()
      exchange.connection.answer(
        () =>
          void exchange.connection
            .sendToPage(encodeDownloadHeader(frame.length))
            .then(() => exchange.connection.sendToPage(frame)),
      )
      expect((await fetched('/log'))?.toString()).toBe(frame.toString())
    }
  })

  it('of a folder is an error even where its announced size is that of the message', async () => {
    const message = Buffer.from('NERRread /d: is a directory')
    exchange.connection.answer(
      () =>
        void exchange.connection
          .sendToPage(encodeDownloadHeader(message.length))
          .then(() => exchange.connection.sendToPage(message)),
    )
    expect(await failureOf(fetched('/d'))).toEqual({ code: 'refused', message: 'read /d: is a directory' })
  })

  it('works a second time for the same name', async () => {
    exchange.connection.answer(
      () =>
        void exchange.connection
          .sendToPage(encodeDownloadHeader(5))
          .then(() => exchange.connection.sendToPage('hello')),
    )
    expect((await fetched('/x'))?.toString()).toBe('hello')
    expect((await fetched('/x'))?.toString()).toBe('hello')
  })

  it('that brings more than announced keeps nothing and ends the session', async () => {
    exchange.connection.answer(
      () =>
        void exchange.connection
          .sendToPage(encodeDownloadHeader(3))
          .then(() => exchange.connection.sendToPage('hello')),
    )
    expect(await failureOf(fetched('/x'))).toEqual({ code: 'incomplete' })
    expect(exchange.connection.isClosed).toBe(true)
  })

  it('of more than may be held ends the session before any data', async () => {
    exchange.connection.answer(() => void exchange.connection.sendToPage(encodeDownloadHeader(1_048_577)))
    const target = { kind: 'memory', limit: 1_048_576, otherwise: 'too_large' } as const
    const failure = await failureOf(exchange.files.download(path('/x'), openSink(target), () => {}))
    expect([failure, exchange.connection.isClosed]).toEqual([{ code: 'too_large', size: 1_048_577 }, true])
  })

  it('can be cancelled in the middle: what was written is given up', async () => {
    exchange.connection.answer(
      () =>
        void exchange.connection
          .sendToPage(encodeDownloadHeader(10))
          .then(() => exchange.connection.sendToPage('hello')),
    )
    const gone = vi.fn(async () => {})
    const close = async () => ({ kind: 'picked' }) as const
    const open = async () => ({ write: () => {}, close, abort: gone, keep: async () => {} })
    const failure = failureOf(exchange.files.download(path('/x'), open, () => {}))
    await vi.advanceTimersByTimeAsync(10)
    exchange.files.end('cancelled')
    expect([await failure, exchange.connection.isClosed]).toEqual([{ code: 'cancelled' }, true])
    expect(gone).toHaveBeenCalledOnce()
  })
})

it('a path is sent as the bytes it came with', async () => {
  const raw = '/srv/\xff\xfe'
  exchange.connection.answer(() => void exchange.connection.sendToPage('NERRx'))
  await failureOf(exchange.files.list(raw))
  expect(hex(exchange.connection.sent[0] as Uint8Array)).toBe('002f7372762ffffe')
})

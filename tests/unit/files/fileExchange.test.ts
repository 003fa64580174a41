import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSink } from '../../../src/custom/files/transfer/downloadTargets.ts'
import { FileExchange } from '../../../src/custom/files/transfer/fileExchange.ts'
import { FileFailure } from '../../../src/custom/files/transfer/fileFailure.ts'
import { rawFromText } from '../../../src/custom/files/transfer/remotePath.ts'
import {
  decodeFileReply,
  encodeDownloadHeader,
  encodeUploaded,
  fileChunkBytes,
} from '../../../src/schemas/frames/file.ts'
import { FakeConnection } from '../../support/fakes/fakeConnection.ts'
import { type RecordedMessage, readSocketRecording } from '../../support/recorded/socketRecording.ts'

const memory = { kind: 'memory', limit: Infinity, otherwise: 'needs_memory' } as const
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const path = (text: string) => rawFromText(text)

let ends: string[] = []
let connection = new FakeConnection()
let files: FileExchange

function connect(announcesReady = false) {
  ends = []
  connection = new FakeConnection()
  files = new FileExchange({ url: 'ws://test', announcesReady }, connection.open, ({ failure }) =>
    ends.push(failure.code),
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  connect()
})
afterEach(() => vi.useRealTimers())

/** The frame of a recording; of long ones all but the beginning is made up. */
function frameOf({ hex: whole, hex_head: head = '', length = 0 }: RecordedMessage): Uint8Array {
  if (whole !== undefined) return Buffer.from(whole, 'hex')
  const frame = new Uint8Array(length)
  frame.set(Buffer.from(head, 'hex'))
  return frame
}

/** The far end says what the real server said after each of the requests. */
function replay(recording: string) {
  const messages = readSocketRecording(recording).filter(({ opcode }) => opcode === 'binary')
  connection.answer(() => {
    messages.shift()
    const replies: RecordedMessage[] = []
    while (messages[0]?.dir === 'in') replies.push(messages.shift() as RecordedMessage)
    void (async () => {
      for (const reply of replies) await connection.sendToPage(frameOf(reply))
    })()
  })
  return messages.filter(({ dir }) => dir === 'out')
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => (error instanceof FileFailure ? error.failure : error),
  )
const fetched = async (name: string) => {
  const saved = await files.download(path(name), openSink(memory), () => {})
  return saved.kind === 'memory' ? Buffer.from(await saved.blob.arrayBuffer()) : undefined
}

describe('a list', () => {
  it('is asked for and read as on the recorded server', async () => {
    const requests = replay('ws-file-list')
    const frame = await files.list(path('/srv/demo'))
    expect(hex(connection.sent[0] as Uint8Array)).toBe(requests[0]?.hex)
    const reply = decodeFileReply(frame)
    expect(reply.kind === 'list' && reply.entries.length).toBe(15)
  })

  it('that nobody answers within 10 s ends the session and says so', async () => {
    const failure = failureOf(files.list(path('/stuck')))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(connection.isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toEqual({ code: 'silent' })
    expect([connection.isClosed, ends]).toEqual([true, ['silent']])
  })

  it('with a marker that nobody knows is an unknown identifier, and ends the session', async () => {
    connection.answer(() => void connection.sendToPage('WHAT is this'))
    expect(await failureOf(files.list(path('/')))).toEqual({ code: 'unknown' })
    expect(connection.isClosed).toBe(true)
  })

  it('fails at once when the connection breaks, and says whether it was ever open', async () => {
    const failure = failureOf(files.list(path('/')))
    await vi.advanceTimersByTimeAsync(1)
    connection.break()
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
    [4001, 'disabled'],
    [4002, 'silent'],
    [4003, 'busy'],
    [4004, 'offline'],
  ])(
    'fails with the reason that the server closes with, when the machine opens no files: %i, %s',
    async (code, reason) => {
      const failure = failureOf(files.list(path('/')))
      await vi.advanceTimersByTimeAsync(1)
      connection.break(code)
      expect(await failure).toEqual({ code: reason })
    },
  )

  it('that nobody asked for shows that the session is out of step', async () => {
    replay('ws-file-list')
    await files.list(path('/srv/demo'))
    await connection.sendToPage('NZUP')
    expect([ends, connection.isClosed]).toEqual([['unknown'], true])
  })
})

describe('a download', () => {
  it('is as long as announced, and its chunks are in order', async () => {
    const requests = replay('ws-file-download-3MiB')
    const content = await fetched('/srv/demo/big.bin')
    expect(hex(connection.sent[0] as Uint8Array)).toBe(requests[0]?.hex)
    expect(content?.length).toBe(3 * fileChunkBytes)
    const heads = readSocketRecording('ws-file-download-3MiB').flatMap(({ hex_head }) => hex_head ?? [])
    const found = [0, 1, 2].map((at) =>
      content?.subarray(at * fileChunkBytes, at * fileChunkBytes + 32).toString('hex'),
    )
    expect(found).toEqual(heads)
  })

  it('keeps the order when writing is slow, and asks for no frame before the last one is written', async () => {
    const written: number[] = []
    connection.answer(() => void connection.sendToPage(encodeDownloadHeader(3)).then(sendAll))
    const sendAll = async () => {
      for (const byte of [1, 2, 3]) await connection.sendToPage(Uint8Array.of(byte))
    }
    const open = async () => ({
      write: async ([byte = 0]: Uint8Array) => {
        await new Promise((done) => setTimeout(done, 50 - byte * 10))
        written.push(byte)
      },
      close: async () => ({ kind: 'picked' }) as const,
      abort: async () => {},
    })
    const done = files.download(path('/x'), open, () => {})
    await vi.advanceTimersByTimeAsync(200)
    await done
    expect(written).toEqual([1, 2, 3])
  })

  it('is answered with the server’s message: empty, missing, a folder, refused', async () => {
    replay('ws-file-download-small-and-errors')
    expect((await fetched('/srv/demo/small.txt'))?.toString()).toBe('hello\n')
    const messageOf = async (name: string) => (await failureOf(fetched(`/srv/demo/${name}`)))?.message
    expect(await messageOf('empty.txt')).toBe('requested file is empty')
    expect(await messageOf('nope')).toBe('open download file: no such file or directory')
    expect(await messageOf('dir1')).toBe('read /srv/demo/dir1: is a directory')
    expect((await fetched('/srv/demo/linkfile'))?.toString()).toBe('hello\n')
    expect(connection.isClosed).toBe(false)
  })

  it('takes what looks like a marker for what it is: content', async () => {
    const content = ['NERRread this first', 'NZUP', 'NZTD12345678', 'NZFN'].map((text) => Buffer.from(text))
    for (const frame of content) {
      connect()
      connection.answer(
        () => void connection.sendToPage(encodeDownloadHeader(frame.length)).then(() => connection.sendToPage(frame)),
      )
      expect((await fetched('/log'))?.toString()).toBe(frame.toString())
    }
  })

  it('of a folder is an error even where its announced size is that of the message', async () => {
    const message = Buffer.from('NERRread /d: is a directory')
    connection.answer(
      () => void connection.sendToPage(encodeDownloadHeader(message.length)).then(() => connection.sendToPage(message)),
    )
    expect(await failureOf(fetched('/d'))).toEqual({ code: 'refused', message: 'read /d: is a directory' })
  })

  it('works a second time for the same name', async () => {
    connection.answer(
      () => void connection.sendToPage(encodeDownloadHeader(5)).then(() => connection.sendToPage('hello')),
    )
    expect((await fetched('/x'))?.toString()).toBe('hello')
    expect((await fetched('/x'))?.toString()).toBe('hello')
  })

  it('that brings more than announced keeps nothing and ends the session', async () => {
    connection.answer(
      () => void connection.sendToPage(encodeDownloadHeader(3)).then(() => connection.sendToPage('hello')),
    )
    expect(await failureOf(fetched('/x'))).toEqual({ code: 'incomplete' })
    expect(connection.isClosed).toBe(true)
  })

  it('of more than may be held ends the session before any data', async () => {
    connection.answer(() => void connection.sendToPage(encodeDownloadHeader(1_048_577)))
    const target = { kind: 'memory', limit: 1_048_576, otherwise: 'too_large' } as const
    const failure = await failureOf(files.download(path('/x'), openSink(target), () => {}))
    expect([failure, connection.isClosed]).toEqual([{ code: 'too_large', size: 1_048_577 }, true])
  })

  it('can be cancelled in the middle: what was written is given up', async () => {
    connection.answer(
      () => void connection.sendToPage(encodeDownloadHeader(10)).then(() => connection.sendToPage('hello')),
    )
    const gone = vi.fn(async () => {})
    const open = async () => ({ write: () => {}, close: async () => ({ kind: 'picked' }) as const, abort: gone })
    const failure = failureOf(files.download(path('/x'), open, () => {}))
    await vi.advanceTimersByTimeAsync(10)
    files.end('cancelled')
    expect([await failure, connection.isClosed]).toEqual([{ code: 'cancelled' }, true])
    expect(gone).toHaveBeenCalledOnce()
  })
})

describe('an upload', () => {
  const send = (name: string, size: number) => files.upload(path(name), new Blob([new Uint8Array(size)]), () => {})

  it('sends the frames of the recorded session: header, then chunks of 1 MiB', async () => {
    const recorded = readSocketRecording('ws-file-upload-2.5MiB').filter(({ dir }) => dir === 'out')
    connection.answer(() => {
      if (connection.sent.length === recorded.length) void connection.sendToPage(encodeUploaded())
    })
    const done = send('/srv/demo/up.bin', 2.5 * 1024 * 1024)
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(hex(connection.sent[0] as Uint8Array)).toBe(recorded[0]?.hex)
    expect(connection.sent.map(({ length }) => length)).toEqual(recorded.map(({ length }) => length))
  })

  /** Content of which no chunk is like another. */
  const content = Uint8Array.from({ length: 6.5 * fileChunkBytes }, (_, at) => (at >> 12) + at)
  const plainStream = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < content.length; at += 700_000) controller.enqueue(content.slice(at, at + 700_000))
        controller.close()
      },
    })
  it.each([
    ['fills given memory', () => new Blob([content]).stream()],
    ['only gives out its own', plainStream],
  ])('sends what is in the file, from a browser that %s', async (_, stream) => {
    const blob = new Blob([content])
    const file = { size: blob.size, stream, slice: blob.slice.bind(blob) }
    connection.answer(() => {
      const arrived = connection.sent.slice(1).reduce((sum, { length }) => sum + length, 0)
      if (arrived === blob.size) void connection.sendToPage(encodeUploaded())
    })
    const done = files.upload(path('/x'), file as unknown as Blob, () => {})
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(Buffer.concat(connection.sent.slice(1)).equals(content)).toBe(true)
  })

  it('waits 300 ms for a refusal before the first chunk', async () => {
    void send('/x', 10)
    await vi.advanceTimersByTimeAsync(299)
    expect(connection.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(connection.sent).toHaveLength(2)
  })

  it('waits for the acknowledgement of a server that sends one, and no longer', async () => {
    connect(true)
    const done = send('/x', 10)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(connection.sent.map(({ length }) => length)).toEqual([1, 11])
    expect(hex(connection.sent[0] as Uint8Array)).toBe('03')
    await connection.sendToPage('NZGO')
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.sent).toHaveLength(3)
    await connection.sendToPage(encodeUploaded())
    await done
  })

  it('that a server with acknowledgements refuses, or does not answer, sends no data', async () => {
    connect(true)
    const refused = failureOf(send('/x', 10))
    await vi.advanceTimersByTimeAsync(1_000)
    await connection.sendToPage('NERRopen /x: permission denied')
    expect(await refused).toEqual({ code: 'refused', message: 'open /x: permission denied' })
    const silent = failureOf(send('/x', 10))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await silent).toEqual({ code: 'silent' })
    expect(connection.sent.map(({ length }) => length)).toEqual([1, 11, 11])
  })

  it('that is refused sends no data, says the message, and leaves the session usable', async () => {
    replay('ws-file-upload-error-create')
    const failure = failureOf(send('/srv/demo/nodir/x', 3))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await failure).toEqual({ code: 'refused', message: 'open /srv/demo/nodir/x: no such file or directory' })
    expect([connection.sent.length, connection.isClosed]).toEqual([1, false])
  })

  it('that fails in the middle sends not one chunk more, and ends the session', async () => {
    connection.answer(() => {
      if (connection.sent.length === 3) void connection.sendToPage('NERRwrite /x: no space left on device')
    })
    const failure = failureOf(send('/x', 20 * fileChunkBytes))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await failure).toEqual({ code: 'refused', message: 'write /x: no space left on device' })
    expect([connection.sent.length, connection.isClosed]).toEqual([3, true])
  })

  it('of nothing is done with the header alone', async () => {
    const requests = replay('ws-file-upload-empty')
    await send('/srv/demo/up0.bin', 0)
    expect(connection.sent.map(hex)).toEqual([requests[0]?.hex])
  })

  it('is not done before the server says so', async () => {
    let isDone = false
    const done = send('/x', 10).then(() => {
      isDone = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isDone).toBe(false)
    await connection.sendToPage(encodeUploaded())
    await done
  })

  it('that the server calls done before all data was sent is a protocol error', async () => {
    connection.answer(() => void connection.sendToPage(encodeUploaded()))
    expect(await failureOf(send('/x', 10))).toEqual({ code: 'unknown' })
    expect(connection.isClosed).toBe(true)
  })

  it('can be cancelled in the middle', async () => {
    const failure = failureOf(send('/x', 10))
    await vi.advanceTimersByTimeAsync(1_000)
    files.end('cancelled')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await failure, connection.isClosed]).toEqual([{ code: 'cancelled' }, true])
  })

  it('of a file that is written to meanwhile is not completed', async () => {
    const content = new Blob([new Uint8Array(2 * fileChunkBytes)])
    const slice = () => ({ arrayBuffer: () => Promise.reject(new Error('changed')) })
    const changed = { size: content.size, stream: () => content.stream(), slice }
    const failure = failureOf(files.upload(path('/x'), changed as unknown as Blob, () => {}))
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await failure, connection.isClosed]).toEqual([{ code: 'unreadable_source' }, true])
    expect(connection.sent.map(({ length }) => length)).toEqual([11, fileChunkBytes])
  })

  it('of a file that cannot be read here says so and ends the session', async () => {
    const stream = () => new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const broken = { size: 10, stream }
    const failure = failureOf(files.upload(path('/x'), broken as unknown as Blob, () => {}))
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await failure, connection.isClosed]).toEqual([{ code: 'unreadable_source' }, true])
  })
})

it('a path is sent as the bytes it came with', async () => {
  const raw = '/srv/\xff\xfe'
  connection.answer(() => void connection.sendToPage('NERRx'))
  await failureOf(files.list(raw))
  expect(hex(connection.sent[0] as Uint8Array)).toBe('002f7372762ffffe')
})

import { describe, expect, it, vi } from 'vitest'
import { rawFromText as path } from '../../../src/custom/files/transfer/remotePath.ts'
import { encodeUploaded, fileChunkBytes } from '../../../src/schemas/frames/file.ts'
import { exchangeOfEachTest, failureOf, hex } from '../../support/console/fileExchange.ts'
import { readSocketRecording } from '../../support/recorded/socketRecording.ts'

const exchange = exchangeOfEachTest()

describe('an upload', () => {
  const send = (name: string, size: number) =>
    exchange.files.upload(path(name), new Blob([new Uint8Array(size)]), () => {})

  it('sends the frames of the recorded session: header, then chunks of 1 MiB', async () => {
    const recorded = readSocketRecording('ws-file-upload-2.5MiB').filter(({ dir }) => dir === 'out')
    exchange.connection.answer(() => {
      if (exchange.connection.sent.length === recorded.length) void exchange.connection.sendToPage(encodeUploaded())
    })
    const done = send('/srv/demo/up.bin', 2.5 * 1024 * 1024)
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(hex(exchange.connection.sent[0] as Uint8Array)).toBe(recorded[0]?.hex)
    expect(exchange.connection.sent.map(({ length }) => length)).toEqual(recorded.map(({ length }) => length))
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
    exchange.connection.answer(() => {
      const arrived = exchange.connection.sent.slice(1).reduce((sum, { length }) => sum + length, 0)
      if (arrived === blob.size) void exchange.connection.sendToPage(encodeUploaded())
    })
    const done = exchange.files.upload(path('/x'), file as unknown as Blob, () => {})
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(Buffer.concat(exchange.connection.sent.slice(1)).equals(content)).toBe(true)
  })

  it('waits 300 ms for a refusal before the first chunk', async () => {
    void send('/x', 10)
    await vi.advanceTimersByTimeAsync(299)
    expect(exchange.connection.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(exchange.connection.sent).toHaveLength(2)
  })

  it('waits for the acknowledgement of a server that sends one, and no longer', async () => {
    exchange.reopen(true)
    const done = send('/x', 10)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(exchange.connection.sent.map(({ length }) => length)).toEqual([1, 11])
    expect(hex(exchange.connection.sent[0] as Uint8Array)).toBe('03')
    await exchange.connection.sendToPage('NZGO')
    await vi.advanceTimersByTimeAsync(0)
    expect(exchange.connection.sent).toHaveLength(3)
    await exchange.connection.sendToPage(encodeUploaded())
    await done
  })

  it('that a server with acknowledgements refuses, or does not answer, sends no data', async () => {
    exchange.reopen(true)
    const refused = failureOf(send('/x', 10))
    await vi.advanceTimersByTimeAsync(1_000)
    await exchange.connection.sendToPage('NERRopen /x: permission denied')
    expect(await refused).toEqual({ code: 'refused', message: 'open /x: permission denied' })
    const silent = failureOf(send('/x', 10))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await silent).toEqual({ code: 'silent' })
    expect(exchange.connection.sent.map(({ length }) => length)).toEqual([1, 11, 11])
  })

  it('that is refused sends no data, says the message, and leaves the session usable', async () => {
    exchange.replay('ws-file-upload-error-create')
    const failure = failureOf(send('/srv/demo/nodir/x', 3))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await failure).toEqual({ code: 'refused', message: 'open /srv/demo/nodir/x: no such file or directory' })
    expect([exchange.connection.sent.length, exchange.connection.isClosed]).toEqual([1, false])
  })

  it('that fails in the middle sends not one chunk more, and ends the session', async () => {
    exchange.connection.answer(() => {
      if (exchange.connection.sent.length === 3)
        void exchange.connection.sendToPage('NERRwrite /x: no space left on device')
    })
    const failure = failureOf(send('/x', 20 * fileChunkBytes))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await failure).toEqual({ code: 'refused', message: 'write /x: no space left on device' })
    expect([exchange.connection.sent.length, exchange.connection.isClosed]).toEqual([3, true])
  })

  it('of nothing is done with the header alone', async () => {
    const requests = exchange.replay('ws-file-upload-empty')
    await send('/srv/demo/up0.bin', 0)
    expect(exchange.connection.sent.map(hex)).toEqual([requests[0]?.hex])
  })

  it('is not done before the server says so', async () => {
    let isDone = false
    const done = send('/x', 10).then(() => {
      isDone = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isDone).toBe(false)
    await exchange.connection.sendToPage(encodeUploaded())
    await done
  })

  it('that the server calls done before all data was sent is a protocol error', async () => {
    exchange.connection.answer(() => void exchange.connection.sendToPage(encodeUploaded()))
    expect(await failureOf(send('/x', 10))).toEqual({ code: 'unknown' })
    expect(exchange.connection.isClosed).toBe(true)
  })

  it('can be cancelled in the middle', async () => {
    const failure = failureOf(send('/x', 10))
    await vi.advanceTimersByTimeAsync(1_000)
    exchange.files.end('cancelled')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await failure, exchange.connection.isClosed]).toEqual([{ code: 'cancelled' }, true])
  })

  it('of a file that is written to meanwhile is not completed', async () => {
    const content = new Blob([new Uint8Array(2 * fileChunkBytes)])
    const slice = () => ({ arrayBuffer: () => Promise.reject(new Error('changed')) })
    const changed = { size: content.size, stream: () => content.stream(), slice }
    const failure = failureOf(exchange.files.upload(path('/x'), changed as unknown as Blob, () => {}))
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await failure, exchange.connection.isClosed]).toEqual([{ code: 'unreadable_source' }, true])
    expect(exchange.connection.sent.map(({ length }) => length)).toEqual([11, fileChunkBytes])
  })

  it('of a file that cannot be read here says so and ends the session', async () => {
    const stream = () => new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const broken = { size: 10, stream }
    const failure = failureOf(exchange.files.upload(path('/x'), broken as unknown as Blob, () => {}))
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await failure, exchange.connection.isClosed]).toEqual([{ code: 'unreadable_source' }, true])
  })
})

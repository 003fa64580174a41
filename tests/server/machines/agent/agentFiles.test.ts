import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAgentFiles } from '../../../../server/machines/hosts/agent/agentFiles.ts'
import { createAgentStreams } from '../../../../server/machines/hosts/agent/agentStreams.ts'
import { uploadFrames } from '../../../../server/machines/hosts/agent/agentUpload.ts'
import {
  encodeDownloadHeader,
  encodeError,
  encodeUploaded,
  fileChunkBytes,
} from '../../../../src/schemas/frames/file.ts'
import { FakeAgentConnection, recordedFrames } from '../../../support/fakes/fakeAgentStreams.ts'

afterEach(() => void vi.useRealTimers())

const path = (text: string) => Buffer.from(text)
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: Error) => error.message,
  )

function start() {
  const connection = new FakeAgentConnection()
  const files = createAgentFiles(createAgentStreams({ connection, readConfig: async () => '{}' }))
  return { connection, files, streams: connection.streams }
}

/** An agent that says what the real one said after each of the recorded requests, and nothing else. */
function startRecorded() {
  const started = start()
  const frames = recordedFrames('file')
  const replies = new Map<string, Buffer[]>()
  for (const [index, { dir, bytes }] of frames.entries()) {
    if (dir === 'up') continue
    const next = frames.findIndex((frame, at) => at > index && frame.dir === 'down')
    const up = frames.slice(index + 1, next === -1 ? undefined : next).map((frame) => frame.bytes)
    replies.set(bytes.toString('hex'), up)
  }
  const unknown: string[] = []
  started.connection.onOpen = (stream) => {
    stream.reply = (frame) => {
      const found = replies.get(frame.toString('hex'))
      if (!found) unknown.push(frame.toString('latin1'))
      for (const reply of found ?? []) stream.send(reply)
    }
  }
  return { ...started, unknown }
}

async function contentOf(files: ReturnType<typeof start>['files'], name: string): Promise<Buffer> {
  const source = await files.open(path(name))
  const content = Buffer.alloc(source.size)
  try {
    await source.read(content)
  } finally {
    await source.close()
  }
  return content
}

describe('the files of an agent, as a real one answered', () => {
  it('are listed, and a folder that cannot be listed is answered with the home directory', async () => {
    const { files, unknown, streams } = startRecorded()
    const listing = await files.list(path('/srv/demo/files'))
    expect(listing.entries.map(({ name, isDirectory }) => `${Buffer.from(name)}${isDirectory ? '/' : ''}`)).toEqual([
      'big.bin',
      'dir1/',
      'empty',
      'small.txt',
    ])
    const home = await files.list(path('/srv/demo/files/none'))
    expect(Buffer.from(home.path).toString()).toBe('/root/')
    expect(unknown).toEqual([])
    expect(streams).toHaveLength(1)
    expect(streams[0]).toMatchObject({ type: 11, data: {} })
  })

  it('are read, whatever the size of the chunks', async () => {
    const { files } = startRecorded()
    expect(String(await contentOf(files, '/srv/demo/files/small.txt'))).toBe('small file\n')
    const big = await contentOf(files, '/srv/demo/files/big.bin')
    expect(big).toHaveLength(2_500_000)
    expect(big.subarray(0, 4).toString('hex')).toBe('00946a01')
    expect(big.subarray(fileChunkBytes, fileChunkBytes + 4).toString('hex')).toBe('fdaa4408')
    expect(big.subarray(2 * fileChunkBytes, 2 * fileChunkBytes + 4).toString('hex')).toBe('fec38b89')
  })

  it.each([
    ['/srv/demo/files/none', 'open download file: no such file or directory'],
    ['/srv/demo/files/empty', 'requested file is empty'],
    ['/srv/demo/files/dir1', 'read /srv/demo/files/dir1: is a directory'],
  ])('that cannot be read are refused with the words of the agent: %s', async (name, words) => {
    const { files } = startRecorded()
    expect(await messageOf(contentOf(files, name))).toBe(words)
  })

  it('are written: the header, then the data, then the confirmation', async () => {
    const { files, streams, connection } = start()
    connection.onOpen = (stream) => {
      stream.reply = () => {
        if (Buffer.concat(stream.received.slice(1)).toString() === 'hello world') stream.send(encodeUploaded())
      }
    }
    const sink = await files.beginUpload(path('/srv/demo/files/up.txt'), 11)
    await sink.write([path('hello '), path('world and more')])
    expect(await sink.finish()).toBe('in place')
    const recorded = recordedFrames('file').filter(({ dir }) => dir === 'down')
    const at = recorded.findIndex(({ bytes }) => bytes.toString().endsWith('up.txt'))
    expect(streams[0]?.received.map(String)).toEqual(recorded.slice(at, at + 3).map(({ bytes }) => String(bytes)))
  })

  it('of size 0 are written too', async () => {
    const { files, unknown } = startRecorded()
    const sink = await files.beginUpload(path('/srv/demo/files/zero'), 0)
    expect(await sink.finish()).toBe('in place')
    expect(unknown).toEqual([])
  })

  it('that cannot be written are refused with the words of the agent', async () => {
    const { files, streams } = startRecorded()
    const sink = await files.beginUpload(path('/srv/demo/none/up.txt'), 5)
    const words = 'open /srv/demo/none/up.txt: no such file or directory'
    expect(await messageOf(sink.write([path('hello')]).then(sink.finish))).toBe(words)
    await sink.abort()
    expect(streams[0]?.hasEnded).toBe(true)
  })
})

describe('a large upload', () => {
  it('that is refused sends no data', async () => {
    const { files, streams, connection } = start()
    connection.onOpen = (stream) => {
      stream.reply = () => stream.send(encodeError('open /x: permission denied'))
    }
    expect(await messageOf(files.beginUpload(path('/x'), 10_000_000))).toBe('open /x: permission denied')
    expect(streams[0]).toMatchObject({ hasEnded: true, received: { length: 1 } })
  })

  it('waits while the agent does not read, and stops at an error of the agent', async () => {
    const { files, streams } = start()
    const sink = await files.beginUpload(path('/x'), 10_000_000)
    const [stream] = streams
    if (!stream) throw new Error('no stream')
    stream.isBlocked = true
    let isWritten = false
    const writing = sink.write([Buffer.alloc(1000, 'a')]).then(() => {
      isWritten = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isWritten).toBe(false)
    stream.drain()
    await writing
    stream.send(encodeError('write /x: no space left on device'))
    expect(await messageOf(sink.write([Buffer.alloc(1000, 'a')]))).toBe('write /x: no space left on device')
  })

  it('never sends data that an agent could take for an order to write a file', () => {
    const order = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0]), path('/etc/passwd')])
    for (const data of [order, Buffer.alloc(100_000, 2), Buffer.concat([Buffer.alloc(512 * 1024, 7), order])]) {
      const frames = [...uploadFrames(data)]
      expect(Buffer.concat(frames).equals(data)).toBe(true)
      for (const frame of frames) expect(frame[0] === 2 && frame.length > 8 && frame.length < 128 * 1024).toBe(false)
    }
    expect([...uploadFrames(Buffer.alloc(2_000_000, 2))].length).toBeLessThan(20_000)
  })
})

describe('a file session of an agent', () => {
  it('is used again by the next request, and by no two at once', async () => {
    const { files, streams } = startRecorded()
    await contentOf(files, '/srv/demo/files/small.txt')
    await files.list(path('/srv/demo/files'))
    expect(streams).toHaveLength(1)
    await Promise.all([files.list(path('/srv/demo/files')), files.list(path('/srv/demo/files'))])
    expect(streams).toHaveLength(2)
  })

  it('ends when nobody uses it, or when it was left in the middle of a file', async () => {
    vi.useFakeTimers()
    const { files, streams } = startRecorded()
    await files.list(path('/srv/demo/files'))
    expect(streams[0]?.hasEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(streams[0]?.hasEnded).toBe(true)
    const source = await files.open(path('/srv/demo/files/big.bin'))
    await source.close()
    expect(streams[1]?.hasEnded).toBe(true)
  })

  it('that stays silent fails after ten seconds', async () => {
    vi.useFakeTimers()
    const { files, streams } = start()
    const message = messageOf(files.list(path('/')))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await message).toBe('the agent did not answer within 10 s')
    expect(streams[0]?.hasEnded).toBe(true)
  })

  it('that breaks fails at once, in every operation', async () => {
    const { files, connection } = start()
    connection.onOpen = (stream) => {
      stream.reply = (frame) => {
        if (frame[0] === 1) stream.send(encodeDownloadHeader(100))
        stream.endByAgent()
      }
    }
    const lost = 'the connection to the agent was lost'
    expect(await messageOf(files.list(path('/')))).toBe(lost)
    expect(await messageOf(contentOf(files, '/x'))).toBe(lost)
    expect(await messageOf(files.beginUpload(path('/x'), 10_000_000))).toBe(lost)
  })

  it('keeps little in memory of a file that nobody reads on', async () => {
    const { files, streams, connection } = start()
    connection.onOpen = (stream) => {
      stream.reply = () => {
        stream.send(encodeDownloadHeader(100 * fileChunkBytes))
        for (let count = 0; count < 100; count++) stream.send(Buffer.alloc(fileChunkBytes, count))
      }
    }
    const source = await files.open(path('/big'))
    expect(streams[0]?.isPaused).toBe(true)
    const into = Buffer.alloc(fileChunkBytes)
    for (let count = 0; count < 100; count++) {
      await source.read(into)
      expect(into[0]).toBe(count)
    }
    await source.close()
    expect(streams[0]?.hasEnded).toBe(false)
  })

  it('that sends more than it announced, or an unknown answer, is out of step and ends', async () => {
    const { files, streams, connection } = start()
    connection.onOpen = (stream) => {
      stream.reply = (frame) => {
        stream.send(frame[0] === 1 ? encodeDownloadHeader(3) : 'WHAT')
        stream.send('abcdef')
      }
    }
    expect(await messageOf(files.list(path('/')))).toBe('the agent sent an unknown answer')
    expect(await messageOf(contentOf(files, '/x'))).toBe('the agent sent more than it announced')
    expect(streams.map(({ hasEnded }) => hasEnded)).toEqual([true, true])
  })
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { decodeFileReply, encodeAnnounceReady, encodeUploadRequest } from '../../../src/schemas/frames/file.ts'
import { ask, namesIn, upload } from '../../support/console/fileRequests.ts'
import { startFileServer } from '../../support/server/fixtures/fileServer.ts'

const textOf = (path: string) => readFileSync(path, 'utf8')
const refused = { kind: 'error', text: expect.stringContaining('no such file or directory') }

describe('an upload over a session', () => {
  it('that is cut off in the middle leaves the old file and nothing else', async () => {
    const { home, connect, audit } = await startFileServer()
    writeFileSync(join(home, 'file'), 'old')
    const connection = await connect()
    connection.send(encodeUploadRequest(join(home, 'file'), 100))
    connection.send(Buffer.from('half'))
    await vi.waitFor(() => expect(readdirSync(home)).toHaveLength(2))
    expect(textOf(join(home, 'file'))).toBe('old')
    connection.socket.terminate()
    await vi.waitFor(() => expect(readdirSync(home)).toEqual(['file']))
    expect(textOf(join(home, 'file'))).toBe('old')
    await vi.waitFor(() =>
      expect(audit.at(-1)).toMatchObject({ action: 'file.upload', detail: { outcome: 'cancelled' } }),
    )
  })

  it('whose sign-in ends before its last byte, or while that is written, leaves the old file and nothing else', async () => {
    const { home, host, connect, endSessions, audit } = await startFileServer()
    writeFileSync(join(home, 'file'), 'old')
    const early = await connect()
    early.send(encodeUploadRequest(join(home, 'file'), 8))
    early.send(Buffer.from('half'))
    await vi.waitFor(() => expect(readdirSync(home)).toHaveLength(2))
    endSessions()
    early.send(Buffer.from('half'))
    expect(await early.closed).toBe(1006)

    const late = await connect()
    const { beginUpload } = host.files
    host.files.beginUpload = async (...upload) => {
      const sink = await beginUpload(...upload)
      return { ...sink, write: (pieces) => sink.write(pieces).then(endSessions) }
    }
    late.send(encodeUploadRequest(join(home, 'file'), 8))
    late.send(Buffer.from('all of it'))
    expect(await late.closed).toBe(1006)
    await vi.waitFor(() => expect(readdirSync(home)).toEqual(['file']))
    expect(textOf(join(home, 'file'))).toBe('old')
    const outcomes = () => audit.filter(({ action }) => action === 'file.upload').map(({ detail }) => detail?.outcome)
    await vi.waitFor(() => expect(outcomes()).toEqual(['cancelled', 'cancelled']))
  })

  it('leaves nothing behind when the server stops', async () => {
    const { home, connect, close } = await startFileServer()
    const connection = await connect()
    connection.send(encodeUploadRequest(join(home, 'file'), 100))
    connection.send(Buffer.from('half'))
    await vi.waitFor(() => expect(readdirSync(home)).toHaveLength(1))
    await close()
    expect(readdirSync(home)).toEqual([])
    expect(await connection.closed).toBe(1006)
  })

  it('takes everything as data until its last byte', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    connection.send(encodeUploadRequest(join(home, 'file'), 6))
    connection.send(Buffer.of(0))
    connection.send(encodeUploadRequest('', 1).subarray(0, 5))
    expect(decodeFileReply(await connection.next())).toEqual({ kind: 'uploaded' })
    expect([...readFileSync(join(home, 'file'))]).toEqual([0, 2, 0, 0, 0, 0])
    expect(await namesIn(connection, home)).toEqual(['file'])
  })

  it('that fails in the middle gets the reason once, and what follows of it is ignored', async () => {
    const { home, connect, audit } = await startFileServer()
    const connection = await connect()
    const chunk = Buffer.alloc(8192)
    connection.send(encodeUploadRequest('/dev/full', 4 * chunk.length))
    for (let count = 0; count < 4; count++) connection.send(chunk)
    expect(decodeFileReply(await connection.next())).toEqual({
      kind: 'error',
      text: 'write /dev/full: no space left on device',
    })
    expect(await namesIn(connection, home)).toEqual([])
    expect(audit.at(-1)).toMatchObject({ action: 'file.upload', detail: { bytes: 0, outcome: 'failed' } })
  })
})

describe('a frame of data', () => {
  it('is taken in however many pieces it comes', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    const pieces = Array.from({ length: 300 }, (_, count) => Buffer.alloc(count * 7, `${count} `))
    const content = Buffer.concat(pieces)
    connection.send(encodeUploadRequest(join(home, 'new'), content.length))
    for (const [at, piece] of pieces.entries()) connection.socket.send(piece, { fin: at === pieces.length - 1 })
    expect(decodeFileReply(await connection.next())).toEqual({ kind: 'uploaded' })
    expect(readFileSync(join(home, 'new')).equals(content)).toBe(true)
  })
})

describe('data that follows a refused upload', () => {
  it('never touches a file, even when it reads as an upload', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    writeFileSync(join(home, 'victim'), 'old')
    const hostile = encodeUploadRequest(join(home, 'victim'), 0)
    expect(await upload(connection, join(home, 'none/file'), Buffer.from(hostile))).toEqual(refused)
    const text = 'the upload before this one failed: send this one again'
    expect(decodeFileReply(await connection.next())).toEqual({ kind: 'error', text })
    expect(textOf(join(home, 'victim'))).toBe('old')
  })

  it('never touches a file when it comes in chunks, the last of which reads as an upload', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    writeFileSync(join(home, 'victim'), 'old')
    const hostile = encodeUploadRequest(join(home, 'victim'), 0)
    const chunk = Buffer.concat([hostile, Buffer.alloc(5000, 'x')])
    connection.send(encodeUploadRequest(join(home, 'none/file'), 3 * chunk.length + hostile.length))
    for (let count = 0; count < 3; count++) connection.send(chunk)
    connection.send(hostile)
    expect(decodeFileReply(await connection.next())).toEqual(refused)
    expect(decodeFileReply(await connection.next()).kind).toBe('error')
    expect(await namesIn(connection, home)).toEqual(['victim'])
    expect(textOf(join(home, 'victim'))).toBe('old')
  })

  it('does not keep an honest client from its next request', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    for (let count = 0; count < 3; count++) {
      expect(await ask(connection, encodeUploadRequest(join(home, 'none/file'), 1000))).toEqual(refused)
      expect(await upload(connection, join(home, `file ${count}`), Buffer.from('x'))).toEqual({ kind: 'uploaded' })
      expect(await ask(connection, encodeUploadRequest(join(home, 'none/file'), 1000))).toEqual(refused)
      expect(await namesIn(connection, home)).toHaveLength(count + 1)
    }
  })

  it('is asked for again when it could be a request, and then accepted', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    const header = encodeUploadRequest(join(home, 'file'), 0)
    expect(await ask(connection, encodeUploadRequest(join(home, 'none/file'), header.length))).toEqual(refused)
    expect(await ask(connection, header)).toMatchObject({ kind: 'error' })
    expect(await ask(connection, header)).toEqual({ kind: 'uploaded' })
  })

  it('is not waited for longer than a minute', async () => {
    const { home, connect, clock } = await startFileServer()
    const connection = await connect()
    expect(await ask(connection, encodeUploadRequest(join(home, 'none/file'), 3))).toEqual(refused)
    clock.now += 61_000
    expect(await ask(connection, Buffer.of(2, 0, 0))).toEqual({ kind: 'error', text: 'data is invalid' })
  })
})

describe('a client that has asked for acknowledgements', () => {
  async function connectTold() {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    connection.send(encodeAnnounceReady())
    return { home, connection }
  }

  it('gets one when the data of an upload may come', async () => {
    const { home, connection } = await connectTold()
    expect(await ask(connection, encodeUploadRequest(join(home, 'new'), 3))).toEqual({ kind: 'ready' })
    connection.send(Buffer.from('new'))
    expect(decodeFileReply(await connection.next())).toEqual({ kind: 'uploaded' })
    expect(textOf(join(home, 'new'))).toBe('new')
    expect(await ask(connection, encodeUploadRequest(join(home, 'empty'), 0))).toEqual({ kind: 'uploaded' })
  })

  it('can send requests at once after a refusal: no data of it can be under way', async () => {
    const { home, connection } = await connectTold()
    const next = encodeUploadRequest(join(home, 'new'), 3)
    expect(await ask(connection, encodeUploadRequest(join(home, 'none/file'), next.length))).toEqual(refused)
    expect(await ask(connection, next)).toEqual({ kind: 'ready' })
  })
})

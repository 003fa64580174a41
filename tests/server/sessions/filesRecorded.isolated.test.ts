import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  decodeFileReply,
  decodeFileRequest,
  encodeDownloadRequest,
  encodeError,
  encodeList,
  encodeListRequest,
  encodeUploadRequest,
} from '../../../src/schemas/frames/file.ts'
import { type RecordedMessage, readSocketRecording } from '../../support/recorded/socketRecording.ts'
import type { FileConnection } from '../../support/server/fixtures/fileConnection.ts'
import { startFileServer } from '../../support/server/fixtures/fileServer.ts'
import { asUnprivilegedUser } from '../../support/server/process/asUnprivilegedUser.ts'
import { makePipe } from '../../support/server/process/makePipe.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const MiB = 1024 * 1024

/** The folders of the machine that was recorded, as they are here. */
interface Places {
  '/srv/demo': string
  '/root': string
}

/** Any bytes, but not the same everywhere. */
function content(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + Math.floor(at / 251)) % 256))
}

function makeDemo(): Places {
  const demo = temporaryFolder()
  const home = temporaryFolder()
  for (const folder of ['.hiddendir', 'dir b', 'dir1/sub', 'private'])
    mkdirSync(join(demo, folder), { recursive: true })
  for (const file of ['.hidden', 'n'.repeat(255), 'up.bin', 'ünï文件.txt', 'private/f']) {
    writeFileSync(join(demo, file), 'x')
  }
  writeFileSync(join(demo, 'big.bin'), content(3 * MiB))
  writeFileSync(join(demo, 'small.txt'), 'hello\n')
  writeFileSync(join(demo, 'empty.txt'), '')
  makePipe(join(demo, 'fifo'))
  symlinkSync('/nowhere/at/all', join(demo, 'broken'))
  symlinkSync('dir1', join(demo, 'linkdir'))
  symlinkSync('small.txt', join(demo, 'linkfile'))
  mkdirSync(join(home, '.config'))
  for (const file of ['.bash_history', 'readme.txt']) writeFileSync(join(home, file), 'x')
  return { '/srv/demo': demo, '/root': home }
}

function moved(path: Uint8Array | string, places: Places): string {
  const text = typeof path === 'string' ? path : String(Buffer.from(path))
  return Object.entries(places).reduce((moving, [recorded, here]) => moving.replaceAll(recorded, here), text)
}

/** What the recorded client sent, with the paths of here. Of long frames only the length was recorded. */
function sent({ text, opcode, hex, length = 0 }: RecordedMessage, places: Places): Uint8Array | string {
  if (opcode === 'text') return text ?? ''
  if (hex === undefined) return content(length)
  const frame = Buffer.from(hex, 'hex')
  const request = decodeFileRequest(frame)
  if (request.kind === 'list') return encodeListRequest(moved(request.path, places))
  if (request.kind === 'download') return encodeDownloadRequest(moved(request.path, places))
  if (request.kind === 'upload') return encodeUploadRequest(moved(request.path, places), request.size)
  return frame
}

/** What the recorded server answered, with the paths of here. */
function answered({ hex, length = 0 }: RecordedMessage, places: Places): Uint8Array | { length: number } {
  if (hex === undefined) return { length }
  const frame = Buffer.from(hex, 'hex')
  const reply = decodeFileReply(frame)
  if (reply.kind === 'list') return encodeList(Buffer.from(moved(reply.path, places)), reply.entries)
  if (reply.kind === 'error') return encodeError(moved(reply.text, places))
  return frame
}

/** The recorded server called these empty; this one says what a pipe is, and reads what the kernel shows. */
const answeredBetter = ['/srv/demo/fifo', '/proc/version']

function isAnsweredBetter({ opcode, hex }: RecordedMessage): boolean {
  if (opcode !== 'binary' || hex === undefined) return false
  const request = decodeFileRequest(Buffer.from(hex, 'hex'))
  return request.kind === 'download' && answeredBetter.includes(String(Buffer.from(request.path)))
}

/** Plays a recorded session, waiting for each answer before the next request, and gives the frames of bulk data. */
async function replay(name: string, { send, next }: FileConnection, places: Places): Promise<Buffer[]> {
  const bulk: Buffer[] = []
  let isLeftOut = false
  for (const message of readSocketRecording(name)) {
    if (message.opcode !== 'binary' && message.opcode !== 'text') continue
    if (message.dir === 'out') isLeftOut = isAnsweredBetter(message)
    if (isLeftOut) continue
    if (message.dir === 'out') {
      send(sent(message, places))
      continue
    }
    const frame = await next()
    const expected = answered(message, places)
    if (expected instanceof Uint8Array) expect(frame.toString('latin1')).toBe(Buffer.from(expected).toString('latin1'))
    else {
      expect(frame).toHaveLength(expected.length)
      bulk.push(frame)
    }
  }
  return bulk
}

/** Nothing more has come: the answer to what is asked now is the next frame. */
async function expectSilence({ send, next, waiting }: FileConnection, places: Places): Promise<void> {
  send(encodeListRequest(places['/srv/demo']))
  expect(decodeFileReply(await next())).toMatchObject({ kind: 'list', path: Buffer.from(places['/srv/demo']) })
  expect(waiting()).toBe(0)
}

async function connected() {
  const places = makeDemo()
  const server = await startFileServer({ home: places['/root'] })
  return { ...server, places, connection: await server.connect() }
}

describe('a recorded file session goes the same way', () => {
  it('when directories are listed, and those that cannot be', async () => {
    const { connection, places, home } = await connected()
    // Of the machine that was recorded, `.` was the folder of its agent; here it is the home directory.
    const isDot = ({ hex }: RecordedMessage) => hex === '002e' || hex?.startsWith('4e5a464e000000012e')
    const recorded = readSocketRecording('ws-file-list').filter(
      (message) => message.opcode === 'binary' && !isDot(message),
    )
    for (const message of recorded) {
      if (message.dir === 'out') connection.send(sent(message, places))
      else expect(await connection.next()).toEqual(Buffer.from(answered(message, places) as Uint8Array))
    }
    connection.send(encodeListRequest('.'))
    expect(decodeFileReply(await connection.next())).toMatchObject({ path: Buffer.from('.'), entries: { length: 3 } })
    expect(home).toBe(places['/root'])
  })

  it('when files are downloaded, and what is none', async () => {
    const { connection, places } = await connected()
    await replay('ws-file-download-small-and-errors', connection, places)
    const chunks = await replay('ws-file-download-3MiB', connection, places)
    expect(Buffer.concat(chunks).equals(content(3 * MiB))).toBe(true)
    await expectSilence(connection, places)
  })

  it.each(['ws-file-upload-2.5MiB', 'ws-file-upload-single-big-frame'])('when a file is uploaded: %s', async (name) => {
    const { connection, places } = await connected()
    await replay(name, connection, places)
    const [header, ...data] = readSocketRecording(name).filter(({ dir }) => dir === 'out')
    const path = moved(Buffer.from(header?.hex?.slice(18) ?? '', 'hex'), places)
    const expected = Buffer.concat(data.map(({ length = 0 }) => content(length)))
    expect(readFileSync(path).equals(expected)).toBe(true)
    await expectSilence(connection, places)
  })

  it('when an empty file is uploaded, one is replaced, one gets more than announced', async () => {
    const { connection, places } = await connected()
    const read = (name: string) => readFileSync(join(places['/srv/demo'], name), 'utf8')
    await replay('ws-file-upload-empty', connection, places)
    await replay('ws-file-upload-overwrite', connection, places)
    await replay('ws-file-upload-too-many-bytes', connection, places)
    expect([read('up0.bin'), read('small.txt'), read('upx.bin')]).toEqual(['', 'new\n', 'abcdef'])
    await expectSilence(connection, places)
  })

  it('when an upload is refused, and its data comes all the same', async () => {
    const { connection, places } = await connected()
    await replay('ws-file-upload-error-create', connection, places)
    await replay('ws-file-upload-error-then-data', connection, places)
    await expectSilence(connection, places)
  })

  it('when the machine refuses', async () => {
    const { connection, places, home } = await connected()
    const folders = [home, places['/srv/demo']]
    for (const folder of folders) chmodSync(folder, 0o755)
    chmodSync(join(places['/srv/demo'], 'private'), 0)
    // Of the first listing, which shows the home directory instead, not all was recorded.
    const messages = readSocketRecording('ws-file-permission-denied').filter(({ opcode }) => opcode === 'binary')
    await asUnprivilegedUser(async () => {
      connection.send(sent(messages[0] as RecordedMessage, places))
      expect(decodeFileReply(await connection.next())).toMatchObject({
        path: Buffer.from(`${home}/`),
        entries: { length: 3 },
      })
      for (const message of messages.slice(2)) {
        if (message.dir === 'out') connection.send(sent(message, places))
        else expect(await connection.next()).toEqual(Buffer.from(answered(message, places) as Uint8Array))
      }
    })
    chmodSync(join(places['/srv/demo'], 'private'), 0o700)
  })

  it('when frames make no sense, or are text', async () => {
    const { connection, places } = await connected()
    for (const name of ['empty-frame', 'opcode-3', 'opcode-255', 'upload-short-header']) {
      await replay(`ws-file-bad-${name}`, connection, places)
    }
    await replay('ws-file-text-frame', connection, places)
    await expectSilence(connection, places)
  })

  it('when it ends in the middle of an upload, but leaves no half of a file', async () => {
    const { connection, places, close } = await connected()
    await replay('ws-file-upload-aborted', connection, places)
    await close()
    expect(() => readFileSync(join(places['/srv/demo'], 'part.bin'))).toThrow('ENOENT')
  })

  it.each(['ws-file-list-during-download', 'ws-file-two-downloads-at-once'])(
    'when two things are asked for at once, but one is answered after the other: %s',
    async (name) => {
      const { connection, places } = await connected()
      const messages = readSocketRecording(name)
      for (const message of messages.filter(({ dir }) => dir === 'out')) connection.send(sent(message, places))
      const expected = messages.filter(({ dir }) => dir === 'in').map((message) => answered(message, places))
      const isBulk = (frame: { length: number }) => frame.length === MiB
      const inOrder = [
        ...expected.slice(0, 1),
        ...expected.filter(isBulk),
        ...expected.slice(1).filter((f) => !isBulk(f)),
      ]
      const data: Buffer[] = []
      for (const due of inOrder) {
        const frame = await connection.next()
        if (due instanceof Uint8Array) expect(frame).toEqual(Buffer.from(due))
        else data.push(frame)
      }
      expect(Buffer.concat(data).equals(content(3 * MiB))).toBe(true)
      await expectSilence(connection, places)
    },
  )
})

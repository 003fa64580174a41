import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DecodedFileRequest,
  decodeFileReply,
  decodeFileRequest,
  encodeAnnounceReady,
  encodeDownloadHeader,
  encodeDownloadRequest,
  encodeError,
  encodeList,
  encodeListRequest,
  encodeReady,
  encodeUploaded,
  encodeUploadRequest,
  type FileEntry,
  type FileReply,
  type FileRequest,
  fileChunkBytes,
  isDownloadError,
} from '../../../src/schemas/frames/file.ts'
import { readSocketRecording } from '../../support/recorded/socketRecording.ts'

const folder = new URL('../../../docs/contract/recordings', import.meta.url)
const recorded = readdirSync(folder)
  .filter((name) => name.startsWith('ws-file-'))
  .flatMap((name) => readSocketRecording(name.replace('.json', '')))
const framesOf = (dir: 'in' | 'out') =>
  recorded.flatMap((message) => (message.dir === dir && message.hex !== undefined ? [message.hex] : []))

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => new TextEncoder().encode(text)
const anyPath = fc.uint8Array({ maxLength: 40 })
const anySize = fc.maxSafeNat()

function encodeRequest(request: FileRequest): Uint8Array {
  if (request.kind === 'list') return encodeListRequest(request.path)
  if (request.kind === 'download') return encodeDownloadRequest(request.path)
  return encodeUploadRequest(request.path, request.size)
}

function isRequest(request: DecodedFileRequest): request is FileRequest {
  return 'path' in request
}

function encodeReply(reply: Exclude<FileReply, { kind: 'unknown' }>): Uint8Array {
  if (reply.kind === 'list') return encodeList(reply.path, reply.entries)
  if (reply.kind === 'download') return encodeDownloadHeader(reply.size)
  if (reply.kind === 'uploaded') return encodeUploaded()
  if (reply.kind === 'ready') return encodeReady()
  return encodeError(reply.text)
}

describe('frames of a file session', () => {
  it('are written as the recorded console wrote its requests', () => {
    const requests = framesOf('out').map((frame) => ({ frame, request: decodeFileRequest(Buffer.from(frame, 'hex')) }))
    const real = requests.filter(({ request }) => isRequest(request))
    expect(real.length).toBeGreaterThan(30)
    for (const { frame, request } of real) {
      if (isRequest(request)) expect(hex(encodeRequest(request))).toBe(frame)
    }
  })

  it('are written as the recorded server wrote its replies', () => {
    const replies = framesOf('in').map((frame) => ({ frame, reply: decodeFileReply(Buffer.from(frame, 'hex')) }))
    const real = replies.filter(({ reply }) => reply.kind !== 'unknown')
    expect(real.length).toBeGreaterThan(35)
    for (const { frame, reply } of real) {
      if (reply.kind !== 'unknown') expect(hex(encodeReply(reply))).toBe(frame)
    }
    // What is left is the content of the small file.
    expect(new Set(replies.filter(({ reply }) => reply.kind === 'unknown').map(({ frame }) => frame))).toEqual(
      new Set([hex(bytes('hello\n'))]),
    )
  })

  it('name the path, the size and the entries that were recorded', () => {
    const [upload] = readSocketRecording('ws-file-upload-2.5MiB')
    expect(decodeFileRequest(Buffer.from(upload?.hex ?? '', 'hex'))).toEqual({
      kind: 'upload',
      path: Buffer.from('/srv/demo/up.bin'),
      size: 2_621_440,
    })
    const list = decodeFileReply(Buffer.from(readSocketRecording('ws-file-list')[2]?.hex ?? '', 'hex'))
    if (list.kind !== 'list') throw new Error(`read as ${list.kind}`)
    expect(String(Buffer.from(list.path))).toBe('/srv/demo')
    const names = list.entries.map(({ name, isDirectory }) => [String(Buffer.from(name)), isDirectory])
    expect(names).toHaveLength(15)
    expect(names.slice(0, 5)).toEqual([
      ['.hidden', false],
      ['.hiddendir', true],
      ['big.bin', false],
      ['broken', false],
      ['dir b', true],
    ])
    expect(names.at(-4)?.[0]).toBe('private')
    expect(names.at(-1)?.[0]).toBe('ünï文件.txt')
  })

  it('with an unknown opcode are ignored, and a short upload header is refused', () => {
    for (const frame of ['', 'ff', '0341']) expect(decodeFileRequest(Buffer.from(frame, 'hex')).kind).toBe('ignored')
    for (const frame of ['02', '020000', '0200000000000000']) {
      expect(decodeFileRequest(Buffer.from(frame, 'hex')).kind).toBe('invalid')
    }
    expect(decodeFileRequest(Buffer.from('020000000000000003', 'hex'))).toMatchObject({ kind: 'upload', size: 3 })
    expect(decodeFileRequest(Buffer.from('02ffffffffffffffff2f', 'hex')).kind).toBe('invalid')
  })

  it('request and announce that data may be sent', () => {
    expect(hex(encodeAnnounceReady())).toBe('03')
    expect(decodeFileRequest(encodeAnnounceReady())).toEqual({ kind: 'announceReady' })
    expect(decodeFileReply(encodeReady())).toEqual({ kind: 'ready' })
  })

  it('carry every path and every size there and back', () => {
    fc.assert(
      fc.property(anyPath, anySize, (path, size) => {
        for (const request of [
          { kind: 'list', path },
          { kind: 'download', path },
          { kind: 'upload', path, size },
        ]) {
          expect(decodeFileRequest(encodeRequest(request as FileRequest))).toEqual(request)
        }
        expect(decodeFileReply(encodeDownloadHeader(size))).toEqual({ kind: 'download', size })
      }),
    )
  })

  it('carry every listing there and back', () => {
    const entry: fc.Arbitrary<FileEntry> = fc.record({
      name: fc.uint8Array({ minLength: 1, maxLength: 255 }),
      isDirectory: fc.boolean(),
    })
    fc.assert(
      fc.property(anyPath, fc.array(entry, { maxLength: 20 }), (path, entries) => {
        expect(decodeFileReply(encodeList(path, entries))).toEqual({ kind: 'list', path, entries })
      }),
    )
  })

  it('that are broken are read without an exception, and never as more than they hold', () => {
    const beginnings = ['', 'NZFN', 'NZTD', 'NERR', 'NZUP'].map(bytes)
    const broken = fc
      .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 60 }))
      .map(([beginning, rest]) => Uint8Array.from([...beginning, ...rest]))
    fc.assert(
      fc.property(broken, (frame) => {
        const request = decodeFileRequest(frame)
        if (isRequest(request)) expect(hex(encodeRequest(request))).toBe(hex(frame))
        const reply = decodeFileReply(frame)
        if (reply.kind === 'list') {
          const length = reply.entries.reduce((sum, { name }) => sum + 2 + name.length, 8 + reply.path.length)
          expect(length).toBe(frame.length)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('that are cut short anywhere are no listing', () => {
    const whole = encodeList(bytes('/srv'), [{ name: bytes('a'), isDirectory: true }])
    for (let length = 0; length < whole.length; length++) {
      // Cut after the path, it is the listing of an empty directory.
      const kind = length === whole.length - 3 ? 'list' : 'unknown'
      expect(decodeFileReply(whole.subarray(0, length)).kind).toBe(kind)
    }
  })
})

describe('a frame within a download', () => {
  const error = encodeError('read /srv/dir: is a directory')

  it('is an error when it is shorter than the data that is due', () => {
    expect(isDownloadError(error, 4096, '/srv/dir')).toBe(true)
    expect(isDownloadError(error, 3 * fileChunkBytes, '/elsewhere')).toBe(true)
  })

  it('is data when it fills what is due, whatever it begins with', () => {
    const data = bytes('NERR is how this file begins')
    expect(isDownloadError(data, data.length, '/srv/file')).toBe(false)
    expect(isDownloadError(bytes('hello\n'), 4096, '/srv/file')).toBe(false)
    const chunk = new Uint8Array(fileChunkBytes)
    chunk.set(data)
    expect(isDownloadError(chunk, 5 * fileChunkBytes, '/srv/file')).toBe(false)
  })

  it('is an error when by chance it fills what is due but names the path', () => {
    expect(isDownloadError(error, error.length, '/srv/dir')).toBe(true)
  })
})

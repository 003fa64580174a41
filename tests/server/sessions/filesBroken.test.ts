import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  decodeFileReply,
  decodeFileRequest,
  encodeListRequest,
  encodeUploadRequest,
} from '../../../src/schemas/frames/file.ts'
import type { FileConnection } from '../../support/server/fixtures/fileConnection.ts'
import { startFileServer } from '../../support/server/fixtures/fileServer.ts'

/** A folder with all that is in it: what is there, when it changed and what it holds. */
function snapshot(folder: string): [string, number, string][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return names.map((name) => {
    const path = join(folder, name)
    const found = statSync(path)
    return [name, found.mtimeMs, found.isDirectory() ? '' : readFileSync(path, 'utf8')]
  })
}

async function jail() {
  const server = await startFileServer()
  const { home } = server
  mkdirSync(join(home, 'folder'))
  writeFileSync(join(home, 'victim'), 'old')
  writeFileSync(join(home, 'folder/file'), 'x'.repeat(5000))
  return { ...server, connection: await server.connect() }
}

/** Reads all that was answered, up to a listing that is asked for now; the session must still be of use. */
async function settle({ send, next }: FileConnection, path: string): Promise<void> {
  send(encodeListRequest(path))
  for (;;) {
    const reply = decodeFileReply(await next())
    if (reply.kind === 'list' && String(Buffer.from(reply.path)) === path) return
  }
}

/** Every run asks for another listing at its end: slashes more or less lead to the same folder. */
function pathsTo(folder: string): () => string {
  let runs = 0
  return () => `${folder}${'/'.repeat(++runs)}`
}

it('broken frames change no file, and the session goes on', async () => {
  const { home, connection } = await jail()
  const before = snapshot(home)
  const nextPath = pathsTo(home)
  const size = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(value)
    return bytes
  })
  const nowhere = ['', '/', 'missing/file', 'folder', 'victim/', 'a\0b', '/proc/nothing', 'n'.repeat(5000)]
  const path = fc.constantFrom(...nowhere)
  const frame = fc
    .oneof(
      fc.uint8Array({ maxLength: 50 }),
      fc.tuple(fc.nat(255), path).map(([opcode, text]) => Buffer.concat([Buffer.of(opcode), Buffer.from(text)])),
      fc.tuple(size, path).map(([bytes, text]) => Buffer.concat([Buffer.of(2), bytes, Buffer.from(text)])),
      fc.string({ maxLength: 50 }),
    )
    // An upload to somewhere is in order, and may make a file.
    .filter((sent) => {
      const request = typeof sent === 'string' ? undefined : decodeFileRequest(sent)
      return request?.kind !== 'upload' || nowhere.includes(String(Buffer.from(request.path)))
    })
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 8 }), async (frames) => {
      for (const sent of frames) connection.send(sent)
      await settle(connection, nextPath())
      expect(snapshot(home)).toEqual(before)
    }),
    { numRuns: 150 },
  )
})

it('the data of a refused upload changes no file, whatever it reads like', async () => {
  const { home, connection } = await jail()
  const before = snapshot(home)
  const nextPath = pathsTo(home)
  const hostile = fc.constantFrom(
    encodeUploadRequest(join(home, 'victim'), 0),
    encodeUploadRequest(join(home, 'victim'), 3),
    encodeUploadRequest('victim', 0),
    encodeUploadRequest(join(home, 'made'), 0),
    Uint8Array.of(2, 0, 0),
    Uint8Array.of(1, 47),
  )
  const data = fc.record({
    /** What each chunk begins with. */
    hostile,
    chunkBytes: fc.integer({ min: 4200, max: 9000 }),
    chunks: fc.nat(3),
    /** Whether the last chunk is nothing but what it begins with. */
    isBare: fc.boolean(),
    filling: fc.nat(255),
  })
  await fc.assert(
    fc.asyncProperty(data, async ({ hostile: beginning, chunkBytes, chunks, isBare, filling }) => {
      const chunk = Buffer.concat([beginning, Buffer.alloc(chunkBytes - beginning.length, filling)])
      const last = isBare ? beginning : chunk.subarray(0, beginning.length + 10)
      connection.send(encodeUploadRequest(join(home, 'missing/file'), chunks * chunkBytes + last.length))
      for (let count = 0; count < chunks; count++) connection.send(chunk)
      connection.send(last)
      await settle(connection, nextPath())
      expect(snapshot(home)).toEqual(before)
    }),
    { numRuns: 150 },
  )
})

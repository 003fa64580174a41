import { createHash, randomBytes } from 'node:crypto'
import { expect, vi } from 'vitest'
import {
  decodeFileReply,
  encodeDownloadRequest,
  encodeListRequest,
  encodeUploadRequest,
  type FileReply,
  fileChunkBytes,
} from '../../../src/schemas/frames/file.ts'
import type { FileConnection } from '../server/fixtures/fileConnection.ts'

/** Sends a request and reads the reply to it. */
export async function ask({ send, next }: FileConnection, frame: Uint8Array): Promise<FileReply> {
  send(frame)
  return decodeFileReply(await next())
}

/** The names in a directory, one letter per byte. */
export async function namesIn(connection: FileConnection, path: string | Uint8Array): Promise<string[]> {
  const reply = await ask(connection, encodeListRequest(path))
  return reply.kind === 'list' ? reply.entries.map(({ name }) => Buffer.from(name).toString('latin1')) : [reply.kind]
}

/** The content of a file. */
export async function download(connection: FileConnection, path: string | Uint8Array): Promise<Buffer> {
  const header = await ask(connection, encodeDownloadRequest(path))
  if (header.kind !== 'download') throw new Error(JSON.stringify(header))
  let content = Buffer.alloc(0)
  while (content.length < header.size) content = Buffer.concat([content, await connection.next()])
  return content
}

/** Sends a file in one frame. */
export async function upload(
  connection: FileConnection,
  path: string | Uint8Array,
  content: Buffer,
): Promise<FileReply> {
  connection.send(encodeUploadRequest(path, content.length))
  if (content.length > 0) connection.send(content)
  return decodeFileReply(await connection.next())
}

const MiB = 1024 * 1024

/** Sends a file of random content in full chunks, at the pace of the connection. @returns its SHA-256 */
export async function uploadRandom({ socket, send, next }: FileConnection, path: string, chunks: number) {
  const sent = createHash('sha256')
  send(encodeUploadRequest(path, chunks * fileChunkBytes))
  for (let count = 0; count < chunks; count++) {
    const chunk = randomBytes(fileChunkBytes)
    sent.update(chunk)
    send(chunk)
    if (socket.bufferedAmount > 8 * MiB) await vi.waitFor(() => expect(socket.bufferedAmount).toBeLessThan(MiB))
  }
  expect(decodeFileReply(await next())).toEqual({ kind: 'uploaded' })
  return sent.digest('hex')
}

/** Fetches a file of full chunks. @returns its SHA-256 */
export async function downloadHash({ send, next }: FileConnection, path: string, chunks: number) {
  const received = createHash('sha256')
  send(encodeDownloadRequest(path))
  expect(decodeFileReply(await next())).toEqual({ kind: 'download', size: chunks * fileChunkBytes })
  for (let count = 0; count < chunks; count++) received.update(await next())
  return received.digest('hex')
}

import {
  encodeDownloadRequest,
  encodeListRequest,
  encodeUploadRequest,
  type FileReply,
  readReply,
} from '../../src/schemas/frames/file.ts'
import type { FileConnection } from './fileConnection.ts'

/** Sends a request and reads the reply to it. */
export async function ask({ send, next }: FileConnection, frame: Uint8Array): Promise<FileReply> {
  send(frame)
  return readReply(await next())
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
  return readReply(await connection.next())
}

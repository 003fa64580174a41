import { encodeDownloadHeader, fileChunkBytes } from '../../src/schemas/frames/file.ts'
import { FileError, type FileSource } from '../machines/hosts/files.ts'

/** Sends a frame and waits until it was sent; `false` when the connection is closed. */
export type Send = (frame: Uint8Array) => Promise<boolean>

/** How a transfer went: bytes of content that were moved, and how it ended. */
export interface TransferResult {
  bytes: number
  outcome: 'done' | 'cancelled' | 'failed'
  /** Why it failed; the client has not been told yet. */
  error?: FileError
}

/**
 * Sends a file: its size, then its content in full chunks and in order. While one chunk is sent, the next one is
 * read: at most two are in memory, whatever the size of the file and the speed of the connection.
 */
export async function sendFile(source: FileSource, send: Send): Promise<TransferResult> {
  const chunkBytes = Math.min(source.size, fileChunkBytes)
  const [even, odd] = [
    Buffer.allocUnsafe(chunkBytes),
    Buffer.allocUnsafe(Math.min(source.size - chunkBytes, chunkBytes)),
  ]
  let sending = send(encodeDownloadHeader(source.size))
  let bytes = 0
  try {
    for (let started = 0, buffer = even; started < source.size; buffer = buffer === even ? odd : even) {
      const chunk = buffer.subarray(0, source.size - started)
      await source.read(chunk)
      if (!(await sending)) return { bytes, outcome: 'cancelled' }
      bytes = started
      sending = send(chunk)
      started += chunk.length
    }
    return (await sending) ? { bytes: source.size, outcome: 'done' } : { bytes, outcome: 'cancelled' }
  } catch (error) {
    if (!(await sending)) return { bytes, outcome: 'cancelled' }
    if (error instanceof FileError) return { bytes, outcome: 'failed', error }
    throw error
  }
}

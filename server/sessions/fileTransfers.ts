import { encodeDownloadHeader, fileChunkBytes } from '../../src/schemas/frames/file.ts'
import { FileError, type FileSource } from '../machines/hosts/files.ts'

/** Sends a frame and waits until it has left; `false` when nobody is there any more. */
export type Send = (frame: Uint8Array) => Promise<boolean>

/** How a transfer went: bytes of content that were moved, and how it ended. */
export interface TransferResult {
  bytes: number
  outcome: 'done' | 'cancelled' | 'failed'
  /** Why it failed; it is still to be sent. */
  error?: FileError
}

/**
 * Sends a file: its size, then its content in full chunks and in order. While one chunk is sent the next one is read,
 * so two are in memory at most, whatever the file's size and the line's speed.
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
    for (let begun = 0, buffer = even; begun < source.size; buffer = buffer === even ? odd : even) {
      const chunk = buffer.subarray(0, source.size - begun)
      await source.read(chunk)
      if (!(await sending)) return { bytes, outcome: 'cancelled' }
      bytes = begun
      sending = send(chunk)
      begun += chunk.length
    }
    return (await sending) ? { bytes: source.size, outcome: 'done' } : { bytes, outcome: 'cancelled' }
  } catch (error) {
    if (!(await sending)) return { bytes, outcome: 'cancelled' }
    if (error instanceof FileError) return { bytes, outcome: 'failed', error }
    throw error
  }
}

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  type DownloadedFile,
  hashMismatch,
  OperationError,
  operationLimits,
  type UploadOrder,
  type WriteResult,
} from '../../operations.ts'
import { openReplacement } from './openReplacement.ts'

const { O_NOCTTY = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/** @throws OperationError, or the system's error */
export async function openDownload({ path }: { path: string }): Promise<DownloadedFile> {
  // Opening a device may have effects, and opening a pipe may block.
  if (!(await stat(path)).isFile()) throw new OperationError('refused', 'path is not a regular file')
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  const { size } = await file.stat()
  if (size > operationLimits.transferBytes) {
    await file.close()
    throw new OperationError('refused', 'file exceeds the transfer limit of 100 MiB')
  }
  // What is appended later is not read.
  if (size > 0) return { size, content: file.createReadStream({ start: 0, end: size - 1 }) }
  await file.close()
  return { size, content: Readable.from([]) }
}

/** @throws OperationError, FileError, the system's error, or that of the stream; the file is as it was then */
export async function receiveUpload(
  { path, size, expected_sha256, ...options }: UploadOrder,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<WriteResult> {
  const replacement = await openReplacement(path, options)
  try {
    const hash = createHash('sha256')
    let received = 0
    for await (const chunk of content) {
      signal.throwIfAborted()
      received += chunk.length
      hash.update(chunk)
      await replacement.write([chunk])
    }
    const sha256 = hash.digest('hex')
    if (received !== size) throw new OperationError('refused', 'the upload ended early')
    if (expected_sha256 && expected_sha256 !== sha256) throw new OperationError('refused', hashMismatch)
    signal.throwIfAborted()
    await replacement.finish()
    return { size, sha256 }
  } catch (error) {
    await replacement.abort()
    throw error
  }
}

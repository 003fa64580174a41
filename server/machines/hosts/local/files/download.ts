import type { Stats } from 'node:fs'
import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { FileError, type FileSource } from '../../files.ts'
import { errorReason, toFileError } from './toFileError.ts'

/** Size that agents send for a directory, before reading it fails. */
const directorySize = 4096
/** Of files of the kernel, whose size is 0 until they are read. */
const kernelBytes = 1024 * 1024
const { O_NOCTTY = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/**
 * Opens a file for reading.
 * @param real its absolute path
 * @param path the requested path, for error messages
 * @throws FileError
 */
export async function openDownload(real: Buffer, path: Uint8Array): Promise<FileSource> {
  const file = await openFile(real)
  try {
    const stats = await file.stat()
    requireContent(stats)
    if (stats.isFile() && stats.size === 0) return sourceOfBytes(file, await readUnsized(file))
    return sourceOf(file, stats.isDirectory() ? directorySize : stats.size, path)
  } catch (error) {
    await close(file)
    throw error
  }
}

/** Checks the type first, because opening a device may have effects and opening a pipe may block. */
async function openFile(real: Buffer): Promise<FileHandle> {
  try {
    requireContent(await stat(real))
    return await open(real, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    if (error instanceof FileError) throw error
    throw new FileError(Buffer.from(`open download file: ${errorReason(error)}`), error)
  }
}

/** @throws FileError that says what it is, when it is neither a file nor a directory */
function requireContent(stats: Stats): void {
  if (stats.isFile() || stats.isDirectory()) return
  const kind = stats.isFIFO() ? 'named pipe' : stats.isSocket() ? 'socket' : 'device'
  throw new FileError(Buffer.from(`requested file is a ${kind}`))
}

/** What can be read of a file that says it has nothing. @throws FileError when that is true */
async function readUnsized(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc(kernelBytes)
  let filled = 0
  while (filled < bytes.length) {
    // Some would wait for what happens next.
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, null).catch(() => ({ bytesRead: 0 }))
    if (bytesRead === 0) break
    filled += bytesRead
  }
  if (filled === 0) throw new FileError(Buffer.from('requested file is empty'))
  return bytes.subarray(0, filled)
}

function sourceOfBytes(file: FileHandle, bytes: Buffer): FileSource {
  let at = 0
  return {
    size: bytes.length,
    async read(into) {
      at += bytes.copy(into, 0, at, at + into.length)
    },
    close: () => close(file),
  }
}

function sourceOf(file: FileHandle, size: number, path: Uint8Array): FileSource {
  return {
    size,
    async read(into) {
      for (let filled = 0; filled < into.length; ) {
        const { bytesRead } = await file.read(into, filled, into.length - filled, null).catch((error: unknown) => {
          throw toFileError('read', path, error)
        })
        if (bytesRead === 0) throw toFileError('read', path, new Error('unexpected EOF'))
        filled += bytesRead
      }
    },
    close: () => close(file),
  }
}

/** Ignores errors: a file that was only read has nothing to lose. */
async function close(file: FileHandle): Promise<void> {
  await file.close().catch(() => {})
}

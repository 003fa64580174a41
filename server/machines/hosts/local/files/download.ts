import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { FileError, type FileSource } from '../../files.ts'
import { errorReason, toFileError } from './toFileError.ts'

/** Size that agents send for a directory, before reading it fails. */
const directorySize = 4096
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
    const size = stats.isDirectory() ? directorySize : stats.size
    if (size === 0 || !(stats.isDirectory() || stats.isFile())) throw emptyFile()
    return sourceOf(file, size, path)
  } catch (error) {
    await close(file)
    throw error
  }
}

/** Checks the type first, because opening a device may have effects and opening a pipe may block. */
async function openFile(real: Buffer): Promise<FileHandle> {
  try {
    const stats = await stat(real)
    if (!stats.isDirectory() && !stats.isFile()) throw emptyFile()
    return await open(real, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    if (error instanceof FileError) throw error
    throw new FileError(Buffer.from(`open download file: ${errorReason(error)}`), error)
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

const emptyFile = () => new FileError(Buffer.from('requested file is empty'))

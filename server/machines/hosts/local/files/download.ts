import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { FileError, type FileSource } from '../../files.ts'
import { errorReason, toFileError } from './toFileError.ts'

/** What agents say of a directory before it turns out that it cannot be read. */
const directorySize = 4096
const { O_NOCTTY = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/**
 * Opens a file for reading.
 * @param real where it is
 * @param path as it was asked for
 * @throws FileError
 */
export async function openDownload(real: Buffer, path: Uint8Array): Promise<FileSource> {
  const file = await openFile(real)
  try {
    const found = await file.stat()
    const size = found.isDirectory() ? directorySize : found.size
    if (size === 0 || !(found.isDirectory() || found.isFile())) throw emptyFile()
    return sourceOf(file, size, path)
  } catch (error) {
    await close(file)
    throw error
  }
}

/** Looked at first: opening a device may do something, and opening a pipe wait for its other end. */
async function openFile(real: Buffer): Promise<FileHandle> {
  try {
    const found = await stat(real)
    if (!found.isDirectory() && !found.isFile()) throw emptyFile()
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

/** What was only read loses nothing when closing fails. */
async function close(file: FileHandle): Promise<void> {
  await file.close().catch(() => {})
}

const emptyFile = () => new FileError(Buffer.from('requested file is empty'))

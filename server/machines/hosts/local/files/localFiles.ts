import type { Stats } from 'node:fs'
import { constants, type FileHandle, open, readdir, stat } from 'node:fs/promises'
import os from 'node:os'
import { FileError, type FileListing, type FileSource, type HostFiles } from '../../files.ts'
import { absolutePath } from './bytePath.ts'
import { errorReason, toFileError } from './toFileError.ts'
import { beginUpload } from './upload.ts'

/** The wire has one byte for the length of a name. */
const maxNameBytes = 255

/**
 * The files of the machine this process runs on, with the permissions of its user.
 * @param home listed instead of directories that cannot be listed; the base of relative paths
 */
export function createLocalFiles(home = homeFolder()): HostFiles {
  /** An empty path stays empty and fails, so that a listing shows the home directory instead. */
  const realOf = (path: Uint8Array) => (path.length === 0 ? Buffer.alloc(0) : absolutePath(path, Buffer.from(home)))

  async function listHome(): Promise<FileListing> {
    const path = Buffer.from(`${home.replace(/\/+$/, '')}/`)
    try {
      return { path, entries: await entriesOf(path) }
    } catch (error) {
      throw toFileError('open', path, error)
    }
  }

  return {
    async list(path) {
      try {
        return { path, entries: await entriesOf(realOf(path)) }
      } catch {
        // As real agents do; the client sees from the path that this is another directory.
        return listHome()
      }
    },
    open: (path) => openDownload(realOf(path), path),
    beginUpload: (path) => beginUpload(realOf(path), path),
  }
}

/** Leaves out names that are too long for the wire. */
async function entriesOf(path: Buffer): Promise<FileListing['entries']> {
  const entries = await readdir(path, { encoding: 'buffer', withFileTypes: true })
  return entries
    .filter(({ name }) => name.length <= maxNameBytes)
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
}

/** The home directory of the account, even if HOME of the server is different. */
function homeFolder(): string {
  try {
    return os.userInfo().homedir
  } catch {
    // The user has no account, as in containers.
    return os.homedir()
  }
}

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
async function openDownload(real: Buffer, path: Uint8Array): Promise<FileSource> {
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

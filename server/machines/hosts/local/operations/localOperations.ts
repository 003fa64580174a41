import { createHash } from 'node:crypto'
import { constants, createReadStream, type Stats } from 'node:fs'
import { chmod, lstat, open, readdir, readlink, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCause, errorCode } from '../../../../../src/domain/errors.ts'
import { makeFolders } from '../../../../makeFolders.ts'
import type { FileSink } from '../../files.ts'
import {
  type DownloadedFile,
  type HostOperations,
  hashMismatch,
  type ListOrder,
  type ListResult,
  OperationError,
  operationLimits,
  type ReadOrder,
  type ReadResult,
  type RemoveOrder,
  type RemoveResult,
  switchedOff,
  type UploadOrder,
  type WriteOptions,
  type WriteOrder,
  type WriteResult,
} from '../../operations.ts'
import { errorReason } from '../files/toFileError.ts'
import { beginUpload } from '../files/upload.ts'
import { execProgram } from './execProgram.ts'

/** The words of agents where they differ from those of the system. */
const agentWords: Readonly<Record<string, string>> = {
  ENOENT: 'file or directory does not exist',
  ENOTDIR: 'path is not a directory',
  EISDIR: 'path is not a regular file',
  EACCES: 'permission denied',
}

/** What the system says to a file operation, in the words of agents (docs/contract/MCP.md#5-tools). */
function toOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const cause = errorCause(error) ?? error
  return new OperationError('refused', agentWords[errorCode(cause) ?? ''] ?? errorReason(cause), error)
}

/** The programs and files of this machine, with the permissions of the server's user. */
export function createLocalOperations(isAllowed: () => boolean): HostOperations {
  /** What the system refuses gets the words of agents. */
  const files =
    <Order extends { path: string }, Result>(operation: (order: Order) => Promise<Result>) =>
    async (order: Order, signal: AbortSignal): Promise<Result> => {
      if (!isAllowed()) throw new OperationError('refused', switchedOff.files)
      if (!order.path.startsWith('/')) throw new OperationError('refused', 'path must be absolute')
      signal.throwIfAborted()
      return operation(order).catch((error: unknown) => {
        throw toOperationError(error)
      })
    }

  return {
    async exec(order, signal) {
      if (isAllowed()) return execProgram(order, signal)
      return { exit_code: -1, stdout: '', stderr: '', duration_ms: 0, error: switchedOff.exec }
    },
    list: files(listFolder),
    read: files(readPart),
    write: files(writeWhole),
    remove: files(deleteFile),
    download: (path, signal) => files(openDownload)({ path }, signal),
    upload: (order, content, signal) =>
      files((order: UploadOrder) => receiveUpload(order, content, signal))(order, signal),
  }
}

/** Deletes a file, a link but not its target, or a folder. @throws OperationError, or the system's error */
async function deleteFile({ path, recursive }: RemoveOrder): Promise<RemoveResult> {
  const target = resolve(path)
  if (target === '/') throw new OperationError('refused', 'refusing to delete root')
  if (!(await lstat(target)).isDirectory()) {
    await unlink(target)
    return { deleted_count: 1 }
  }
  if (!recursive) {
    await rmdir(target)
    return { deleted_count: 1 }
  }
  const { length } = await readdir(target, { recursive: true })
  await rm(target, { recursive: true })
  return { deleted_count: length + 1 }
}

/** Replaces a file. @throws OperationError, FileError, or the system's error; the file is as it was then */
async function writeWhole({ path, content, encoding, ...options }: WriteOrder): Promise<WriteResult> {
  const bytes = decode(content, encoding)
  const replacement = await openReplacement(path, options)
  try {
    await replacement.write([bytes])
    await replacement.finish()
  } catch (error) {
    await replacement.abort()
    throw error
  }
  return { size: bytes.length, sha256: sha256Of(bytes) }
}

function decode(content: string, encoding: string = 'utf8'): Buffer {
  if (encoding === 'utf8') return Buffer.from(content)
  if (encoding !== 'base64') throw new OperationError('refused', `unknown encoding: ${encoding.slice(0, 64)}`)
  // Buffer.from passes over what is no base64. Blanks go first: a pattern that allows them takes hours for a megabyte.
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(content.replace(/\s+/g, ''))) {
    throw new OperationError('refused', 'invalid base64: illegal base64 data')
  }
  return Buffer.from(content, 'base64')
}

const { O_NOCTTY = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/** @throws OperationError, or the system's error */
async function readPart({ path, offset = 0, length = 0, encoding = 'utf8' }: ReadOrder): Promise<ReadResult> {
  if (encoding !== 'utf8' && encoding !== 'base64') {
    throw new OperationError('refused', `unknown encoding: ${String(encoding).slice(0, 64)}`)
  }
  if (offset < 0) throw new OperationError('refused', 'offset must be >= 0')
  if (length < 0) throw new OperationError('refused', 'length must be >= 0')
  // Opening a device may have effects, and opening a pipe may block.
  if (!(await stat(path)).isFile()) throw new OperationError('refused', 'path is not a regular file')
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    const { size } = await file.stat()
    const most = Math.min(length || operationLimits.readBytes, operationLimits.readBytes, Math.max(0, size - offset))
    const bytes = Buffer.alloc(most)
    let filled = 0
    while (filled < most) {
      const { bytesRead } = await file.read(bytes, filled, most - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    const part = bytes.subarray(0, filled)
    const isCut = offset + filled < size
    return {
      content: part.toString(encoding),
      encoding,
      size: filled,
      sha256: sha256Of(part),
      ...(isCut && { truncated: true }),
    }
  } finally {
    await file.close()
  }
}

/** @throws OperationError, or the system's error */
async function openDownload({ path }: { path: string }): Promise<DownloadedFile> {
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
async function receiveUpload(
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

type Entry = ListResult['entries'][number]

/** How many entries are looked at together: each takes a place in the pool of the file system. */
const batch = 64

/** @throws the system's error */
async function listFolder({ path, show_hidden }: ListOrder): Promise<ListResult> {
  const names = (await readdir(path)).filter((name) => show_hidden || !name.startsWith('.'))
  const entries: Entry[] = []
  const listed = names.slice(0, operationLimits.listedEntries)
  for (let start = 0; start < listed.length; start += batch) {
    const found = await Promise.all(listed.slice(start, start + batch).map((name) => describe(path, name)))
    entries.push(...found.flatMap((entry) => entry ?? []))
  }
  return { entries, total: names.length, ...(names.length > listed.length && { truncated: true }) }
}

/** `undefined` for one that has gone in the meantime. */
async function describe(folder: string, name: string): Promise<Entry | undefined> {
  try {
    const path = join(folder, name)
    const stats = await lstat(path)
    const link = stats.isSymbolicLink() && { is_symlink: true, link_target: await readlink(path) }
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
    return { name, type: typeOf(stats), size: stats.size, mode, mtime: Math.floor(stats.mtimeMs / 1000), ...link }
  } catch {
    return undefined
  }
}

function typeOf(stats: Stats): string {
  if (stats.isDirectory()) return 'dir'
  if (stats.isSymbolicLink()) return 'symlink'
  return stats.isFile() ? 'file' : 'other'
}

/** As with the usual umask; the server's own umask is stricter. */
const newFolderMode = 0o755

/** Starts to replace a file; `finish` gives it its mode too. @throws OperationError, FileError, or the system's error */
async function openReplacement(
  path: string,
  { mode = '', if_match_sha256, create_dirs }: WriteOptions,
): Promise<FileSink> {
  const bits = readMode(mode)
  await checkPresentContent(path, if_match_sha256)
  if (create_dirs) for (const made of await makeFolders(dirname(path))) await chmod(made, newFolderMode)
  const sink = await beginUpload(Buffer.from(path), Buffer.from(path))
  return {
    ...sink,
    async finish() {
      const method = await sink.finish()
      if (bits !== undefined) await chmod(path, bits)
      return method
    },
  }
}

/** @throws OperationError */
function readMode(mode: string): number | undefined {
  if (mode === '') return undefined
  if (!/^[0-7]{1,4}$/.test(mode)) throw new OperationError('refused', `invalid mode: ${mode.slice(0, 64)}`)
  return Number.parseInt(mode, 8)
}

/** In hexadecimal. */
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Compares the present content of a file with what somebody has seen of it.
 * @param expected as 64 hexadecimal digits; '' for anything
 * @throws OperationError when it is different
 */
async function checkPresentContent(path: string, expected = ''): Promise<void> {
  if (expected === '') return
  if (!/^[\da-f]{64}$/i.test(expected)) throw new OperationError('refused', 'if_match_sha256 must be 64 hex chars')
  if ((await presentHash(path)) === expected.toLowerCase()) return
  throw new OperationError('refused', 'if_match precondition failed: sha256 mismatch')
}

/** `undefined` when there is no such file. */
async function presentHash(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

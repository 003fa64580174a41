import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCause, errorCode } from '../../../../../src/domain/errors.ts'
import {
  type HostOperations,
  OperationError,
  type RemoveOrder,
  type RemoveResult,
  switchedOff,
  type UploadOrder,
  type WriteOrder,
  type WriteResult,
} from '../../operations.ts'
import { errorReason } from '../files/toFileError.ts'
import { execProgram } from './execProgram.ts'
import { listFolder } from './listFolder.ts'
import { openReplacement } from './openReplacement.ts'
import { readPart } from './readPart.ts'
import { sha256Of } from './sha256.ts'
import { openDownload, receiveUpload } from './transfer.ts'

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

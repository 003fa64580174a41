import { getSystemErrorMessage } from 'node:util'
import { FileError } from '../../files.ts'

/** Where agents say it differently from Node. */
const words: Record<string, string> = {
  EISDIR: 'is a directory',
  EIO: 'input/output error',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'file name too long',
  ENFILE: 'too many open files in system',
  EDQUOT: 'disk quota exceeded',
  // A path with a zero byte.
  ERR_INVALID_ARG_VALUE: 'invalid argument',
}

/**
 * A failed call to the system as agents tell it: `open /x: permission denied`.
 * @param doing what was tried: `open`, `read`, `write`
 */
export function toFileError(doing: string, path: Uint8Array, error: unknown): FileError {
  if (error instanceof FileError) return error
  return new FileError(Buffer.concat([Buffer.from(`${doing} `), path, Buffer.from(`: ${errorReason(error)}`)]), error)
}

/** For a promise that fails. */
export function throwAsFileError(doing: string, path: Uint8Array) {
  return (error: unknown): never => {
    throw toFileError(doing, path, error)
  }
}

export function errorReason(error: unknown): string {
  const { code = '', errno, message } = error as NodeJS.ErrnoException
  return words[code] ?? (errno === undefined ? message : getSystemErrorMessage(errno))
}

export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

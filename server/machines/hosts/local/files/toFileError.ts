import { getSystemErrorMessage } from 'node:util'
import { errorCode, errorMessage } from '../../../../../src/domain/errors.ts'
import { fieldsIn } from '../../../../../src/schemas/define/values.ts'
import { FileError } from '../../files.ts'

/** Messages of real agents that differ from those of Node. */
const agentMessages: Record<string, string> = {
  EISDIR: 'is a directory',
  EIO: 'input/output error',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'file name too long',
  ENFILE: 'too many open files in system',
  EDQUOT: 'disk quota exceeded',
  // For a path with a zero byte.
  ERR_INVALID_ARG_VALUE: 'invalid argument',
}

/**
 * Converts the error of a system call to the message of real agents: `open /x: permission denied`.
 * @param operation `open`, `read` or `write`
 * @param path the requested path
 */
export function toFileError(operation: string, path: Uint8Array, error: unknown): FileError {
  if (error instanceof FileError) return error
  return new FileError(
    Buffer.concat([Buffer.from(`${operation} `), path, Buffer.from(`: ${errorReason(error)}`)]),
    error,
  )
}

/** For the `catch` of a promise. */
export function throwAsFileError(operation: string, path: Uint8Array) {
  return (error: unknown): never => {
    throw toFileError(operation, path, error)
  }
}

export function errorReason(error: unknown): string {
  const { errno } = fieldsIn(error)
  const known = agentMessages[errorCode(error) ?? '']
  return known ?? (typeof errno === 'number' ? getSystemErrorMessage(errno) : errorMessage(error))
}

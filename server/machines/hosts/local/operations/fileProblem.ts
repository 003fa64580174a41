import { OperationError } from '../../operations.ts'
import { errorCode, errorReason } from '../files/toFileError.ts'

/** The words of agents where they differ from those of the system. */
const agentWords: Readonly<Record<string, string>> = {
  ENOENT: 'file or directory does not exist',
  ENOTDIR: 'path is not a directory',
  EISDIR: 'path is not a regular file',
  EACCES: 'permission denied',
}

/** What the system says to a file operation, in the words of agents (docs/contract/MCP.md#5-tools). */
export function toOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const cause = (error as Error).cause ?? error
  return new OperationError('refused', agentWords[errorCode(cause) ?? ''] ?? errorReason(cause), error)
}

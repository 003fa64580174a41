import type { FileError, UploadMethod } from '../machines/hosts/files.ts'
import type { StreamSession } from './sessions.ts'

/** A transfer as the audit log records it. */
export interface TransferAuditEntry {
  path: Uint8Array
  /** Bytes of content that were moved. */
  bytes: number
  /** `refused`: it never started. `cancelled`: the connection was closed. */
  outcome: 'done' | 'cancelled' | 'failed' | 'refused'
  way?: UploadMethod
  error?: FileError
}

/** Maximum length of a path; longer ones cannot exist. */
const longestPath = 4096
const decoder = new TextDecoder()

/** Records the result of a transfer. Invalid UTF-8 in a path is replaced. */
export function auditTransfer(
  session: StreamSession,
  kind: 'download' | 'upload',
  { path, error, ...detail }: TransferAuditEntry,
): void {
  const shown = decoder.decode(path.subarray(0, longestPath))
  session.note(`file.${kind}`, { path: shown, ...detail, ...(error && { error: error.message.slice(0, longestPath) }) })
}

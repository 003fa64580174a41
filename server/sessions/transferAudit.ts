import type { FileError, UploadWay } from '../machines/hosts/files.ts'
import type { StreamSession } from './sessions.ts'

/** What the audit log tells of a transfer. */
export interface TransferNote {
  path: Uint8Array
  /** Bytes of content that were moved. */
  bytes: number
  /** `refused`: nothing was begun. `cancelled`: nobody was there any more. */
  outcome: 'done' | 'cancelled' | 'failed' | 'refused'
  way?: UploadWay
  error?: FileError
}

/** Longer paths name nothing; the audit log need not keep them. */
const longestPath = 4096
const decoder = new TextDecoder()

/** Writes down how a transfer went. Bytes of a path that are no text are shown by a replacement. */
export function noteTransfer(
  session: StreamSession,
  kind: 'download' | 'upload',
  { path, error, ...detail }: TransferNote,
): void {
  const shown = decoder.decode(path.subarray(0, longestPath))
  session.note(`file.${kind}`, { path: shown, ...detail, ...(error && { error: error.message.slice(0, longestPath) }) })
}

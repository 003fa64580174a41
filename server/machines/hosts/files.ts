import type { FileEntry } from '../../../src/schemas/frames/file.ts'
import type { SessionCloseReason } from '../../../src/schemas/frames/sessionClose.ts'

/**
 * The files of a machine, as its user may use them: there are no further restrictions, because everybody who may use
 * them may also open a shell there. Paths are bytes as on the wire, usually UTF-8; relative paths start at the home
 * directory (docs/contract/CONTRACT.md#102-wsfilesession_id).
 */
export interface HostFiles {
  /**
   * Lists a directory, sorted by the bytes of the names, without `.` and `..`. If it cannot be listed, for any reason,
   * the home directory is listed instead.
   * @throws FileError when neither can be listed
   */
  list(path: Uint8Array): Promise<FileListing>
  /**
   * Opens a file for reading.
   * @throws FileError when it cannot be opened or is empty. Devices, pipes and sockets are not opened; agents say that they
   *   are empty.
   */
  open(path: Uint8Array): Promise<FileSource>
  /**
   * Prepares to replace the content of a file or to create one. Where possible the new content appears at once, or not
   * at all if the upload fails; see docs/decisions/uploads.md.
   * @param size bytes that will be written
   * @throws FileError when the file cannot be written; nothing has changed then
   */
  beginUpload(path: Uint8Array, size: number): Promise<FileSink>
}

export interface FileListing {
  /** The requested path unchanged, or the path of the home directory, which ends with a slash. */
  path: Uint8Array
  entries: FileEntry[]
}

/** A file opened for reading. */
export interface FileSource {
  /** Bytes when it was opened, never 0. What is appended later is not read. */
  size: number
  /**
   * Fills `into` with the next bytes. All calls together must not ask for more than `size` bytes.
   * @throws FileError when the file cannot be read or has become shorter
   */
  read(into: Uint8Array): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

/** A file being written. Calls must not overlap; the last call is `finish` or `abort`. */
export interface FileSink {
  /**
   * Appends bytes.
   * @param pieces a chunk in the pieces in which it arrived
   * @throws FileError when they cannot be written, for example on a full disk; then only `abort` may follow
   */
  write(pieces: readonly Uint8Array[]): Promise<void>
  /**
   * Gives the file its new content.
   * @throws FileError; then only `abort` may follow
   */
  finish(): Promise<UploadMethod>
  /** Leaves the file as it was, unless it is written in place. Never rejects. */
  abort(): Promise<void>
  /**
   * Where the machine answers for itself: calls `listener` when it may have refused, whether data has come or not. The
   * next `write`, also one of nothing, throws why.
   */
  onAnswer?(listener: () => void): void
}

/**
 * How the new content was stored. `created`, `replaced`: at once. `in place`: written over the old content, because
 * replacing the file would lose something (hard links, its owner), or no temporary file can be created beside it.
 */
export type UploadMethod = 'created' | 'replaced' | 'in place'

/** A failed file operation, with the message of the contract (docs/contract/CONTRACT.md#102-wsfilesession_id). */
export class FileError extends Error {
  /** The message as bytes, because it may contain a requested path that is not valid UTF-8. */
  readonly bytes: Uint8Array
  /** Why the machine has no files at all for now; `undefined` when only this operation failed. */
  readonly unavailable: SessionCloseReason | undefined

  constructor(bytes: Uint8Array, cause?: unknown, unavailable?: SessionCloseReason) {
    super(new TextDecoder().decode(bytes), { cause })
    this.bytes = bytes
    this.unavailable = unavailable
  }
}

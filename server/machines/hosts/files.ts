import type { FileEntry } from '../../../src/schemas/frames/file.ts'

/**
 * What can be done with the files of a machine. Paths are bytes as they travel: usually UTF-8, and relative ones count
 * from the home directory. Nothing is refused here that the machine itself allows: who gets this far has a shell too.
 */
export interface HostFiles {
  /**
   * The entries of a directory in the order of their bytes, without `.` and `..`. When it cannot be listed, for
   * whatever reason, the home directory is listed in its place.
   * @throws FileError when neither can be
   */
  list(path: Uint8Array): Promise<FileListing>
  /** @throws FileError when it cannot be opened or is empty; devices and pipes count as empty and are left alone */
  open(path: Uint8Array): Promise<FileSource>
  /**
   * Gets ready for the new content of a file, which is there as a whole or not at all where that can be had.
   * @throws FileError when the file cannot be written; nothing has changed then
   */
  beginUpload(path: Uint8Array): Promise<FileSink>
}

export interface FileListing {
  /** The path as it was asked for, or that of the home directory, with a slash at its end. */
  path: Uint8Array
  entries: FileEntry[]
}

/** A file that is being read, from its beginning. */
export interface FileSource {
  /** Bytes there were when it was opened, never 0. What it grows by afterwards is not read. */
  size: number
  /**
   * Fills `into` with what comes next; not to be called for more than `size` bytes in all.
   * @throws FileError when it cannot be read, or has become too short
   */
  read(into: Uint8Array): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

/** A file that is being written, one call after the other. Ends with `finish` or with `abort`. */
export interface FileSink {
  /**
   * Writes a chunk, in the pieces in which it came.
   * @throws FileError when it cannot be written, as on a full disk; only `abort` may follow
   */
  write(pieces: readonly Uint8Array[]): Promise<void>
  /** Gives the file its new content. @throws FileError; only `abort` may follow */
  finish(): Promise<UploadWay>
  /** Leaves the file as it was, unless it is written in place. Never rejects. */
  abort(): Promise<void>
}

/**
 * How new content came to its place. `created`, `replaced`: at once. `in place`: over the old content, because nothing
 * can be renamed to its name without a loss (other names of the file, its owner), or nothing may be made beside it.
 */
export type UploadWay = 'created' | 'replaced' | 'in place'

/** Why something could not be done with a file, in the words of the contract. */
export class FileError extends Error {
  /** The message as bytes: paths in it are as they were asked for. */
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array, cause?: unknown) {
    super(new TextDecoder().decode(bytes), { cause })
    this.bytes = bytes
  }
}

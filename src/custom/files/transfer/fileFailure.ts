import type { SessionCloseReason } from '../../../schemas/frames/sessionClose.ts'
import type { RawPath } from './remotePath.ts'

/** Why an operation on files failed. All but `refused` and `needs_memory` have a text of their own. */
export type FailureCode =
  /** Refused by the server, with a message. */
  | 'refused'
  /** No answer within 10 s. */
  | 'silent'
  /** The server says with its close code why the machine opens no files: see `sessionCloseCodes`. */
  | Exclude<SessionCloseReason, 'silent'>
  /** The connection broke during an operation. */
  | 'lost'
  /** The connection was never open. */
  | 'unreachable'
  /** Somebody in between takes no messages of this size: close code 1009. */
  | 'frame_refused'
  /** A reply with an unknown marker: the session is out of step. */
  | 'unknown'
  /** More than may be shown or edited here. */
  | 'too_large'
  /** It can only be stored in the browser's memory, and the user has not agreed to that. */
  | 'needs_memory'
  /** The browser's storage is full. */
  | 'no_room'
  /** The saved file is not as long as announced. */
  | 'incomplete'
  /** A local file cannot be read, or was changed while it was sent. */
  | 'unreadable_source'
  | 'cancelled'

/** As it travels between worker and page. */
export interface Failure {
  code: FailureCode
  /** The server's or the browser's message. */
  message?: string
  /** Bytes of the file in question. */
  size?: number
}

export class FileFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message ?? failure.code, { cause })
    this.failure = failure
  }
}

/** A thrown value as a failure; an unexpected one keeps its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FileFailure) return error.failure
  return { code: 'refused', message: error instanceof Error ? error.message : String(error) }
}

/** An error as one that says that the browser's storage is full, where it is. */
export const asNoRoom = (error: unknown): unknown =>
  error instanceof DOMException && error.name === 'QuotaExceededError'
    ? new FileFailure({ code: 'no_room' }, error)
    : error

/** Folders of kernel files, devices and pipes: a size of 0 does not mean that these are empty. */
const systemFolders = /^\/(proc|sys|dev|run)\//

/** Whether reading a file has failed only because there is nothing in it. */
export function isEmptyFile(error: unknown, path: RawPath): boolean {
  const { code, message } = error instanceof FileFailure ? error.failure : {}
  return code === 'refused' && message === 'requested file is empty' && !systemFolders.test(path)
}

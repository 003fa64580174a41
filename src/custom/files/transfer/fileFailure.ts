/** Why something with files did not come about. All but `refused` and `needs_memory` have a text of their own. */
export type FailureCode =
  /** The server said no, in its own words. */
  | 'refused'
  /** No answer within 10 s. */
  | 'silent'
  /** The line broke while something was under way. */
  | 'lost'
  /** The socket was never opened. */
  | 'unreachable'
  /** A reply with a marker that nobody knows: the session is out of step. */
  | 'unknown'
  /** More than may be shown or edited here. */
  | 'too_large'
  /** Only the browser's memory is there to hold it, and nobody has agreed to that. */
  | 'needs_memory'
  /** The place where the browser keeps it is full. */
  | 'no_room'
  /** The saved file is not as long as announced. */
  | 'incomplete'
  /** A file of this computer cannot be read, or changed while it was sent. */
  | 'unreadable_source'
  | 'cancelled'

/** As it travels between worker and page. */
export interface Failure {
  code: FailureCode
  /** The server's or the browser's words. */
  words?: string
  /** Bytes of the file in question. */
  size?: number
}

export class FileFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(failure.words ?? failure.code, { cause })
    this.failure = failure
  }
}

/** What a thrown value says about files; anything unforeseen is in the words of the one who threw it. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FileFailure) return error.failure
  return { code: 'refused', words: error instanceof Error ? error.message : String(error) }
}

import type { ContinuedDownload } from './continueDownload.ts'
import type { Saved, Target } from './downloadTargets.ts'
import type { FileSessionAddress } from './fileExchange.ts'
import type { Failure } from './fileFailure.ts'
import type { RawPath } from './remotePath.ts'

/** What can be requested of a session, one at a time. */
export type FileOperation =
  | { type: 'list'; path: RawPath }
  /** `continued`: where it goes on after a cut, see `continueDownload`; left out where it cannot. */
  | { type: 'download'; path: RawPath; target: Target; continued?: ContinuedDownload }
  | { type: 'upload'; path: RawPath; file: Blob }

/** How a session is opened. */
export interface FileSessionOpening extends FileSessionAddress {
  /**
   * Whether it sends files: then by a plain socket. Chromium ends the whole page when a `WebSocketStream` breaks while data
   * is leaving; a session that only receives has the stream, which can hold the sender back.
   */
  sends: boolean
}

/** From the page to the worker that owns the socket. */
export type WorkerRequest =
  | ({ type: 'open' } & FileSessionOpening)
  | FileOperation
  /** The current operation fails as cancelled, and the session ends. */
  | { type: 'cancel' }

/** The result of a request. */
export type OperationResult =
  /** The frame as received: decoding it is cheaper for the page than receiving thousands of objects. */
  { type: 'listed'; frame: Uint8Array<ArrayBuffer> } | { type: 'saved'; saved: Saved } | { type: 'uploaded' }

/** From the worker to the page. */
export type WorkerMessage =
  | OperationResult
  | { type: 'progress'; done: number; total: number }
  /** The connection is lost, and it is tried again. */
  | { type: 'waiting' }
  | { type: 'failed'; failure: Failure }
  /** The session has ended, with or without a current operation. */
  | { type: 'ended'; failure: Failure }

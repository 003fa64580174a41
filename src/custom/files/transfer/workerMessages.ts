import type { Saved, Target } from './downloadTargets.ts'
import type { Failure } from './fileFailure.ts'
import type { RawPath } from './remotePath.ts'

/** What can be requested of a session, one at a time. */
export type FileOperation =
  | { type: 'list'; path: RawPath }
  | { type: 'download'; path: RawPath; target: Target }
  | { type: 'upload'; path: RawPath; file: Blob }

/** The address of a session, and what its server supports. */
export interface FileSessionAddress {
  /** WebSocket address. */
  url: string
  /** Whether the server announces when the data of an upload may be sent. */
  announcesReady: boolean
}

/** From the page to the worker that owns the socket. */
export type WorkerRequest =
  | ({ type: 'open' } & FileSessionAddress)
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
  | { type: 'failed'; failure: Failure }
  /** The session has ended, with or without a current operation. */
  | { type: 'ended'; failure: Failure }

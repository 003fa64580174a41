import type { Failure } from './fileFailure.ts'
import type { RawPath } from './remotePath.ts'
import type { Saved, Target } from './sinks.ts'

/** What a session can be asked for, one at a time. */
export type FileOrder =
  | { type: 'list'; path: RawPath }
  | { type: 'download'; path: RawPath; target: Target }
  | { type: 'upload'; path: RawPath; file: Blob }

/** The way into a session. */
export interface FileDoor {
  /** Of its socket. */
  url: string
  /** Whether the server says when the data of an upload may come. */
  tellsReady: boolean
}

/** From the page to the worker that owns the socket. */
export type ToFiles =
  | ({ type: 'open' } & FileDoor)
  | FileOrder
  /** What is under way fails as cancelled, and the session ends with it. */
  | { type: 'cancel' }

/** What comes of an order. */
export type FileResult =
  /** The frame as it came: decoding it costs the page less than taking over thousands of objects. */
  { type: 'listed'; frame: Uint8Array<ArrayBuffer> } | { type: 'saved'; saved: Saved } | { type: 'uploaded' }

/** From the worker to the page. */
export type FromFiles =
  | FileResult
  | { type: 'progress'; done: number; total: number }
  | { type: 'failed'; failure: Failure }
  /** The session has ended, whether or not something was under way. */
  | { type: 'ended'; failure: Failure }

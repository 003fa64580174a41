import type { OutputPiece } from './outputBacklog.ts'

/** What the page tells the worker that owns the socket of a session. */
export type SocketRequest =
  | {
      type: 'open'
      url: string
      /** Bytes that the server sends before it waits for an acknowledgement; absent where it never waits. */
      flowWindow?: number
      /** Lines that the screen can show, scrolled back as far as possible. */
      lines: number
    }
  | { type: 'send'; message: string | Uint8Array<ArrayBuffer> }
  /** There is room for one more piece of output. */
  | { type: 'more' }
  /** Nothing more is wanted; nothing more is told. */
  | { type: 'close' }

/** What the worker tells the page. Output and the end come in order. */
export type SocketMessage =
  | { type: 'opened' }
  | { type: 'output'; piece: OutputPiece }
  /** So many bytes have left, or nearly. */
  | { type: 'sent'; bytes: number }
  | { type: 'error' }
  | { type: 'closed'; code: number }

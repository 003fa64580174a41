import type { PastOutputWord, TerminalState } from '../../../schemas/frames/terminal.ts'
import type { OutputPiece } from './outputBacklog.ts'

/** Messages from the page to the worker that owns the socket of a session. */
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
  /** Closes the socket; no further message follows. */
  | { type: 'close' }

/** Messages from the worker to the page. Output and the end come in order. */
export type SocketMessage =
  | { type: 'opened' }
  /** The output that follows was there before the socket opened. */
  | { type: 'past'; word: PastOutputWord }
  /** Who is in the terminal, and what else is known of it. */
  | { type: 'state'; state: TerminalState }
  | { type: 'output'; piece: OutputPiece }
  /** Number of bytes that have left the socket, or are about to. */
  | { type: 'sent'; bytes: number }
  | { type: 'error' }
  | { type: 'closed'; code: number }

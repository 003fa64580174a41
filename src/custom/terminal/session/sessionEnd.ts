import { HttpError } from 'react-admin'
import { reasonOfCode, type SessionCloseReason } from '../../../schemas/frames/sessionClose.ts'
import { shareEndedCode, shellEndedCode, takenOverCode } from '../../../schemas/frames/terminal.ts'

/** Why a session ended, as far as that is known: many servers close all sessions with 1006. */
export type SessionEndReason =
  /** It worked, and then it was over: the shell ended, or the machine went away. */
  | 'completed'
  /** No such server, or its machine is not connected. */
  | 'offline'
  /** Too many sessions are open already. */
  | 'tooMany'
  /** The machine takes no commands. */
  | 'disabled'
  /** It opened, stayed silent, and was closed after ten seconds: the machine probably takes no commands. */
  | 'silent'
  /** The socket was refused, although the server answers everything else. */
  | 'refused'
  /** Somebody has to sign in again. */
  | 'signedOut'
  /** The server, or the network to it, is down. */
  | 'away'
  /** A message was larger than the server takes. */
  | 'tooLarge'
  /** The terminal is shown in another window now. */
  | 'taken'
  /** The terminal is not shared any more, or not with this person. */
  | 'unshared'
  /** The connection was lost, and when it was back the shell had ended. */
  | 'gone'
  /** The call that creates a session failed with a message of its own. */
  | 'failed'

export interface SessionEnd {
  reason: SessionEndReason
  /** The server's own message, where there is one. */
  message?: string
  /** Whether a shell had been there: what it wrote is still on screen. */
  hadShell: boolean
}

/** The server closes a session after ten seconds when its machine never answers (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
const silenceMs = { least: 8_000, most: 15_000 }

const notConnected = 'server not found or not connected'
const tooMany = 'too many concurrent streams'

/** What a failed call for a session means. */
export function endOfFailedStart(error: unknown): SessionEnd {
  const message = error instanceof Error ? error.message : String(error)
  const status = error instanceof HttpError ? error.status : undefined
  const end = (reason: SessionEndReason): SessionEnd => ({ reason, message, hadShell: false })
  if (status === 401) return end('signedOut')
  if (status === 0) return end('away')
  if (message === notConnected) return end('offline')
  if (message.startsWith(tooMany)) return end('tooMany')
  return end('failed')
}

const endOfCode: Record<SessionCloseReason, SessionEndReason> = {
  disabled: 'disabled',
  silent: 'silent',
  busy: 'tooMany',
  offline: 'offline',
}

/** Whether the shell may go on after its connection has closed with this code, where the server holds it. */
export const mayBeHeld = (code: number): boolean =>
  ![shellEndedCode, takenOverCode, shareEndedCode, 1009].includes(code) && reasonOfCode(code) === undefined

/** What is known of a connection when it has closed. */
export interface ConnectionHistory {
  wasOpen: boolean
  /** Received bytes. */
  received: number
  /** Milliseconds it was open. */
  lasted: number
  code: number
}

/** The reason of a close, from the connection alone; `undefined` when it takes a request to the server to find out. */
export function reasonOfClose({ wasOpen, received, lasted, code }: ConnectionHistory): SessionEndReason | undefined {
  if (code === 1009) return 'tooLarge'
  if (code === takenOverCode) return 'taken'
  if (code === shareEndedCode) return 'unshared'
  const reason = reasonOfCode(code)
  if (reason) return endOfCode[reason]
  if (!wasOpen) return undefined
  const wasSilent = received === 0 && lasted >= silenceMs.least && lasted <= silenceMs.most
  return wasSilent ? 'silent' : 'completed'
}

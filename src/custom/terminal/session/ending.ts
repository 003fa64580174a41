import { HttpError } from 'react-admin'

/** How a session came to its end, as far as anybody can tell: the server closes every one of them with 1006. */
export type Ending =
  /** It worked, and then it was over: the shell ended, or the machine went away. */
  | 'completed'
  /** No such server, or its machine is not connected. */
  | 'offline'
  /** Too many sessions are open already. */
  | 'tooMany'
  /** It opened, stayed silent, and was closed after ten seconds: the machine takes no commands. */
  | 'disabled'
  /** The socket was refused, although the server answers everything else. */
  | 'refused'
  /** Somebody has to sign in again. */
  | 'signedOut'
  /** The server, or the way to it, is gone. */
  | 'away'
  /** A message was larger than the server takes. */
  | 'tooLarge'
  /** The call that makes a session failed with words of its own. */
  | 'failed'

export interface End {
  ending: Ending
  /** The server's own words, where it said some. */
  words?: string
  /** Whether a shell had been there: what it wrote is still on screen. */
  hadShell: boolean
}

/** A machine that never answers is given up after ten seconds (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
const silence = { least: 8_000, most: 15_000 }

const notConnected = 'server not found or not connected'
const tooMany = 'too many concurrent streams'

/** What a failed call for a session means. */
export function endOfCreation(error: unknown): End {
  const words = error instanceof Error ? error.message : String(error)
  const status = error instanceof HttpError ? error.status : undefined
  const end = (ending: Ending): End => ({ ending, words, hadShell: false })
  if (status === 401) return end('signedOut')
  if (status === 0) return end('away')
  if (words === notConnected) return end('offline')
  if (words.startsWith(tooMany)) return end('tooMany')
  return end('failed')
}

/** What is known of a line when it has closed. */
export interface LineHistory {
  wasOpen: boolean
  /** Bytes that came. */
  received: number
  /** Milliseconds it was open. */
  lasted: number
  code: number
}

/** What a closed line means by itself; `undefined` when only a question to the server can tell. */
export function endOfLine({ wasOpen, received, lasted, code }: LineHistory): Ending | undefined {
  if (code === 1009) return 'tooLarge'
  if (!wasOpen) return undefined
  const wasSilent = received === 0 && lasted >= silence.least && lasted <= silence.most
  return wasSilent ? 'disabled' : 'completed'
}

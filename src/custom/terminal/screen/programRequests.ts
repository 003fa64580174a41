import { type RawPath, rawFromText } from '../../files/transfer/remotePath.ts'

/** Sequence numbers of "the current folder", "manipulate the clipboard" and marks of shells around their commands. */
export const oscNumbers = { folder: 7, clipboard: 52, commandMark: 133 } as const

/** Characters of what a program may put on the clipboard, and of a folder; longer ones are ignored. */
const limits = { clipboard: 100_000, folder: 4096 }

/**
 * The text that a program wants on the clipboard.
 * @param data `c;<base64>` of UTF-8; a question for what is there (`c;?`) is never answered
 */
export function clipboardText(data: string): string | undefined {
  const encoded = data.slice(data.indexOf(';') + 1)
  if (encoded === '' || encoded === '?' || encoded.length > limits.clipboard) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The folder in which a shell says that it is.
 * @param data `file://<host>/<percent-encoded path>`
 */
export function folderOfAddress(data: string): RawPath | undefined {
  const path = /^file:\/\/[^/]*(\/.*)$/.exec(data)?.[1]
  if (path === undefined || path.length > limits.folder) return undefined
  return rawFromText(path).replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/**
 * Whether a text is what a terminal sends by itself: answers to questions about its cursor, modes, colours and what it
 * can do, and reports that the window has the focus. Where several windows show one shell, only one may answer. A
 * report of the cursor looks like F3 with Shift, Alt or Ctrl, which are then lost for guests.
 */
export const isAnswerOfTerminal = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these begin with escape
  /^\x1b(?:\[[?>=]?[\d;]*\$?[Rcnyt]$|\[[IO]$|\]|P)/.test(text)

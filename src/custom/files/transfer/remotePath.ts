/**
 * Paths and names of a remote machine as raw text: one character per byte, because file systems store bytes and not
 * every name is UTF-8. Plain ASCII looks the same; to display any other, use `shownPath`.
 */
export type RawPath = string

/** Asks for the home directory of the user that the agent runs as. */
export const home: RawPath = ''

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function rawFromBytes(bytes: Uint8Array): RawPath {
  let raw = ''
  for (const byte of bytes) raw += String.fromCharCode(byte)
  return raw
}

/** What somebody typed, or the name of a file on this computer. */
export const rawFromText = (text: string): RawPath => rawFromBytes(encoder.encode(text))

export const bytesOfRaw = (raw: RawPath): Uint8Array<ArrayBuffer> => Uint8Array.from(raw, (byte) => byte.charCodeAt(0))

/** For display; invalid UTF-8 becomes replacement characters, and what cannot be seen is written out. */
export const shownPath = (raw: RawPath): string => plainText(decoder.decode(bytesOfRaw(raw)))

/** Control characters, and those that turn the direction of what follows or have no width. */
const unseen = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** A name in which nothing is hidden: a line feed is `\\n`, a turn of the direction `\\u202e`. */
export const plainText = (name: string): string =>
  name.replace(unseen, (character) => {
    const known = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
    return known ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })

export const joinPath = (folder: RawPath, name: RawPath): RawPath =>
  `${folder}${folder.endsWith('/') ? '' : '/'}${name}`

/**
 * Without doubled slashes, `.`, `..` and a slash at the end: agents give a path back as it was sent. A path that does
 * not start at the root only loses its last slash.
 */
export function normalPath(raw: RawPath): RawPath {
  if (!raw.startsWith('/')) return raw.length > 1 ? raw.replace(/\/+$/, '') : raw
  const segments: RawPath[] = []
  for (const part of raw.split('/')) {
    if (part === '..') segments.pop()
    else if (part && part !== '.') segments.push(part)
  }
  return `/${segments.join('/')}`
}

/** The folder that holds it; `undefined` for the root. */
export function parentOf(path: RawPath): RawPath | undefined {
  const at = path.lastIndexOf('/')
  if (at < 0 || path === '/') return undefined
  return at === 0 ? '/' : path.slice(0, at)
}

export const nameOf = (path: RawPath): RawPath => path.slice(path.lastIndexOf('/') + 1)

/**
 * What somebody typed as a path: from the root, or from the folder that is open. `~` is the home directory, which has
 * no path of its own here: agents give it for an empty one.
 */
export function typedPath(text: string, folder: RawPath | undefined): RawPath {
  const typed = rawFromText(text.trim())
  if (typed === '' || typed === '~') return ''
  const isWhole = typed.startsWith('/') || /^[a-z]:/i.test(typed) || folder === undefined
  return normalPath(isWhole ? typed : joinPath(folder, typed))
}

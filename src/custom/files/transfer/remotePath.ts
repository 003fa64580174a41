import { bytesOfPathText } from '../../../domain/files/pathText.ts'
import type { FileEntry } from '../../../schemas/frames/file.ts'
import type { FileItem } from '../../../schemas/inspect/files.ts'

/**
 * Paths and names of a remote machine as raw text: one character per byte, because file systems store bytes and not
 * every name is UTF-8. Plain ASCII looks the same; to display any other, use `shownPath`.
 */
export type RawPath = string

/** Asks for the home directory of the user that the agent runs as. */
export const home: RawPath = ''

const encoder = new TextEncoder()

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

/** An entry of a folder. */
export interface Entry {
  raw: RawPath
  /** For display: invalid UTF-8 is replaced, and what cannot be seen is written out. */
  name: string
  isFolder: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const beyondAscii = /[^\0-\x7f]/

/** Entries by type, folders first, then by name as people sort names: `file2` before `file10`. */
export function sortedEntries(entries: readonly FileEntry[], locale: string): Entry[] {
  const all = entries.map(({ name: bytes, isDirectory }) => {
    const name = decoder.decode(bytes)
    return { raw: beyondAscii.test(name) ? rawFromBytes(bytes) : name, name: plainText(name), isFolder: isDirectory }
  })
  // A collator takes a fifth of a second for 20,000 names; plain ASCII needs none, and most folders are so.
  if (!all.some(({ name }) => beyondAscii.test(name))) return sortedByKey(all)
  const { compare } = new Intl.Collator(locale, { numeric: true })
  return all.sort(
    (a, b) => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name) || operation(a.raw, b.raw),
  )
}

function sortedByKey(entries: readonly Entry[]): Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: sortKey(entry) }))
  return keyed.sort((a, b) => operation(a.key, b.key) || operation(a.entry.raw, b.entry.raw)).map(({ entry }) => entry)
}

/** Text that sorts as the entry does: by type, without case, and with numbers of one length. */
const sortKey = ({ name, isFolder }: Entry) =>
  `${isFolder ? 0 : 1}${name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(16, '0'))}`

const operation = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** Those that a person wants to see: names that contain the text, hidden ones only if asked for. */
export function filteredEntries(entries: readonly Entry[], text: string, showsHidden: boolean): readonly Entry[] {
  const query = text.trim().toLocaleLowerCase()
  if (!query && showsHidden) return entries
  return entries.filter(
    ({ name }) => (showsHidden || !name.startsWith('.')) && (!query || name.toLocaleLowerCase().includes(query)),
  )
}

/** The next entry whose name begins with what was typed, from a place on and around the end; -1 when there is none. */
export function findByTyping(entries: readonly Entry[], typed: string, from: number): number {
  const query = typed.toLocaleLowerCase()
  for (let step = 0; step < entries.length; step += 1) {
    const at = (from + step) % entries.length
    if (entries[at]?.name.toLocaleLowerCase().startsWith(query)) return at
  }
  return -1
}

/** What the machine's programs say about the entries of a folder, by name. */
export type Items = ReadonlyMap<RawPath, FileItem>

/** A name or a path of an answer. */
export const rawOfText = (text: string): RawPath => rawFromBytes(bytesOfPathText(text))

export const itemsByName = (items: readonly FileItem[]): Items =>
  new Map(items.map((item) => [rawOfText(item.name), item]))

/** A path as requests have it: `%ff` for each byte that is not plain. */
export const pathText = (raw: RawPath): string =>
  raw.replace(/[^\x20-\x7e]|%/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

export const sortKeys = ['name', 'size', 'modified', 'owner', 'mode'] as const
export type SortKey = (typeof sortKeys)[number]

export interface Sorting {
  key: SortKey
  isDescending: boolean
}

const ownerOf = ({ owner, group }: FileItem) => `${owner}:${group}`

const sortValue: Record<Exclude<SortKey, 'name'>, (item: FileItem | undefined) => number | string> = {
  size: (item) => item?.size ?? -1,
  modified: (item) => item?.modified ?? '',
  owner: (item) => (item ? ownerOf(item) : ''),
  mode: (item) => item?.mode ?? '',
}

/** Entries in another order, folders first as always. @param entries by name */
export function sortedBy(entries: readonly Entry[], items: Items, { key, isDescending }: Sorting): readonly Entry[] {
  const direction = isDescending ? -1 : 1
  if (key === 'name' && !isDescending) return entries
  const value = key === 'name' ? undefined : sortValue[key]
  const keyed = entries.map((entry, index) => ({ entry, by: value ? value(items.get(entry.raw)) : index }))
  return keyed
    .sort(
      (one, other) =>
        Number(other.entry.isFolder) - Number(one.entry.isFolder) ||
        (one.by < other.by ? -direction : one.by > other.by ? direction : 0),
    )
    .map(({ entry }) => entry)
}

/** `rwxr-x---`, as `ls` prints it. @param mode octal */
export function symbolicMode(mode: string): string {
  const bits = Number.parseInt(mode, 8)
  const special = ['s', 's', 't']
  return [0, 1, 2]
    .map((who) => {
      const three = (bits >> (6 - 3 * who)) & 7
      const isSpecial = (bits >> (11 - who)) & 1
      const letter = special[who] ?? ''
      const last = isSpecial ? (three & 1 ? letter : letter.toUpperCase()) : three & 1 ? 'x' : '-'
      return `${three & 4 ? 'r' : '-'}${three & 2 ? 'w' : '-'}${last}`
    })
    .join('')
}

const archives = /\.(tar\.gz|tgz|tar|zip)$/i

export const isArchive = (name: string): boolean => archives.test(name)

/** The name of the folder that an archive is unpacked into. */
export const unpackedName = (name: string): string => name.replace(archives, '')

/** A name that nothing has yet: `notes (2).txt`. @param taken the names of the folder */
export function freeName(name: RawPath, taken: ReadonlySet<RawPath>): RawPath {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number += 1) {
    const free = `${stem} (${number})${ending}`
    if (!taken.has(free)) return free
  }
}

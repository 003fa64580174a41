import { bytesOfPathText } from '../../../domain/files/pathText.ts'
import type { FileItem } from '../../../schemas/inspect/files.ts'
import type { Entry } from '../transfer/entries.ts'
import { type RawPath, rawFromBytes } from '../transfer/remotePath.ts'

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

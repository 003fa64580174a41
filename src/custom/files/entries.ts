import type { FileEntry } from '../../schemas/frames/file.ts'
import { type RawPath, rawFromBytes } from './remotePath.ts'

/** A line of the list. */
export interface Entry {
  raw: RawPath
  /** For reading: what is no UTF-8 is replaced. */
  name: string
  isFolder: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const beyondAscii = /[^\0-\x7f]/

/** Entries by type, folders first, then by name as people sort names: `file2` before `file10`. */
export function sortedEntries(entries: readonly FileEntry[], locale: string): Entry[] {
  const { compare } = new Intl.Collator(locale, { numeric: true })
  return entries
    .map(({ name: bytes, isDirectory }) => {
      const name = decoder.decode(bytes)
      return { raw: beyondAscii.test(name) ? rawFromBytes(bytes) : name, name, isFolder: isDirectory }
    })
    .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name) || (a.raw < b.raw ? -1 : 1))
}

/** Those that a person wants to see: names that contain the text, hidden ones only if asked for. */
export function filteredEntries(entries: readonly Entry[], text: string, showsHidden: boolean): readonly Entry[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (!wanted && showsHidden) return entries
  return entries.filter(
    ({ name }) => (showsHidden || !name.startsWith('.')) && (!wanted || name.toLocaleLowerCase().includes(wanted)),
  )
}

/** The next entry whose name begins with what was typed, from a place on and around the end; -1 when there is none. */
export function findByTyping(entries: readonly Entry[], typed: string, from: number): number {
  const wanted = typed.toLocaleLowerCase()
  for (let step = 0; step < entries.length; step += 1) {
    const at = (from + step) % entries.length
    if (entries[at]?.name.toLocaleLowerCase().startsWith(wanted)) return at
  }
  return -1
}

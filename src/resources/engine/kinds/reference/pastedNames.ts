import type { RaRecord } from 'react-admin'

/** What a pasted text came to. */
export interface Pasted {
  ids: number[]
  /** The pieces that name no record. */
  unknown: string[]
}

const separators = /[\n\r\t,;]+/

/**
 * Finds the records that a list of names means: one per line, or with commas, semicolons or tabs between them. `#17`
 * is an id; capitals make no difference, and of several records with one name all are meant.
 * @returns `undefined` when the text is no list
 */
export function readPastedNames(text: string, records: readonly RaRecord[]): Pasted | undefined {
  const pieces = [...new Set(text.split(separators).map((piece) => piece.trim()))].filter(Boolean)
  if (pieces.length < 2) return undefined
  const byName = new Map<string, number[]>()
  for (const { id, name } of records) {
    for (const key of [`#${id}`, String(name ?? '').toLowerCase()]) {
      byName.set(key, [...(byName.get(key) ?? []), Number(id)])
    }
  }
  const found = pieces.map((piece) => byName.get(piece.toLowerCase()))
  return {
    ids: [...new Set(found.flatMap((ids) => ids ?? []))],
    unknown: pieces.filter((_, index) => !found[index]),
  }
}

import type { RaRecord } from 'react-admin'

/** The result of reading a pasted list of names. */
export interface Pasted {
  ids: number[]
  /** The entries for which there is no record. */
  unknown: string[]
}

const separators = /[\n\r\t,;]+/

/**
 * Finds the records of a list of names: one per line, or with commas, semicolons or tabs between them. `#17` is an id.
 * Capitals make no difference; of several records with one name all are found.
 * @returns `undefined` when the text is not a list
 */
export function readPastedNames(
  text: string,
  records: readonly RaRecord[],
  nameOf: (record: RaRecord) => string,
): Pasted | undefined {
  const entries = [...new Set(text.split(separators).map((entry) => entry.trim()))].filter(Boolean)
  if (entries.length < 2) return undefined
  const byName = new Map<string, number[]>()
  for (const record of records) {
    const { id } = record
    for (const key of [`#${id}`, nameOf(record).toLowerCase()]) {
      byName.set(key, [...(byName.get(key) ?? []), Number(id)])
    }
  }
  const found = entries.map((entry) => byName.get(entry.toLowerCase()))
  return {
    ids: [...new Set(found.flatMap((ids) => ids ?? []))],
    unknown: entries.filter((_, index) => !found[index]),
  }
}

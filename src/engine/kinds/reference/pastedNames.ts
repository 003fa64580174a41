import type { RaRecord } from 'react-admin'

interface Found {
  ids: number[]
  /** The names for which there is no record. */
  unknown: string[]
}

const separators = /[\n\r\t,;]+/

/**
 * Reads a list of names: one per line, or with commas, semicolons or tabs between them.
 * @returns `undefined` when the text is not a list
 */
export function readNames(text: string): readonly string[] | undefined {
  const names = [...new Set(text.split(separators).map((name) => name.trim()))].filter(Boolean)
  return names.length < 2 ? undefined : names
}

/** Finds the records of names. `#17` is an id. Capitals make no difference; of several records with one name all are found. */
export function findNamed(
  names: readonly string[],
  records: readonly RaRecord[],
  nameOf: (record: RaRecord) => string,
): Found {
  const byName = new Map<string, number[]>()
  for (const record of records) {
    const { id } = record
    for (const key of [`#${id}`, nameOf(record).toLowerCase()]) {
      byName.set(key, [...(byName.get(key) ?? []), Number(id)])
    }
  }
  const found = names.map((name) => byName.get(name.toLowerCase()))
  return {
    ids: [...new Set(found.flatMap((ids) => ids ?? []))],
    unknown: names.filter((_, index) => !found[index]),
  }
}

import { minSamples, sampleSeconds } from '../../../src/schemas/alerts/ruleLimits.ts'
import { limits } from '../../../src/schemas/define/fields.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { ForeignDatabase, ForeignRow } from '../../db/foreignDatabase.ts'
import { type ImportedRecord, ImportRefusal, maxRecordsOfKind, type Skipped } from './importData.ts'

/** @throws ImportRefusal that names what a file of this product would have */
export function requireColumns(
  database: ForeignDatabase,
  product: string,
  needed: Readonly<Record<string, readonly string[]>>,
): void {
  for (const [table, columns] of Object.entries(needed)) {
    const present = database.columnsOf(table)
    const missing = present ? columns.find((column) => !present.has(column)) : ''
    if (missing !== undefined)
      throw new ImportRefusal('unknown_version', { product, missing: missing ? `${table}.${missing}` : table })
  }
}

/** Characters of all records of a kind: the server takes them at once, and others wait for it. */
const maxCharactersOfKind = 8 * 1024 * 1024

/** Reads the rows of a table as records of an entity here; what is too many, or too long together, is said. */
export function readKind<T>(
  rows: Iterable<ForeignRow>,
  entity: string,
  skipped: Skipped[],
  read: (row: ForeignRow) => T | undefined,
): T[] {
  const found: T[] = []
  let left = maxCharactersOfKind
  for (const row of rows) {
    const one = found.length < maxRecordsOfKind ? read(row) : undefined
    left -= one === undefined ? 0 : JSON.stringify(one).length
    if (left < 0 || found.length === maxRecordsOfKind) {
      skipped.push({ entity, name: '', code: 'too_many', args: { max: found.length } })
      break
    }
    if (one !== undefined) found.push(one)
  }
  return found
}

/** A name that a record can have here: not empty, and not too long. */
export function recordName(text: string, id: number): string {
  const name = text.trim().slice(0, limits.name).toWellFormed().trim()
  return name === '' ? `#${id}` : name
}

/** The whole numbers in a list, whatever else it holds. */
export const idsIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id): id is number => Number.isSafeInteger(id) && id > 0) : []

/** The texts in a list, whatever else it holds. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []

/** An object, or nothing. */
export const objectIn = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

/** Which records belong to which, from a table with a row for each pair. */
export function pairs(
  database: ForeignDatabase,
  table: string,
  one: string,
  other: string,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const row of database.rows(table, [one, other], { limit: maxPairs })) {
    const others = found.get(row.integer(one)) ?? []
    others.push(row.integer(other))
    found.set(row.integer(one), others)
  }
  return found
}

const maxPairs = 200_000

/** Ids as a set on the wire. */
export const idSetOf = (ids: readonly number[]): Values => Object.fromEntries(ids.map((id) => [id, true]))

/** The samples that a rule looks at, of a time in seconds. */
export const samplesOf = (seconds: number): number => Math.max(minSamples, Math.round(seconds / sampleSeconds))

/** A rule about some servers, which is notified once. */
export const ruleFor = (
  id: number,
  name: string,
  notification_group_id: number,
  part: Values,
  servers: readonly number[],
): ImportedRecord => ({
  entity: 'alert-rule',
  id,
  name,
  values: {
    enable: true,
    trigger_mode: 1,
    notification_group_id,
    // Only those that are named.
    rules: [{ ...part, cover: 1, ignore: idSetOf(servers) }],
  },
})

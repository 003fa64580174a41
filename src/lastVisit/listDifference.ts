import { describeFields, isConcealed } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import type { Values } from '../schemas/define/values.ts'

/** A list as a person has seen it: a hash for each record, and never its contents. */
export interface SeenList {
  /** Of the names of the hashed fields: another version of the console knows others. */
  fields: string
  /** By id. The empty text: the person has written the record since, so that whatever it holds was seen. */
  hashes: Record<string, string>
}

/** What is different in a list, by id. */
export interface ListDifference {
  entity: string
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

/** Lists that are longer are not compared. */
export const mostCompared = 20_000

/**
 * The hashes of a list as it is now.
 * @param salt a random text of this browser, so that hashes of two browsers cannot be compared
 */
export function hashList(entity: Entity, rows: readonly Values[], salt: string): SeenList {
  const names = describeFields(entity)
    .filter((field) => field.editable && !field.transient && !isConcealed(field))
    .map(({ name }) => name)
  const hashRow = (row: Values) => hash(JSON.stringify([salt, row.id, ...names.map((name) => meaningOf(row[name]))]))
  return {
    fields: hash(names.join()),
    hashes: Object.fromEntries(rows.map((row) => [String(row.id), hashRow(row)])),
  }
}

/** @returns `undefined` when nothing is different, or when the two cannot be compared */
export function compareLists(entity: string, seen: SeenList, now: SeenList): ListDifference | undefined {
  if (seen.fields !== now.fields) return undefined
  const added = Object.keys(now.hashes).filter((id) => !(id in seen.hashes))
  const changed = Object.keys(now.hashes).filter((id) => seen.hashes[id] && seen.hashes[id] !== now.hashes[id])
  const removed = Object.keys(seen.hashes).filter((id) => seen.hashes[id] && !(id in now.hashes))
  return added.length + changed.length + removed.length > 0 ? { entity, added, changed, removed } : undefined
}

/** The same for all values that mean "nothing": servers leave them out, or send them, as they like. */
function meaningOf(value: unknown): unknown {
  if (!value) return null
  if (typeof value === 'object' && Object.keys(value).length === 0) return null
  return value
}

/** 64 bits of FNV-1a, as two halves of 32: short enough for ten thousand of them, long enough to tell them apart. */
function hash(text: string): string {
  let [first, second] = [0x811c9dc5, 0x01000193]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ (code + index), 0x01000193)
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}

import { createHash } from 'node:crypto'
import { configuredFields } from '../../src/domain/configuration/fileValues.ts'
import type { FieldChange } from '../../src/domain/configuration/plan.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Values } from '../../src/schemas/define/values.ts'
import type { MadeImport } from '../../src/schemas/endpoints/importEndpoints.ts'
import type { Store } from '../db/store.ts'
import { timestamp } from '../wire/apiCall.ts'

/** What takes an import back. */
export interface ImportEffects {
  /**
   * In the order in which they were made; with `updated_at` as it was then, and `contentOf` the record, which imports of
   * earlier versions lack.
   */
  created: { entity: string; id: number; name: string; updatedAt: string; content?: string }[]
  updated: { entity: string; id: number; name: string; fields: readonly FieldChange[] }[]
  users: { id: number; username: string; updatedAt: string }[]
  /** Hashes of further secrets of agents. */
  secrets: string[]
  /** Of users that were there before. */
  settings: { name: string; before: unknown; after: unknown }[]
  blocked: string[]
}

export interface ImportRow {
  id: number
  /** Milliseconds since 1970. */
  at: number
  kind: string
  product: string
  file: string
  username: string
  effects: ImportEffects
  /** Milliseconds since 1970; 0 while it was not undone. */
  undone_at: number
}

/** The imports that were made, each with what takes it back. */
export interface ImportLog {
  /** The latest first. */
  list(): MadeImport[]
  get(id: number): ImportRow | undefined
  add(row: Omit<ImportRow, 'id' | 'undone_at'>): number
  markUndone(id: number, at: number): void
}

/** So many can be taken back. */
const maxImports = 20

export function openImportLog(store: Store): ImportLog {
  const table = store.table<ImportRow>({
    name: 'import',
    columns: [
      { name: 'at', type: 'INTEGER' },
      { name: 'kind', type: 'TEXT' },
      { name: 'product', type: 'TEXT' },
      { name: 'file', type: 'TEXT' },
      { name: 'username', type: 'TEXT' },
      { name: 'effects', type: 'JSON' },
      { name: 'undone_at', type: 'INTEGER', initial: 0 },
    ],
  })
  return {
    list: () => table.latest({}, 0, maxImports).map(toWire),
    get: (id) => table.get(id),
    add(row) {
      const id = table.insert({ ...row, undone_at: 0 })
      table.remove(table.latest({}, maxImports, maxImports).map((old) => old.id))
      return id
    },
    markUndone: (id, undone_at) => void table.update(id, { undone_at }),
  }
}

export const toWire = ({ id, at, kind, product, file, username, effects, undone_at }: ImportRow): MadeImport => ({
  id,
  at: timestamp(at),
  kind,
  product,
  file,
  username,
  created: effects.created.length + effects.users.length + effects.blocked.length,
  updated: effects.updated.length + (effects.settings.length > 0 ? 1 : 0),
  ...(undone_at > 0 && { undone_at: timestamp(undone_at) }),
})

/** A hash of what somebody can change of a record: its configuration, its owner and its team. */
export function contentOf(entity: Entity, row: Values): string {
  const fields = [...configuredFields(entity).map(({ name }) => name), 'user_id', 'team']
  const content = JSON.stringify(fields.map((name) => row[name] ?? null))
  return createHash('sha256').update(content).digest('base64url')
}

export const noEffects = (): ImportEffects => ({
  created: [],
  updated: [],
  users: [],
  secrets: [],
  settings: [],
  blocked: [],
})

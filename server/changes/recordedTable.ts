import type { Entity } from '../../src/schemas/define/entity.ts'
import { settingsRecordId } from '../../src/schemas/endpoints/changeEndpoints.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { changedFields, recordedFields } from './changedFields.ts'
import { changeLogOf } from './changeLog.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The table of an entity whose writes are recorded, in the same transaction: whoever writes, and for whatever reason,
 * goes through it. Writes to fields that no person changes, such as the last run of a task, cost nothing more.
 * @param ownerOf whose record it is
 */
export function recordedTable<Row extends { id: number }>(
  store: Store,
  entity: Entity,
  table: ResidentTable<Row>,
  ownerOf: (row: Row) => number,
): ResidentTable<Row> {
  const fields = recordedFields(entity)
  if (fields.length === 0) return table
  const log = changeLogOf(store)
  const names = new Set(fields.map(({ name }) => name))

  return {
    ...table,
    insert(values) {
      return store.transaction(() => {
        const id = table.insert(values)
        const row = { ...values, id } as Row
        const changed = changedFields(fields, undefined, row)
        log.add(entity, { action: 'created', record: row, ownerId: ownerOf(row), fields: changed })
        return id
      })
    },
    update(id, values) {
      if (!Object.keys(values).some((name) => names.has(name))) return table.update(id, values)
      return store.transaction(() => {
        const before = table.get(id)
        const isThere = table.update(id, values)
        if (!before) return isThere
        const row = { ...before, ...values } as Row
        const changed = changedFields(fields, before, row)
        if (changed.length > 0) {
          log.add(entity, { action: 'updated', record: row, ownerId: ownerOf(row), fields: changed })
        }
        return isThere
      })
    },
    remove(ids) {
      return store.transaction(() => {
        for (const row of ids.flatMap((id) => table.get(id) ?? [])) {
          const changed = changedFields(fields, row, undefined)
          log.add(entity, { action: 'deleted', record: row, ownerId: ownerOf(row), fields: changed })
        }
        return table.remove(ids)
      })
    },
  }
}

/** Records what changed in the settings, which are no row of a table. To be called in the transaction of the write. */
export function recordSettings(store: Store, entity: Entity, before: Values, after: Values): void {
  const changed = changedFields(recordedFields(entity), before, after)
  if (changed.length === 0) return
  const record = { ...after, id: settingsRecordId }
  changeLogOf(store).add(entity, { action: 'updated', record, ownerId: 0, fields: changed })
}

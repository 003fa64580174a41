import type { Entity } from '../../src/schemas/define/entity.ts'
import { settingsRecordId } from '../../src/schemas/endpoints/changeEndpoints.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { changedFields, recordedFields } from './changedFields.ts'
import { changeLogOf } from './changeLog.ts'

/**
 * Records the changes of a table, in the transaction of each write: whoever writes, and for whatever reason. Writes to
 * fields that no person changes, such as the last run of a task, cost nothing more.
 * @param ownerOf whose record it is
 */
export function recordChanges<Row extends { id: number }>(
  store: Store,
  entity: Entity,
  table: ResidentTable<Row>,
  ownerOf: (row: Row) => number,
): void {
  const fields = recordedFields(entity)
  if (fields.length === 0) return
  const log = changeLogOf(store)
  const names = fields.map(({ name }) => name)
  table.onChange(names, ({ before, after }) => {
    const record = after ?? before
    const changed = changedFields(fields, before, after)
    if (!record || (before && after && changed.length === 0)) return
    const action = !before ? 'created' : after ? 'updated' : 'deleted'
    log.add(entity, { action, record, ownerId: ownerOf(record), fields: changed })
  })
}

/** Records what changed in the settings, which are no row of a table. To be called in the transaction of the write. */
export function recordSettings(store: Store, entity: Entity, before: object, after: object): void {
  const changed = changedFields(recordedFields(entity), before, after)
  if (changed.length === 0) return
  const record = { ...after, id: settingsRecordId }
  changeLogOf(store).add(entity, { action: 'updated', record, ownerId: 0, fields: changed })
}

import { configuredEntities } from '../../src/domain/configuration/configuredEntities.ts'
import {
  configuredFields,
  namesOf,
  type RecordsByEntity,
  sameFileValue,
  toFileValue,
} from '../../src/domain/configuration/fileValues.ts'
import type { FieldChange, RecordChange } from '../../src/domain/configuration/plan.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { sameValue } from '../../src/schemas/define/values.ts'
import { server } from '../../src/schemas/server.ts'
import { user } from '../../src/schemas/user.ts'
import type { RecordsOf } from '../api/crud.ts'
import type { OwnedRecords } from '../api/ownedRecords.ts'
import { entityTable } from '../entities/entityTable.ts'
import { readSite } from '../site/site.ts'
import { type ApplyServices, writeImportedSite } from './applyImport.ts'
import { contentOf, type ImportEffects } from './importLog.ts'

export interface UndoServices extends ApplyServices {
  recordsOf: RecordsOf
  owned: Pick<OwnedRecords, 'move'>
}

/** A record that stays as it is. */
interface Kept {
  entity: string
  name: string
}

/**
 * Takes an import back, in steps of `Store.inSlices`: what somebody has changed since stays.
 * @param kept is given what stays
 */
export function* undoImport(effects: ImportEffects, kept: Kept[], services: UndoServices): Generator<void> {
  const { auth, configuration, person, judge } = services
  auth.furtherSecrets.remove(effects.secrets)
  undoSettings(effects, kept, services)
  yield
  yield* configuration.steps(person, reversed(effects, configuration.read(person), kept), judge, () => {})
  yield* deleteRecords(effects, kept, services)
  yield
  for (const { id, username, updatedAt } of effects.users) {
    const current = auth.users.get(id)
    if (!current) continue
    if (current.updated_at !== updatedAt || id === person?.id) kept.push({ entity: user.name, name: username })
    else {
      // What they have made since stays, with whoever takes the import back.
      services.owned.move([id], person?.id ?? 0)
      services.recordsOf(user.name).remove(person, [id])
    }
    yield
  }
}

function undoSettings({ settings }: ImportEffects, kept: Kept[], { store }: UndoServices): void {
  const site = readSite(store)
  const isSame = ({ name, after }: ImportEffects['settings'][number]) => sameValue(site[name] ?? null, after)
  for (const one of settings) if (!isSame(one)) kept.push({ entity: 'setting', name: one.name })
  const back = settings.filter(isSame).map(({ name, before }) => [name, before ?? undefined] as const)
  if (back.length > 0) writeImportedSite(store, Object.fromEntries(back))
}

/** The changes that take back those of an import, as far as nobody has changed the same field since. */
function reversed({ updated }: ImportEffects, here: RecordsByEntity, kept: Kept[]): RecordChange[] {
  const entities = new Map(configuredEntities().map((entity) => [entity.name, entity]))
  const nameOf = namesOf(here)
  return updated.flatMap(({ entity: entityName, id, name, fields }): RecordChange[] => {
    const entity = entities.get(entityName)
    const record = here.get(entityName)?.byId.get(id)
    if (!entity || !record) return []
    const isSame = ({ field: fieldName, after }: FieldChange) => {
      const field = describedField(entity, fieldName)
      return field !== undefined && sameFileValue(field, toFileValue(field, record, nameOf), after)
    }
    const back = fields.filter(isSame)
    if (back.length < fields.length) kept.push({ entity: entityName, name })
    const changes = back.map(({ field, before, after }) => ({ field, before: after, after: before }))
    // A change is called as the record is afterwards.
    const named = changes.find(({ field }) => field === entity.nameField)
    const nameAfter = String(named?.after ?? record[entity.nameField])
    return changes.length === 0 ? [] : [{ verb: 'update', entity: entityName, id, name: nameAfter, fields: changes }]
  })
}

const describedField = (entity: Entity, name: string) => configuredFields(entity).find((field) => field.name === name)

/** Deletes what was made, what refers to others first. */
function* deleteRecords(
  { created }: ImportEffects,
  kept: Kept[],
  { store, person, recordsOf }: UndoServices,
): Generator<void> {
  const order = configuredEntities().filter(({ name }) => name !== server.name)
  for (const entity of [...order.toReversed(), server]) {
    const table = entityTable(store, entity)
    for (const { entity: name, id, name: recordName, updatedAt, content } of created) {
      const row = name === entity.name ? table.get(id) : undefined
      if (!row) continue
      // A run of a task, and a change that was taken back, leave the record as the import made it.
      if (row.updated_at === updatedAt || contentOf(entity, row) === content)
        recordsOf(entity.name).remove(person, [id])
      else kept.push({ entity: entity.name, name: recordName })
      yield
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { namesAfter, type Operation, operationsOf, PlanError } from '../../src/domain/configuration/applyPlan.ts'
import { configuredEntities, isDeletedByFile } from '../../src/domain/configuration/configuredEntities.ts'
import { configuredFields } from '../../src/domain/configuration/configuredFields.ts'
import { sameFileValue, toFileValue } from '../../src/domain/configuration/fileValues.ts'
import type { RecordChange } from '../../src/domain/configuration/plan.ts'
import {
  namesOf,
  type RecordsByEntity,
  type StoredRecord,
  storedRecords,
} from '../../src/domain/configuration/storedRecords.ts'
import { describeFields, isConcealed } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { fromWireRow, withoutComputed } from '../../src/schemas/define/wireRows.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { cachedRow } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Form, Row } from '../entities/row.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { isEmpty } from '../wire/withoutEmpty.ts'
import { formReaderOf, type RecordsOf } from './crud.ts'
import type { EntityHooks } from './entityHooks.ts'

/** The records of a configuration file, as one person may see and change them. */
export interface ConfigurationRecords {
  read(person: Person | undefined): RecordsByEntity
  /** The names of concealed fields that hold a value, by entity and id; records without one are left out. */
  storedSecrets(person: Person | undefined): Record<string, Record<string, string[]>>
  /** Carries out all changes, or none of them. @throws ApiError with the name of the record that was refused */
  apply(person: Person | undefined, changes: readonly RecordChange[]): void
}

declare module 'fastify' {
  interface FastifyInstance {
    configuration: ConfigurationRecords
  }
}

/** The call that carries out a plan in one transaction, by the rules of the calls for single records. */
export const configurationPlugin = fp(
  async (app: FastifyInstance, { store }: { store: Store }) => {
    const configuration = createConfigurationRecords({ store, recordsOf: app.recordsOf, hooks: app.entityHooks })
    app.decorate('configuration', configuration)
    route(app, 'storedSecrets', endpoints.storedSecrets, ({ person }) => configuration.storedSecrets(person))
    const readChanges = bodyReader(endpoints.applyConfiguration)
    route(app, 'applyConfiguration', endpoints.applyConfiguration, readChanges, async (request) => {
      const { changes } = request.body
      const count = (verb: RecordChange['verb']) => changes.filter((change) => change.verb === verb).length
      addAuditDetails(request, {
        detail: { created: count('create'), updated: count('update'), deleted: count('delete') },
      })
      // Reading the changes took its time, and carrying them out takes as long again: others have their turn between.
      await nextTurn()
      request.judgeAgain?.()
      configuration.apply(request.person, changes)
    })
  },
  { name: 'configuration', dependencies: ['crud'] },
)

interface Services {
  store: Store
  recordsOf: RecordsOf
  hooks: ReadonlyMap<string, EntityHooks>
}

function createConfigurationRecords({ store, recordsOf, hooks }: Services): ConfigurationRecords {
  const entities = new Map(configuredEntities().map((entity) => [entity.name, entity]))

  function entityOf(name: string): Entity {
    const entity = entities.get(name)
    if (!entity) throw new ApiError(`there are no records of ${name} in a configuration`)
    return entity
  }

  const rowsOf = (entity: Entity, person: Person | undefined) =>
    [...recordsOf(entity.name).list(person, new Set())].map((row) => fromWireRow(entity, row)) as StoredRecord[]

  const concealedFields = (entity: Entity) => describeFields(entity).filter(isConcealed)

  function secretsOf(entity: Entity, rows: readonly StoredRecord[]): Record<string, string[]> {
    const fields = concealedFields(entity)
    if (fields.length === 0) return {}
    const table = entityTable(store, entity)
    return Object.fromEntries(
      rows.flatMap(({ id }) => {
        const row = cachedRow(table, id)
        const names = fields.map(({ name }) => name).filter((name) => !isEmpty(row?.[name]))
        return names.length > 0 ? [[id, names] as const] : []
      }),
    )
  }

  const read = (person: Person | undefined): RecordsByEntity =>
    new Map(
      [...entities.values()].map((entity) => {
        const rows = rowsOf(entity, person)
        return [entity.name, storedRecords(entity, rows, secretsOf(entity, rows))]
      }),
    )

  const storedSecrets = (person: Person | undefined) =>
    Object.fromEntries(
      [...entities.values()]
        .filter((entity) => concealedFields(entity).length > 0)
        .map((entity) => [entity.name, secretsOf(entity, rowsOf(entity, person))] as const)
        .filter(([, secrets]) => Object.keys(secrets).length > 0),
    )

  function carryOut(operation: Operation, person: Person | undefined, stored: RecordsByEntity): number | undefined {
    const { verb, entity } = operation
    const records = recordsOf(entity.name)
    const isPossible = verb === 'delete' ? isDeletedByFile(entity) : entity.api.verbs.includes(verb)
    // Not what a plan says: it would pass by what the call for a single record asks for, or that there is none.
    if (!isPossible) throw new ApiError(`a configuration cannot ${verb} records of this kind`)
    const readBody = (body: object) => formReaderOf(entity, hooks.get(entity.name))(JSON.stringify(body))
    if (verb === 'create') return records.insert?.(person, readBody(operation.body))
    if (verb === 'delete') records.remove(person, [operation.id])
    else {
      const current = stored.get(entity.name)?.byId.get(operation.id) ?? {}
      const form = readBody({ ...withoutComputed(entity, current), ...operation.body })
      refuseLostSecrets(entity, form, entityTable(store, entity).get(operation.id))
      records.replace?.(person, operation.id, form)
    }
    return undefined
  }

  function apply(person: Person | undefined, changes: readonly RecordChange[]): void {
    store.transaction(() => {
      const stored = read(person)
      refuseOutdated(changes, stored, entityOf)
      const operations = operationsOf(changes, stored, entityOf)
      for (let created: number | undefined; ; ) {
        const { done, value: operation } = nextOf(operations, created)
        if (done || !operation) return
        created = named(operation, () => carryOut(operation, person, stored))
      }
    })
  }

  return { read, storedSecrets, apply }
}

type Operations = ReturnType<typeof operationsOf>

/** @throws ApiError when a value does not fit, or no record has a name that is referred to any more */
function nextOf(operations: Operations, created: number | undefined): ReturnType<Operations['next']> {
  try {
    return operations.next(created)
  } catch (error) {
    throw error instanceof PlanError ? new ApiError(error.message) : error
  }
}

/** @throws ApiError with the name of the record that was refused */
function named<T>(operation: Operation, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { entity, name } = operation.change
    throw new ApiError(`${entity} "${name}": ${error.message}`, error.status)
  }
}

/** A file that leaves a secret out wants it kept, and elsewhere it is not. @throws ApiError with the names of the fields */
function refuseLostSecrets(entity: Entity, form: Form, row: Row | undefined): void {
  const lost = row ? compileEntity(entity).lostSecrets(form, row) : []
  if (lost.length === 0) return
  throw new ApiError(
    `${lost.join(', ')}: what is stored was given for another address and is not sent to this one: give it again`,
  )
}

/** Only what the person has seen may be replaced. @throws ApiError when somebody has changed the record since */
function refuseOutdated(
  changes: readonly RecordChange[],
  stored: RecordsByEntity,
  entityOf: (name: string) => Entity,
): void {
  const nameOf = namesAfter(changes, namesOf(stored))
  const isOutdated = ({ verb, entity, id = 0, fields }: RecordChange): boolean => {
    const described = configuredFields(entityOf(entity))
    if (verb === 'create') return false
    const record = stored.get(entity)?.byId.get(id)
    if (!record) return true
    return fields.some(({ field: name, before }) => {
      const field = described.find((one) => one.name === name)
      return !field || !sameFileValue(field, toFileValue(field, record, nameOf), before)
    })
  }
  const outdated = changes.find(isOutdated)
  if (!outdated) return
  throw new ApiError(
    `${outdated.entity} "${outdated.name}" was changed by somebody else meanwhile: nothing was applied, make the plan again`,
  )
}

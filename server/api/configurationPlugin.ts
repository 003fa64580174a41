import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { namesAfter, type Operation, operationsOf, PlanError } from '../../src/domain/configuration/applyPlan.ts'
import {
  configuredEntities,
  isDeletedByFile,
  mentionedEntities,
} from '../../src/domain/configuration/configuredEntities.ts'
import {
  configuredFields,
  type NameOf,
  namedRecords,
  namesOf,
  type RecordsByEntity,
  type StoredRecord,
  type StoredRecords,
  sameFileValue,
  storedRecords,
  toFileValue,
} from '../../src/domain/configuration/fileValues.ts'
import type { RecordChange } from '../../src/domain/configuration/plan.ts'
import { describeFields, isConcealed } from '../../src/schemas/define/describe.ts'
import { type Entity, recordName } from '../../src/schemas/define/entity.ts'
import { fromWireRow, withoutComputed } from '../../src/schemas/define/wireRows.ts'
import { configurationEndpoints } from '../../src/schemas/endpoints/configurationEndpoints.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import { refuseLostSecrets } from '../entities/formReader.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Person } from '../person.ts'
import { ApiError, bodyReader, isEmpty } from '../wire/apiCall.ts'
import { formReaderOf, type RecordsOf } from './crud.ts'
import type { EntityHooks } from './entityHooks.ts'

/** The records of a configuration file, as one person may see and change them. */
export interface ConfigurationRecords {
  /** As steps, between which others can be served. */
  readSteps(person: Person | undefined): Generator<void, RecordsByEntity>
  read(person: Person | undefined): RecordsByEntity
  /** The names of concealed fields that hold a value, by entity and id; records without one are left out. */
  storedSecrets(person: Person | undefined): Record<string, Record<string, string[]>>
  /** The names of what a file mentions and does not have, by entity and id. */
  names(person: Person | undefined): Record<string, Record<string, string>>
  /**
   * Carries out all changes, or none of them; others have their turn meanwhile.
   * @param judge called again and again; what it throws ends the work
   * @throws ApiError with the name of the record that was refused
   */
  apply(person: Person | undefined, changes: readonly RecordChange[], judge?: () => void): Promise<void>
  /**
   * The same as steps, for a work that does more than that (`Store.inSlices`).
   * @param made called with the id of each record that was created
   */
  steps(
    person: Person | undefined,
    changes: readonly RecordChange[],
    judge: () => void,
    made: (change: RecordChange, id: number) => void,
  ): Iterable<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    configuration: ConfigurationRecords
  }
}

/** The call that carries out a plan, all of it or nothing, by the rules of the calls for single records. */
export const configurationPlugin = fp(
  async (app: FastifyInstance, { store }: { store: Store }) => {
    const configuration = createConfigurationRecords({ store, recordsOf: app.recordsOf, hooks: app.entityHooks })
    app.decorate('configuration', configuration)
    route(app, 'storedSecrets', configurationEndpoints.storedSecrets, ({ person }) =>
      configuration.storedSecrets(person),
    )
    route(app, 'configurationNames', configurationEndpoints.configurationNames, ({ person }) =>
      configuration.names(person),
    )
    const readChanges = bodyReader(configurationEndpoints.applyConfiguration)
    route(
      app,
      { name: 'applyConfiguration', audit: 'configuration.apply' },
      configurationEndpoints.applyConfiguration,
      readChanges,
      async (request) => {
        const { changes } = request.body
        const count = (verb: RecordChange['verb']) => changes.filter((change) => change.verb === verb).length
        addAuditDetails(request, {
          detail: { created: count('create'), updated: count('update'), deleted: count('delete') },
        })
        // Reading the changes took its time.
        await nextTurn()
        await configuration.apply(request.person, changes, () => request.judgeAgain?.())
      },
    )
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

  /** @param id one record; left out for all */
  function* rowsOf(entity: Entity, person: Person | undefined, id?: number): Iterable<StoredRecord> {
    for (const row of recordsOf(entity.name).list(person, new Set(id === undefined ? [] : [id])))
      yield fromWireRow(entity, row) as StoredRecord
  }

  const concealedFields = (entity: Entity) => describeFields(entity).filter(isConcealed)

  function secretsOf(entity: Entity, rows: readonly StoredRecord[]): Record<string, string[]> {
    const fields = concealedFields(entity)
    if (fields.length === 0) return {}
    const table = entityTable(store, entity)
    return Object.fromEntries(
      rows.flatMap(({ id }) => {
        const row = table.get(id)
        const names = fields.map(({ name }) => name).filter((name) => !isEmpty(row?.[name]))
        return names.length > 0 ? [[id, names] as const] : []
      }),
    )
  }

  /** @param rowsByEntity is given the rows that were read, by their ids */
  function* readInSteps(person: Person | undefined, rowsByEntity?: RowsByEntity): Generator<void, RecordsByEntity> {
    const stored = new Map<string, StoredRecords>()
    for (const entity of entities.values()) {
      const table = entityTable(store, entity).all()
      rowsByEntity?.set(entity.name, new Map(table.map((row) => [row.id, row])))
      const rows: StoredRecord[] = []
      for (const row of rowsOf(entity, person)) {
        rows.push(row)
        yield
      }
      stored.set(entity.name, storedRecords(entity, rows, secretsOf(entity, rows)))
    }
    for (const [entity, given] of Object.entries(names(person))) stored.set(entity, namedRecords(given))
    return stored
  }

  const names = (person: Person | undefined) =>
    Object.fromEntries(
      mentionedEntities().map((entity) => {
        const { visibility } = recordsOf(entity.name)
        const rows = [...rowsOf(entity, person)].filter(({ id }) => visibility(person, id) === 'visible')
        return [entity.name, Object.fromEntries(rows.map((row) => [row.id, recordName(entity, row)]))]
      }),
    )

  function read(person: Person | undefined): RecordsByEntity {
    const steps = readInSteps(person)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  const storedSecrets = (person: Person | undefined) =>
    Object.fromEntries(
      [...entities.values()]
        .filter((entity) => concealedFields(entity).length > 0)
        .map((entity) => [entity.name, secretsOf(entity, [...rowsOf(entity, person)])] as const)
        .filter(([, secrets]) => Object.keys(secrets).length > 0),
    )

  function carryOut(operation: Operation, plan: RunningPlan): number | undefined {
    const { verb, entity } = operation
    const { person } = plan
    const records = recordsOf(entity.name)
    const isPossible = verb === 'delete' ? isDeletedByFile(entity) : entity.api.verbs.includes(verb)
    // Not what a plan says: it would pass by what the call for a single record asks for, or that there is none.
    if (!isPossible) throw new ApiError(`a configuration cannot ${verb} records of this kind`)
    const readBody = (body: object) => formReaderOf(entity, hooks.get(entity.name))(JSON.stringify(body))
    if (verb === 'create') return records.insert?.(person, readBody(operation.body))
    if (verb === 'delete') records.remove(person, [operation.id])
    else {
      const row = entityTable(store, entity).get(operation.id)
      const form = readBody({ ...withoutComputed(entity, currentOf(operation, row, plan)), ...operation.body })
      // A file that leaves a secret out wants it kept.
      refuseLostSecrets(row ? compileEntity(entity).lostSecrets(form, row) : [])
      records.replace?.(person, operation.id, form)
    }
    return undefined
  }

  /** A record that is updated. @throws ApiError when it was changed since it was read, and is not as the plan says */
  function currentOf(
    { entity, change, id }: Extract<Operation, { verb: 'update' }>,
    row: Row | undefined,
    { person, stored, rows, nameOf }: RunningPlan,
  ): StoredRecord {
    const record = stored.get(entity.name)?.byId.get(id)
    if (record && row && row.updated_at === rows.get(entity.name)?.get(id)?.updated_at) return record
    const [now] = row ? rowsOf(entity, person, id) : []
    if (!now || isOutdated(change, now, entity, nameOf)) throw outdated(change)
    return now
  }

  function* takeSteps(
    person: Person | undefined,
    changes: readonly RecordChange[],
    judge: () => void,
    made: (change: RecordChange, id: number) => void = () => {},
  ): Generator<void, void> {
    const rows: RowsByEntity = new Map()
    const stored = yield* readInSteps(person, rows)
    const plan = { person, stored, rows, nameOf: namesAfter(changes, namesOf(stored)) }
    for (const change of changes) {
      const record = stored.get(change.entity)?.byId.get(change.id ?? 0)
      if (change.verb !== 'create' && isOutdated(change, record, entityOf(change.entity), plan.nameOf))
        throw outdated(change)
      yield
    }
    const operations = operationsOf(changes, stored, entityOf)
    for (let created: number | undefined, count = 0; ; count++) {
      if (count % changesOfJudgement === 0) judge()
      const { done, value: operation } = nextOf(operations, created)
      if (done || !operation) return
      created = named(operation, () => carryOut(operation, plan))
      if (created !== undefined) made(operation.change, created)
      yield
    }
  }

  const apply: ConfigurationRecords['apply'] = (person, changes, judge = () => {}) =>
    store.inSlices(takeSteps(person, changes, judge))

  return { read, readSteps: (person) => readInSteps(person), storedSecrets, names, apply, steps: takeSteps }
}

/** The rows of tables by their ids, by the names of entities. */
type RowsByEntity = Map<string, ReadonlyMap<number, Row>>

/** A plan that is being carried out. */
interface RunningPlan {
  person: Person | undefined
  /** What was there before, for the person and in the tables. */
  stored: RecordsByEntity
  rows: RowsByEntity
  nameOf: NameOf
}

/** So many changes are carried out before the person is judged again. */
const changesOfJudgement = 100

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

/** Whether a record is no longer what a change says that it was: only what the person has seen may be replaced. */
function isOutdated(
  { fields }: RecordChange,
  record: StoredRecord | undefined,
  entity: Entity,
  nameOf: NameOf,
): boolean {
  if (!record) return true
  const described = configuredFields(entity)
  return fields.some(({ field: name, before }) => {
    const field = described.find((one) => one.name === name)
    return !field || !sameFileValue(field, toFileValue(field, record, nameOf), before)
  })
}

const outdated = ({ entity, name }: RecordChange) =>
  new ApiError(`${entity} "${name}" was changed by somebody else meanwhile: nothing was applied, make the plan again`)

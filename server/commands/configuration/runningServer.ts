import { type Operation, operationsOf, PlanError } from '../../../src/domain/configuration/applyPlan.ts'
import {
  configuredEntities,
  isSetting,
  mentionedEntities,
  settingRow,
} from '../../../src/domain/configuration/configuredEntities.ts'
import { configuredFields } from '../../../src/domain/configuration/configuredFields.ts'
import { sameFileValue, toFileValue } from '../../../src/domain/configuration/fileValues.ts'
import type { RecordChange } from '../../../src/domain/configuration/plan.ts'
import {
  namedRecords,
  namesOf,
  type RecordsByEntity,
  type SecretsById,
  type StoredRecord,
  storedRecords,
} from '../../../src/domain/configuration/storedRecords.ts'
import { errorMessage } from '../../../src/domain/errors.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { referencesOf } from '../../../src/schemas/define/references.ts'
import { fieldsIn } from '../../../src/schemas/define/values.ts'
import { fromWireRow, toWireBody, withoutComputed } from '../../../src/schemas/define/wireRows.ts'
import {
  configurationEndpoints,
  configurationNames,
  storedSecrets,
} from '../../../src/schemas/endpoints/configurationEndpoints.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { type ApiClient, NotFoundError } from './apiClient.ts'
import { ApplyError, type ConfigurationSource } from './configurationSource.ts'

/** The configuration of a server that runs, of this program or another of the contract, through its API. */
export async function openServer(api: ApiClient): Promise<ConfigurationSource> {
  const features = await announcedFeatures(api)
  const entities = configuredEntities().filter(({ api: { announced } }) => !announced || announced in features)
  const entityByName = new Map(entities.map((entity) => [entity.name, entity]))
  const entityOf = (name: string): Entity => {
    const entity = entityByName.get(name)
    if (!entity) throw new ApplyError(`This server has no ${name}.`)
    return entity
  }

  async function read(): Promise<RecordsByEntity> {
    const stored = new Map<string, ReturnType<typeof storedRecords>>()
    const secrets = await secretsIn(api, features)
    for (const entity of entities) {
      try {
        stored.set(
          entity.name,
          storedRecords(entity, await rowsOf(api, entity), secrets && (secrets[entity.name] ?? {})),
        )
      } catch (error) {
        // Settings are for the tokens of administrators alone.
        if (!(error instanceof NotFoundError || isSetting(entity))) throw error
      }
    }
    for (const [entity, given] of Object.entries(await readNames(stored))) stored.set(entity, namedRecords(given))
    return stored
  }

  /** @throws StartError when records cannot be written without them, and this person may not read them */
  async function readNames(stored: RecordsByEntity): Promise<NamesByEntity> {
    const mentioned = mentionedEntities(entities, features).map(({ name }) => name)
    if (mentioned.length === 0) return {}
    try {
      return configurationNames.parse(await api.send('GET', configurationEndpoints.configurationNames.path))
    } catch (error) {
      const isNeeded = (entity: Entity) =>
        referencesOf(entity).some(({ to }) => mentioned.includes(to)) && stored.get(entity.name)?.all.length
      if (entities.some(isNeeded)) throw error
      return {}
    }
  }

  async function applyOneByOne(changes: readonly RecordChange[], stored: RecordsByEntity): Promise<void> {
    const operations = operationsOf(changes, stored, entityOf)
    const done: RecordChange[] = []
    try {
      for (let next = operations.next(); !next.done; ) {
        const created = await carryOut(api, next.value, stored)
        done.push(next.value.change)
        next = operations.next(created)
      }
    } catch (error) {
      if (error instanceof PlanError) throw new ApplyError(error.message, done)
      const failed = changes[done.length]
      throw new ApplyError(`${failed?.entity} "${failed?.name}": ${errorMessage(error)}`, done)
    }
  }

  return {
    read,
    async apply(changes, stored) {
      if (!('configuration' in features)) return applyOneByOne(changes, stored)
      try {
        await api.send('POST', configurationEndpoints.applyConfiguration.path, { changes })
      } catch (error) {
        throw new ApplyError(errorMessage(error))
      }
    },
    close: async () => {},
  }
}

/** Names by entity and id. */
type NamesByEntity = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `undefined` where the server does not say which secrets are set, or not to this token. */
async function secretsIn(api: ApiClient, features: object): Promise<Record<string, SecretsById> | undefined> {
  if (!('stored_secrets' in features)) return undefined
  try {
    return storedSecrets.parse(await api.send('GET', configurationEndpoints.storedSecrets.path))
  } catch {
    return undefined
  }
}

async function announcedFeatures(api: ApiClient): Promise<object> {
  return fieldsIn(fieldsIn(await api.send('GET', endpoints.setting.path)).wheelhouse)
}

async function rowsOf(api: ApiClient, entity: Entity, query = ''): Promise<StoredRecord[]> {
  const reply = await api.send('GET', `${entity.api.listPath}${query}`)
  const rows = isSetting(entity) ? [settingRow(entity, reply)] : reply
  return (Array.isArray(rows) ? rows : []).map((row) => fromWireRow(entity, row) as StoredRecord)
}

/** @returns the id of a record that was created */
async function carryOut(api: ApiClient, operation: Operation, stored: RecordsByEntity): Promise<number | undefined> {
  const { verb, entity, change } = operation
  if (verb === 'delete') {
    await api.send('POST', `batch-delete/${entity.api.path}`, [operation.id])
    return undefined
  }
  if (verb === 'create') {
    const id = await api.send('POST', entity.api.path, toWireBody(entity, operation.body))
    return typeof id === 'number' ? id : undefined
  }
  // An update replaces everything: what others have changed meanwhile must be in it.
  const rows = await rowsOf(api, entity, `?id=${operation.id}`)
  const fresh = rows.find(({ id }) => id === operation.id)
  if (!fresh || isChanged(entity, change, fresh, stored)) {
    throw new Error('it was changed by somebody else meanwhile: make the plan again')
  }
  const body = toWireBody(entity, { ...withoutComputed(entity, fresh), ...operation.body })
  await api.send('PATCH', `${entity.api.path}/${operation.id}`, body)
  return undefined
}

/** Whether a field to be changed has another value than when the plan was made. */
function isChanged(entity: Entity, { id = 0, fields }: RecordChange, fresh: StoredRecord, stored: RecordsByEntity) {
  const planned = stored.get(entity.name)?.byId.get(id)
  const nameOf = namesOf(stored)
  return configuredFields(entity).some((field) => {
    if (!planned || !fields.some((changed) => changed.field === field.name)) return !planned
    const [before, now] = [planned, fresh].map((record) => toFileValue(field, record, nameOf))
    return !sameFileValue(field, before, now)
  })
}

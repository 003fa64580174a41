import type { QueryClient } from '@tanstack/react-query'
import { request } from '../../api/apiClient.ts'
import { settingQuery } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { type Operation, operationsOf } from '../../domain/configuration/applyPlan.ts'
import {
  configuredEntities,
  isSetting,
  mentionedEntities,
  settingRow,
} from '../../domain/configuration/configuredEntities.ts'
import {
  namedRecords,
  type RecordsByEntity,
  type StoredRecord,
  storedRecords,
} from '../../domain/configuration/fileValues.ts'
import type { RecordChange } from '../../domain/configuration/plan.ts'
import { everyRow } from '../../records/queryRows.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { configurationEndpoints } from '../../schemas/endpoints/configurationEndpoints.ts'
import { newChangeGroup } from '../../undo/changeGroup.ts'

/** What the calls of the configuration need. */
export interface ConfigurationServer {
  dataProvider: ConsoleDataProvider
  queryClient: QueryClient
}

const featuresOf = async ({ dataProvider, queryClient }: ConfigurationServer): Promise<object> =>
  (await queryClient.ensureQueryData(settingQuery(dataProvider))).wheelhouse ?? {}

/** Whether the server applies all changes or none of them. */
export const appliesWhole = async (server: ConfigurationServer): Promise<boolean> =>
  'configuration' in (await featuresOf(server))

/** All records of the configuration as the server has them now; entities that it does not have are left out. */
export async function readRecords(server: ConfigurationServer): Promise<RecordsByEntity> {
  const features = await featuresOf(server)
  const entities = configuredEntities().filter(({ api: { announced } }) => !announced || announced in features)
  await server.queryClient.invalidateQueries({ queryKey: ['collection'], refetchType: 'none' })
  const secrets =
    'stored_secrets' in features ? await server.dataProvider.call(configurationEndpoints.storedSecrets) : undefined
  const lists = await Promise.all(
    entities.map(async (entity) => {
      try {
        const records = await recordsOf(server, entity)
        return [[entity.name, storedRecords(entity, records, secrets && (secrets[entity.name] ?? {}))] as const]
      } catch (error) {
        // Older servers have no such list.
        if ((error as { status?: number } | null)?.status === 404) return []
        throw error
      }
    }),
  )
  const isNaming = mentionedEntities(entities, features).length > 0
  const names = isNaming ? await server.dataProvider.call(configurationEndpoints.configurationNames) : {}
  return new Map([
    ...lists.flat(),
    ...Object.entries(names).map(([entity, given]) => [entity, namedRecords(given)] as const),
  ])
}

async function recordsOf({ dataProvider }: ConfigurationServer, entity: Entity): Promise<StoredRecord[]> {
  if (isSetting(entity)) {
    return [settingRow(entity, await request('GET', entity.api.listPath))]
  }
  const sort = { field: 'id', order: 'ASC' } as const
  const { data } = await dataProvider.getList(entity.name, { pagination: everyRow, sort, filter: {} })
  return data as unknown as StoredRecord[]
}

/** Where applying ended before its end. */
export interface ApplyFailure {
  /** What the server said. */
  error: Error
  /** What was changed before. */
  done: readonly RecordChange[]
  /** What was refused; `undefined` when it was all together. */
  failed?: RecordChange
}

/**
 * Carries out a plan: in one call where the server has one, else record by record.
 * @param onProgress called with the number of changes that are done
 * @returns the failure, if there was one
 */
export async function applyChanges(
  server: ConfigurationServer,
  changes: readonly RecordChange[],
  stored: RecordsByEntity,
  onProgress: (done: number) => void,
): Promise<ApplyFailure | undefined> {
  if (await appliesWhole(server)) {
    try {
      await server.dataProvider.call(configurationEndpoints.applyConfiguration, { changes: [...changes] as never })
      return undefined
    } catch (error) {
      return { error: error as Error, done: [] }
    } finally {
      server.queryClient.removeQueries({ queryKey: ['collection'] })
    }
  }
  const entityByName = new Map(configuredEntities().map((entity) => [entity.name, entity]))
  const operations = operationsOf(changes, stored, (name) => entityByName.get(name) as never)
  // Taken back together from the recent changes.
  const meta = { changeGroup: newChangeGroup() }
  const done: RecordChange[] = []
  try {
    for (let next = operations.next(); !next.done; ) {
      const created = await carryOut(server, next.value, stored, meta)
      done.push(next.value.change)
      onProgress(done.length)
      next = operations.next(created)
    }
    return undefined
  } catch (error) {
    return { error: error as Error, done, failed: changes[done.length] }
  }
}

/** @returns the id of a record that was created */
async function carryOut(
  { dataProvider }: ConfigurationServer,
  operation: Operation,
  stored: RecordsByEntity,
  meta: object,
): Promise<number | undefined> {
  const { verb, entity } = operation
  if (verb === 'create') {
    const { data } = await dataProvider.create(entity.name, { data: operation.body, meta })
    return Number(data.id)
  }
  const previousData = stored.get(entity.name)?.byId.get(operation.id) ?? { id: operation.id }
  if (verb === 'delete') await dataProvider.delete(entity.name, { id: operation.id, previousData, meta })
  else await dataProvider.update(entity.name, { id: operation.id, data: operation.body, previousData, meta })
  return undefined
}

import type { QueryClient } from '@tanstack/react-query'
import type { DataProvider, Identifier } from 'ra-core'
import simpleRestProvider from 'ra-data-simple-rest'
import { call, request } from './api/apiClient.ts'
import { kindValues } from './engine/kinds/values.ts'
import { createListCache, getList, getMany, getOne, prepareSearch } from './records/listCache.ts'
import { queryClient as theQueryClient } from './records/queryClient.ts'
import type { ListMeta } from './records/queryPlan.ts'
import type { Row } from './records/queryRows.ts'
import {
  createRecord,
  deleteRecords,
  type RecordUpdate,
  updateRecord,
  type WriteContext,
  type WriteMeta,
} from './records/writeRecords.ts'
import type { Endpoint, InputOf, Method, ReplyOf } from './schemas/define/endpoint.ts'
import type { Entity } from './schemas/define/entity.ts'
import { entityNamed, entities as theEntities } from './schemas/index.ts'
import { currentAccount } from './session/currentUser.ts'
import { newChangeGroup } from './undo/changeGroup.ts'
import { type ChangeRecorder, createChangeRecorder, recordNothing } from './undo/changeRecorder.ts'

/** The console's data provider: react-admin's verbs, and `call` for everything outside CRUD. */
export interface ConsoleDataProvider extends DataProvider {
  /** Calls an endpoint: `input` fills its path and its body, the reply is typed by its schema. */
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>, options?: { signal?: AbortSignal }): Promise<ReplyOf<E>>
  /** Builds the search text of a list ahead of time, so that the first letter of a search need not wait for it. */
  prepareSearch(resource: string, meta: ListMeta): Promise<void>
  /** All records of a whole list as the server has them now. */
  reload(resource: string): Promise<Row[]>
  /** The records of a whole list, if it is loaded; asks no server. Not for react-admin's `useDataProvider`. */
  loadedRows<R = Row>(resource: string): readonly R[] | undefined
  /** Forgets the list of these records, and those that show them: after updates with `isOneOfMany` in their `meta`. */
  clearLists(resource: string): Promise<void>
}

const apiRoot = '/api/v1'

/** `ra-data-simple-rest` uses PUT and bare JSON; the contract uses PATCH and envelopes. */
const rest: WriteContext['rest'] = (sending) =>
  simpleRestProvider(apiRoot, async (url, options = {}) => {
    const method = (options.method === 'PUT' ? 'PATCH' : (options.method ?? 'GET')) as Method
    const body = typeof options.body === 'string' ? JSON.parse(options.body) : undefined
    const json = await request(method, url.slice(apiRoot.length + 1), { body, ...sending })
    return { status: 200, headers: new Headers(), body: '', json }
  })

/**
 * Maps react-admin's verbs to `/api/v1`. It reads `entity.api` and names no entity.
 *
 * A `whole` list is fetched once and kept in React Query; paging, sorting, searching and filtering work on it
 * without a request. A `window` list is paged by the server. Every write clears its own list, and those of entities
 * that refer to it, before it resolves.
 *
 * @param queryClient where whole lists are kept
 * @param lookUp finds an entity by the name of its resource
 * @param all every entity
 * @param recordChange stores what takes a write back
 */
export function createDataProvider(
  queryClient: QueryClient = theQueryClient,
  lookUp: (name: string) => Entity | undefined = entityNamed,
  all: readonly Entity[] = Object.values(theEntities),
  recordChange: ChangeRecorder = recordNothing,
): ConsoleDataProvider {
  const lists = createListCache(queryClient, lookUp, all)
  const context = { lists, kinds: kindValues, rest }

  const entityOf = (resource: string): Entity => {
    const entity = lookUp(resource)
    if (!entity) throw new Error(`There is no entity "${resource}" in src/schemas/index.ts.`)
    return entity
  }

  const update = (entity: Entity, meta: WriteMeta = {}, record: RecordUpdate) =>
    recordChange({ entity: entity.name, verb: 'update' }, meta, (store) =>
      updateRecord(context, entity, {
        ...record,
        isOneOfMany: meta.isOneOfMany,
        signal: meta.signal,
        beforeSend: (fresh, changes) => store((storage, action) => storage.storeUpdate(action, entity, fresh, changes)),
      }),
    )

  const remove = (entity: Entity, meta: WriteMeta = {}, ids: readonly Identifier[]) =>
    recordChange({ entity: entity.name, verb: 'delete' }, meta, async (store) => {
      await store(async (storage, action) => {
        const referring = await readable(meta.referrers ?? [])
        return storage.storeDeletion(action, entity, await getMany(context, entity, ids), referring)
      })
      await deleteRecords(context, entity, ids)
    })

  /** The lists of these entities, without those that cannot be read. */
  const readable = async (names: readonly string[]) => {
    const reading = names.map(async (name) => [entityOf(name), await lists.records(entityOf(name))] as const)
    const read = await Promise.allSettled(reading)
    return new Map(read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
  }

  return {
    getList: async (resource, params) => getList(context, entityOf(resource), params),
    getOne: async (resource, { id }) => ({ data: await getOne(context, entityOf(resource), id) }),
    getMany: async (resource, { ids }) => ({ data: await getMany(context, entityOf(resource), ids) }),
    getManyReference: async (resource, { target, id, filter, ...params }) =>
      getList(context, entityOf(resource), { ...params, filter: { ...filter, [target]: id } }),
    create: async (resource, { data, meta }) => ({ data: await createRecord(context, entityOf(resource), data, meta) }),
    update: async (resource, { id, data, previousData, meta }) => ({
      data: await update(entityOf(resource), meta, { id, changes: data, opened: previousData }),
    }),
    updateMany: async (resource, { ids, data, meta }) => {
      const changeGroup = newChangeGroup()
      for (const id of ids) await update(entityOf(resource), { changeGroup, ...meta }, { id, changes: data })
      return { data: ids }
    },
    delete: async (resource, { id, previousData, meta }) => {
      await remove(entityOf(resource), meta, [id])
      return { data: previousData ?? { id } }
    },
    deleteMany: async (resource, { ids, meta }) => {
      await remove(entityOf(resource), meta, ids)
      return { data: ids }
    },
    prepareSearch: async (resource, meta) => prepareSearch(context, entityOf(resource), meta),
    clearLists: async (resource) => lists.clear(entityOf(resource)),
    reload: async (resource) => lists.refetch(entityOf(resource)),
    loadedRows: (resource) => lists.loaded(entityOf(resource)),
    call,
    // React-admin types every verb for any record; here records are rows whose shape the schemas define.
  } as ConsoleDataProvider
}

export const dataProvider = createDataProvider(undefined, undefined, undefined, createChangeRecorder(currentAccount))

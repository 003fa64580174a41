import type { QueryClient } from '@tanstack/react-query'
import type { DataProvider } from 'ra-core'
import simpleRestProvider from 'ra-data-simple-rest'
import { call, request } from './api/apiClient.ts'
import { createListCache } from './records/listCache.ts'
import { queryClient as theQueryClient } from './records/queryClient.ts'
import type { ListMeta } from './records/queryPlan.ts'
import { getList, getMany, getOne, prepareSearch } from './records/readRecords.ts'
import { createRecord, deleteRecords, updateRecord } from './records/writeRecords.ts'
import { kindValues } from './resources/engine/kinds/values.ts'
import type { Endpoint, InputOf, Method, ReplyOf } from './schemas/define/endpoint.ts'
import type { Entity } from './schemas/define/entity.ts'
import { entityNamed, entities as theEntities } from './schemas/index.ts'

/** The console's data provider: react-admin's verbs, and `call` for everything outside CRUD. */
export interface ConsoleDataProvider extends DataProvider {
  /** Calls an endpoint: `input` fills its path and its body, the reply is typed by its schema. */
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<ReplyOf<E>>
  /** Builds the search text of a list ahead of time, so that the first letter of a search need not wait for it. */
  prepareSearch(resource: string, meta: ListMeta): Promise<void>
  /** How many records a whole list has, if it is loaded; asks no server. */
  loadedCount(resource: string): Promise<number | undefined>
}

const apiRoot = '/api/v1'

/** simple-rest speaks PUT and bare JSON; the contract speaks PATCH and envelopes. */
const httpClient: Parameters<typeof simpleRestProvider>[1] = async (url, options = {}) => {
  const method = (options.method === 'PUT' ? 'PATCH' : (options.method ?? 'GET')) as Method
  const body = typeof options.body === 'string' ? JSON.parse(options.body) : undefined
  const json = await request(method, url.slice(apiRoot.length + 1), { body })
  return { status: 200, headers: new Headers(), body: '', json }
}

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
 */
export function createDataProvider(
  queryClient: QueryClient = theQueryClient,
  lookUp: (name: string) => Entity | undefined = entityNamed,
  all: readonly Entity[] = Object.values(theEntities),
): ConsoleDataProvider {
  const lists = createListCache(queryClient, lookUp, all)
  const context = { lists, kinds: kindValues, rest: simpleRestProvider(apiRoot, httpClient) }

  const entityOf = (resource: string): Entity => {
    const entity = lookUp(resource)
    if (!entity) throw new Error(`There is no entity "${resource}" in src/schemas/index.ts.`)
    return entity
  }

  return {
    getList: async (resource, params) => getList(context, entityOf(resource), params),
    getOne: async (resource, { id }) => ({ data: await getOne(context, entityOf(resource), id) }),
    getMany: async (resource, { ids }) => ({ data: await getMany(context, entityOf(resource), ids) }),
    getManyReference: async (resource, { target, id, filter, ...params }) =>
      getList(context, entityOf(resource), { ...params, filter: { ...filter, [target]: id } }),
    create: async (resource, { data }) => ({ data: await createRecord(context, entityOf(resource), data) }),
    update: async (resource, { id, data, previousData }) => ({
      data: await updateRecord(context, entityOf(resource), { id, changes: data, opened: previousData }),
    }),
    updateMany: async (resource, { ids, data }) => {
      for (const id of ids) await updateRecord(context, entityOf(resource), { id, changes: data })
      return { data: ids }
    },
    delete: async (resource, { id, previousData }) => {
      await deleteRecords(context, entityOf(resource), [id])
      return { data: previousData ?? { id } }
    },
    deleteMany: async (resource, { ids }) => {
      await deleteRecords(context, entityOf(resource), ids)
      return { data: ids }
    },
    prepareSearch: async (resource, meta) => prepareSearch(context, entityOf(resource), meta),
    loadedCount: async (resource) => lists.count(entityOf(resource)),
    call,
    // React-admin types every verb for any record; here records are rows whose shape the schemas tell.
  } as ConsoleDataProvider
}

export const dataProvider = createDataProvider()

import type { QueryClient } from '@tanstack/react-query'
import { type DataProvider, HttpError, type Identifier } from 'ra-core'
import simpleRestProvider from 'ra-data-simple-rest'
import { call, request } from './api/apiClient.ts'
import { unreachableSince } from './api/connectivity.ts'
import { type Conflict, contested, parseChanges, spelled, withoutComputed } from './records/changes.ts'
import { type ListMeta, readingOf } from './records/listReading.ts'
import { queryClient as theQueryClient } from './records/queryClient.ts'
import { queryCollection, type Related, type Row } from './records/queryRows.ts'
import { kindValues } from './resources/engine/kinds/values.ts'
import { describeFields } from './schemas/define/describe.ts'
import type { Endpoint, InputOf, Method, ReplyOf } from './schemas/define/endpoint.ts'
import type { Entity } from './schemas/define/entity.ts'
import { listWindow } from './schemas/define/envelope.ts'
import { entityNamed, entities as theEntities } from './schemas/index.ts'

/** The console's data provider: react-admin's verbs, and `call` for everything outside CRUD. */
export interface ConsoleDataProvider extends DataProvider {
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<ReplyOf<E>>
  /** Gathers the words of a list, a slice at a time, so that the first letter of a search need not wait for them. */
  prepareSearch(resource: string, meta: ListMeta): Promise<void>
  /** How many records a whole list has, if it is loaded; asks no server. */
  loadedCount(resource: string): Promise<number | undefined>
}

type EntityLookup = (name: string) => Entity | undefined

const apiRoot = '/api/v1'

/** So many rows are read in one go: a few milliseconds, which no keystroke notices. */
const rowsAtOnce = 500

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
 * without a request, and concurrent reads share one. A `window` list is paged by the server. Every write
 * forgets its own list, and those of entities that point at it, before it resolves.
 */
export function createDataProvider(
  queryClient: QueryClient = theQueryClient,
  lookUp: EntityLookup = entityNamed,
  all: readonly Entity[] = Object.values(theEntities),
): ConsoleDataProvider {
  const base = simpleRestProvider(apiRoot, httpClient)

  const entityOf = (resource: string): Entity => {
    const entity = lookUp(resource)
    if (!entity) throw new Error(`There is no entity "${resource}" in src/schemas/index.ts.`)
    return entity
  }

  const keyOf = (entity: Entity) => ['collection', entity.name]

  const fetchRows = async (entity: Entity) => asRows(entity, await request('GET', entity.api.listPath))

  const collection = async (entity: Entity): Promise<Row[]> => {
    const queryKey = keyOf(entity)
    try {
      return await queryClient.fetchQuery({
        queryKey,
        queryFn: () => fetchRows(entity),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        structuralSharing: false,
      })
    } catch (error) {
      // While the server is away, screens go on with the rows they had: the status bar says since when.
      const kept = queryClient.getQueryData<Row[]>(queryKey)
      if (kept && unreachableSince() !== undefined) return kept
      throw error
    }
  }

  /** The list as it is now. Where it cannot be had, what was read before stays: screens live on it. */
  const readAnew = async (entity: Entity): Promise<Row[]> => {
    const rows = await fetchRows(entity)
    queryClient.setQueryData(keyOf(entity), rows)
    return rows
  }

  const forget = (entity: Entity) => queryClient.removeQueries({ queryKey: keyOf(entity) })

  const forgetWithDependents = async (entity: Entity) => {
    forget(entity)
    const dependents = all.filter(
      (other) => other !== entity && describeFields(other).some(({ to }) => to === entity.name),
    )
    for (const other of dependents) {
      forget(other)
      await queryClient.invalidateQueries({ queryKey: [other.name] })
    }
  }

  const windowOf = async (entity: Entity, page: number, perPage: number) => {
    const reply = listWindow.parse(
      (await request('GET', `${entity.api.listPath}?offset=${(page - 1) * perPage}&limit=${perPage}`)) ?? {},
    )
    return { data: asRows(entity, reply.value), total: reply.pagination?.total ?? 0 }
  }

  const relatedRows = async (names: readonly string[]): Promise<Related> => {
    const known = names.flatMap((name) => lookUp(name) ?? [])
    const loaded = new Map(
      await Promise.all(known.map(async (entity) => [entity.name, await collection(entity)] as const)),
    )
    return (name) => loaded.get(name) ?? []
  }

  const find = (rows: readonly Row[], id: Identifier) => rows.find((row) => String(row.id) === String(id))

  const readOne = async (entity: Entity, id: Identifier): Promise<Row> => {
    const row = find(await collection(entity), id) ?? find(await readAnew(entity), id)
    if (!row) throw new HttpError('ra.notification.item_doesnt_exist', 404)
    return row
  }

  const provider = {
    ...base,

    getList: async (resource, { pagination, sort, filter, meta }) => {
      const entity = entityOf(resource)
      if (entity.api.paging === 'window') return windowOf(entity, pagination?.page ?? 1, pagination?.perPage ?? 10)
      const rows = await collection(entity)
      const query = { pagination, sort, filter }
      return queryCollection(rows, query, await readingOf(entity, rows, query, meta ?? {}, relatedRows, kindValues))
    },

    prepareSearch: async (resource, meta) => {
      const entity = entityOf(resource)
      const rows = await collection(entity)
      const { words } = await readingOf(entity, rows, { filter: { q: ' ' } }, meta, relatedRows, kindValues)
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        for (const row of rows.slice(from, from + rowsAtOnce)) words?.(row)
        await new Promise((resume) => setTimeout(resume))
      }
    },

    getOne: async (resource, { id }) => ({ data: await readOne(entityOf(resource), id) }),

    getMany: async (resource, { ids }) => {
      const { id: key, api } = entityOf(resource)
      // Rows of other pages cannot be asked for by key; the key itself tells what a question has to name.
      if (api.paging === 'window') return { data: ids.map((id) => ({ id, ...keyFields(key, id) })) }
      const wanted = new Set(ids.map(String))
      return { data: (await collection(entityOf(resource))).filter((row) => wanted.has(String(row.id))) }
    },

    getManyReference: async (resource, { target, id, filter, ...params }) =>
      provider.getList(resource, { ...params, filter: { ...filter, [target]: id } }),

    create: async (resource, { data }) => {
      const entity = entityOf(resource)
      const body = entity.form.parse(data)
      const { data: id } = await base.create(entity.api.path, { data: spelled(entity, body) })
      await forgetWithDependents(entity)
      return { data: { ...body, id } }
    },

    /**
     * `data` holds the fields that a person changed; they are laid over the record as the server has it now.
     * Where somebody else has meanwhile changed one of them to another value, nothing is sent: the error's status
     * is 409, and its body holds the fresh record and the names of those fields.
     */
    update: async (resource, { id, data, previousData }) => {
      const entity = entityOf(resource)
      const fresh = find(await readAnew(entity), id)
      if (!fresh) throw new HttpError('ra.notification.item_doesnt_exist', 404)
      const changes = parseChanges(entity, data)
      const fields = contested(entity, previousData, changes, fresh)
      if (fields.length > 0) throw new HttpError('app.conflict.title', 409, { fresh, fields } satisfies Conflict)
      await base.update(entity.api.path, {
        id,
        data: spelled(entity, { ...withoutComputed(entity, fresh), ...changes }),
        previousData: fresh,
      })
      await forgetWithDependents(entity)
      return { data: { ...fresh, ...changes } }
    },

    updateMany: async (resource, { ids, data }) => {
      for (const id of ids) await provider.update(resource, { id, data, previousData: undefined })
      return { data: ids }
    },

    delete: async (resource, { id, previousData }) => {
      await provider.deleteMany(resource, { ids: [id] })
      return { data: previousData ?? { id } }
    },

    deleteMany: async (resource, { ids }) => {
      const entity = entityOf(resource)
      await request('POST', `batch-delete/${entity.api.path}`, { body: await batchKeys(entity, ids) })
      await forgetWithDependents(entity)
      return { data: ids }
    },

    loadedCount: async (resource) => queryClient.getQueryData<Row[]>(keyOf(entityOf(resource)))?.length,

    call,
    // react-admin types every verb for any record; the records here are rows whose shape the schemas tell.
  } as ConsoleDataProvider

  /** What a batch call sends: the ids, or each value of `batchKey` once. */
  const batchKeys = async (entity: Entity, ids: readonly Identifier[]): Promise<unknown[]> => {
    const { batchKey } = entity.api
    if (!batchKey) return ids.map(Number)
    return [...new Set(ids.map((id) => keyFields(entity.id, id)[batchKey]))]
  }

  return provider
}

const keySeparator = '|'

/** The fields that a joined id was made of, as texts. */
function keyFields(key: Entity['id'], id: Identifier): Record<string, string> {
  const values = String(id).split(keySeparator)
  return Object.fromEntries([key].flat().map((field, at) => [field, values[at] ?? '']))
}

/** Wire rows to records: unwrapped, with an id. Reading is tolerant: what does not fit stays as it came. */
function asRows(entity: Entity, data: unknown): Row[] {
  const rows = Array.isArray(data) ? data : []
  const { row: codec } = entity.api
  const keys = [entity.id].flat()
  return rows.map((wire) => {
    const decoded = codec?.safeParse(wire)
    const record = (decoded?.success ? decoded.data : wire) as Record<string, unknown>
    return entity.id === 'id' ? record : { ...record, id: keys.map((key) => record[key]).join(keySeparator) }
  }) as Row[]
}

export const dataProvider = createDataProvider()

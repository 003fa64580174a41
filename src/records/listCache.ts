import type { QueryClient } from '@tanstack/react-query'
import { type GetListParams, HttpError, type Identifier } from 'ra-core'
import { parseReply, request } from '../api/apiClient.ts'
import { unreachableSince } from '../api/connectivity.ts'
import { describeFields } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { listWindow } from '../schemas/define/envelope.ts'
import { type ListMeta, planQuery } from './queryPlan.ts'
import { type QueryPlan, queryRows, type Related, type Row } from './queryRows.ts'
import { keyFields, toRecords } from './wireRecords.ts'

/** The lists that the server gives whole: each is fetched once and stays until it is cleared. */
export interface ListCache {
  /** All records; concurrent reads share one request. While the server is away, the last ones that were read. */
  records(entity: Entity): Promise<Row[]>
  /** All records as the server has them now. If it does not answer, the cache keeps what it has. */
  refetch(entity: Entity): Promise<Row[]>
  /**
   * One record as the server has it now, or `undefined` when it is gone. Many writes share a read: it is asked for again
   * when it began more than `maxAge` milliseconds ago, and when it has given out this record before, which may have been
   * written since.
   */
  current(entity: Entity, id: Identifier, maxAge: number): Promise<Row | undefined>
  /** The records of several entities; names that are no entity have none. */
  related(names: readonly string[]): Promise<Related>
  /** All records of a list, if it is loaded; asks no server. */
  loaded(entity: Entity): readonly Row[] | undefined
  /** Forgets the list, and the lists of entities that refer to it: they show its names. */
  clear(entity: Entity): Promise<void>
}

/**
 * @param queryClient where the lists are kept
 * @param lookUp finds an entity by its name
 * @param all every entity, to find those that refer to another
 */
export function createListCache(
  queryClient: QueryClient,
  lookUp: (name: string) => Entity | undefined,
  all: readonly Entity[],
): ListCache {
  const keyOf = (entity: Entity) => ['collection', entity.name]
  const cached = (entity: Entity) => queryClient.getQueryData<Row[]>(keyOf(entity))
  const fetchRecords = async (entity: Entity) => toRecords(entity, await request('GET', entity.api.listPath))
  const remove = (entity: Entity) => queryClient.removeQueries({ queryKey: keyOf(entity) })

  const records = async (entity: Entity): Promise<Row[]> => {
    try {
      return await queryClient.fetchQuery({
        queryKey: keyOf(entity),
        queryFn: () => fetchRecords(entity),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        structuralSharing: false,
      })
    } catch (error) {
      // While the server is away, screens go on with the records they had: the status bar says since when.
      const lastRead = cached(entity)
      if (lastRead && unreachableSince() !== undefined) return lastRead
      throw error
    }
  }

  const refetch = async (entity: Entity) => {
    const rows = await fetchRecords(entity)
    queryClient.setQueryData(keyOf(entity), rows)
    return rows
  }

  const sharedReads = new Map<Entity, { began: number; remaining: Promise<Map<string, Row>> }>()
  const readAgain = (entity: Entity) => {
    const remaining = refetch(entity).then((rows) => new Map(rows.map((row) => [String(row.id), row])))
    const read = { began: performance.now(), remaining }
    sharedReads.set(entity, read)
    // The next one asks again.
    remaining.catch(() => sharedReads.delete(entity))
    return read
  }
  const takeFrom = async ({ remaining }: { remaining: Promise<Map<string, Row>> }, id: Identifier) => {
    const rows = await remaining
    const row = rows.get(String(id))
    rows.delete(String(id))
    return row
  }

  return {
    records,
    refetch,
    current: async (entity, id, maxAge) => {
      const shared = sharedReads.get(entity)
      const isRecent = shared && performance.now() - shared.began <= maxAge
      return (isRecent && (await takeFrom(shared, id))) || takeFrom(readAgain(entity), id)
    },
    related: async (names) => {
      const entities = names.flatMap((name) => lookUp(name) ?? [])
      const lists = await Promise.all(entities.map(async (entity) => [entity.name, await records(entity)] as const))
      const byName = new Map(lists)
      return (name) => byName.get(name) ?? []
    },
    loaded: cached,
    clear: async (entity) => {
      remove(entity)
      sharedReads.delete(entity)
      const refers = (other: Entity) => describeFields(other).some(({ to }) => to === entity.name)
      for (const other of all.filter((one) => one !== entity && refers(one))) {
        remove(other)
        await queryClient.invalidateQueries({ queryKey: [other.name] })
      }
    },
  }
}

const findRecord = (rows: readonly Row[], id: Identifier): Row | undefined => byId(rows).get(String(id))

const indexes = new WeakMap<readonly Row[], ReadonlyMap<string, Row>>()

/** A screen asks for single records of one list again and again, and a list may have thousands. */
function byId(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const index = indexes.get(rows) ?? new Map(rows.map((row) => [String(row.id), row]))
  indexes.set(rows, index)
  return index
}

/** What the verbs that read need besides the entity. */
interface ReadContext {
  lists: ListCache
  kinds: QueryPlan['kinds']
}

/** How many rows are read in one go: a few milliseconds, which delays no keystroke. */
const rowsAtOnce = 500

/** One page of a list and the number of all records that match. A whole list is queried in memory. */
export async function getList({ lists, kinds }: ReadContext, entity: Entity, params: Partial<GetListParams>) {
  const { pagination, sort, filter, meta = {} } = params
  if (entity.api.paging === 'window') return getWindow(entity, pagination, filter)
  const rows = await lists.records(entity)
  const query = { pagination, sort, filter }
  return queryRows(rows, query, await planQuery(entity, rows, query, meta, lists.related, kinds))
}

/** One page of a list that the server pages; it filters by what `api.filters` names, and does not sort. */
async function getWindow(
  entity: Entity,
  { page, perPage }: GetListParams['pagination'] = { page: 1, perPage: 10 },
  filter: GetListParams['filter'] = {},
) {
  const { api } = entity
  const query = new URLSearchParams({ offset: String((page - 1) * perPage), limit: String(perPage) })
  for (const name of Object.keys(api.filters?.shape ?? {})) if (filter[name]) query.set(name, String(filter[name]))
  const reply = await request('GET', `${api.listPath}?${query}`)
  const { value, pagination } = parseReply(listWindow, reply ?? {})
  return { data: toRecords(entity, value), total: pagination?.total ?? 0 }
}

/**
 * A record of a whole list; one that is not there may be new, so the list is fetched again. Of a list that the server
 * pages, one record has a call of its own.
 */
export async function getOne({ lists }: ReadContext, entity: Entity, id: Identifier): Promise<Row> {
  if (entity.api.paging === 'window') return getWindowRecord(entity, id)
  const record = findRecord(await lists.records(entity), id) ?? findRecord(await lists.refetch(entity), id)
  if (!record) throw new HttpError('ra.notification.item_doesnt_exist', 404)
  return record
}

async function getWindowRecord(entity: Entity, id: Identifier): Promise<Row> {
  const reply = await request('GET', `${entity.api.listPath}/${encodeURIComponent(id)}`)
  const [record] = toRecords(entity, [reply])
  if (!record) throw new HttpError('ra.notification.item_doesnt_exist', 404)
  return record
}

/** Several records; ids that do not exist are left out. */
export async function getMany({ lists }: ReadContext, entity: Entity, ids: readonly Identifier[]): Promise<Row[]> {
  // The server has no call for records of other pages. Their keys hold what a confirmation has to name.
  if (entity.api.paging === 'window') return ids.map((id) => ({ id, ...keyFields(entity, id) }))
  const rows = await lists.records(entity)
  return [...new Set(ids.map(String))].flatMap((id) => findRecord(rows, id) ?? [])
}

/** Builds the search text of all records of a list, a slice at a time, so that the first letter finds it ready. */
export async function prepareSearch({ lists, kinds }: ReadContext, entity: Entity, meta: ListMeta): Promise<void> {
  if (entity.api.paging === 'window') return
  const rows = await lists.records(entity)
  const { searchText } = await planQuery(entity, rows, { filter: { q: ' ' } }, meta, lists.related, kinds)
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    for (const row of rows.slice(from, from + rowsAtOnce)) searchText?.(row)
    await new Promise((resume) => setTimeout(resume))
  }
}

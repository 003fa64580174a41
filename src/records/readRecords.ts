import { type GetListParams, HttpError, type Identifier } from 'ra-core'
import { request } from '../api/apiClient.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { listWindow } from '../schemas/define/envelope.ts'
import { findRecord, type ListCache } from './listCache.ts'
import { type ListMeta, planQuery } from './queryPlan.ts'
import { type QueryPlan, queryRows, type Row } from './queryRows.ts'
import { keyFields, toRecords } from './wireRecords.ts'

/** What the verbs that read need besides the entity. */
export interface ReadContext {
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
  const { value, pagination } = listWindow.parse(reply ?? {})
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

import type { QueryClient } from '@tanstack/react-query'
import type { Identifier } from 'ra-core'
import { request } from '../api/apiClient.ts'
import { unreachableSince } from '../api/connectivity.ts'
import { describeFields } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import type { Related, Row } from './queryRows.ts'
import { toRecords } from './wireRecords.ts'

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

export const findRecord = (rows: readonly Row[], id: Identifier): Row | undefined => byId(rows).get(String(id))

const indexes = new WeakMap<readonly Row[], ReadonlyMap<string, Row>>()

/** A screen asks for single records of one list again and again, and a list may have thousands. */
function byId(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const index = indexes.get(rows) ?? new Map(rows.map((row) => [String(row.id), row]))
  indexes.set(rows, index)
  return index
}

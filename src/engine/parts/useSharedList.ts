import {
  hashKey,
  notifyManager,
  type QueryClient,
  type QueryFunction,
  QueryObserver,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { type GetListParams, type GetListResult, type RaRecord, useDataProvider } from 'react-admin'

/**
 * The records of another entity's list, for parts that every row has: in a row, `useGetList` costs more than what it is
 * for. Both have the same cache.
 *
 * @param isWanted without it nothing is asked for, and what is there is returned
 */
export function useSharedList(
  entity: string,
  params: Required<Pick<GetListParams, 'pagination' | 'sort'>>,
  isWanted = true,
): RaRecord[] | undefined {
  const dataProvider = useDataProvider()
  const query = {
    queryKey: [entity, 'getList', { ...params, filter: {} }],
    queryFn: () => dataProvider.getList(entity, { ...params, filter: {} }),
  }
  return useSharedQuery(query, recordsOf, isWanted)
}

const recordsOf = ({ data }: GetListResult): RaRecord[] => data

interface SharedQuery<Data> {
  queryKey: readonly unknown[]
  queryFn: QueryFunction<Data>
  structuralSharing?: boolean
  staleTime?: number
  refetchInterval?: number
}

interface Shared {
  data: () => unknown
  subscribe: (listener: () => void) => () => void
}

const sharedByClient = new WeakMap<QueryClient, Map<string, Shared>>()

/**
 * What `pick` takes of the data of a query that every row asks for: with `useQuery`, each cell would have an observer of
 * its own, and those of ten rows cost as much as all else of their cells. What `queryFn` closes over is that of the first
 * caller. An error leaves the data as it was.
 *
 * @param pick returns what stays the same while the data does: the caller is drawn when it changes
 */
export function useSharedQuery<Data, Picked>(
  options: SharedQuery<Data>,
  pick: (data: Data) => Picked,
  isWanted = true,
): Picked | undefined {
  const client = useQueryClient()
  const { data, subscribe } = sharedIn(client, options)
  const picked = useCallback(() => {
    const current = data() as Data | undefined
    return current === undefined ? undefined : pick(current)
  }, [data, pick])
  return useSyncExternalStore(isWanted ? subscribe : subscribeToNothing, picked)
}

const subscribeToNothing = () => () => {}

function sharedIn(client: QueryClient, options: SharedQuery<unknown>): Shared {
  const shared = sharedByClient.get(client) ?? new Map<string, Shared>()
  sharedByClient.set(client, shared)
  const hash = hashKey(options.queryKey)
  const found = shared.get(hash) ?? share(client, options, hash)
  shared.set(hash, found)
  return found
}

function share(client: QueryClient, options: SharedQuery<unknown>, hash: string): Shared {
  const observed = { ...options, notifyOnChangeProps: ['data' as const] }
  const observer = new QueryObserver(client, observed)
  return {
    data: () => client.getQueryCache().get(hash)?.state.data,
    subscribe(listener) {
      // The cache may have dropped the query while nobody asked for it.
      if (!observer.hasListeners()) observer.setOptions(observed)
      return observer.subscribe(notifyManager.batchCalls(listener))
    },
  }
}

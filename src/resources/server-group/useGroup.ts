import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type RaRecord, useGetList } from 'react-admin'
import type { ServerRow } from '../../components/serverMetrics.ts'
import { liveSnapshot } from '../../live/store.ts'
import { everyRowByName } from '../../records/wholeList.ts'
import { server } from '../../schemas/server.ts'

/** The servers of a group that this person sees, by name; `undefined` while they are on their way. */
export function useGroupServers(group: RaRecord): { rows: readonly ServerRow[] | undefined; ids: ReadonlySet<number> } {
  const { data } = useGetList<ServerRow>(server.name, everyRowByName)
  const members: readonly number[] | null | undefined = group.servers
  const ids = useMemo(() => new Set(members), [members])
  const rows = useMemo(() => data?.filter(({ id }) => ids.has(Number(id))), [data, ids])
  return { rows, ids }
}

/** Milliseconds. Each snapshot has about 30 bytes for each server that this person sees. */
const snapshotInterval = 4_000
/** Beyond so many servers, a group is looked at less often: 10,000 of them are then 2 MiB a minute at most. */
const manyServers = 3000
const slowInterval = 10_000

/** All servers at one moment, a few seconds ago at most; `undefined` before the first frame. */
export function useFleetSnapshot() {
  const { data } = useQuery({
    queryKey: ['live', 'snapshot'],
    queryFn: liveSnapshot,
    structuralSharing: false,
    staleTime: snapshotInterval / 2,
    refetchInterval: ({ state }) => ((state.data?.size ?? 0) > manyServers ? slowInterval : snapshotInterval),
    gcTime: slowInterval,
  })
  return data
}

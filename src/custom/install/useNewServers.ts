import { useEffect, useRef, useState } from 'react'
import { type Identifier, useDataProvider, useGetMany, useRefresh } from 'react-admin'
import { addressesOf, type ServerRow } from '../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { liveStates } from '../../live/store.ts'

/** Milliseconds between two looks at the live metrics. */
const lookMs = 1_000
/** An agent looks its addresses up after its first report. */
const addressWaitMs = 2_000
const addressWaits = 5

const everything = {
  pagination: { page: 1, perPage: 1_000_000 },
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
}

/** The servers that have come online since the component was first drawn and were in no list before; the newest first. */
export function useNewServers(): readonly ServerRow[] {
  const ids = useNewIds()
  const refresh = useRefresh()
  const { data } = useGetMany<ServerRow & { id: Identifier }>('server', { ids: [...ids] }, { enabled: ids.length > 0 })
  const servers = (data ?? []).filter((server) => server !== undefined)
  const waits = useRef(0)
  const isComplete = servers.length === ids.length && servers.every((server) => addressesOf(server).length > 0)

  useEffect(() => {
    waits.current = 0
    if (ids.length > 0) refresh()
  }, [ids, refresh])

  useEffect(() => {
    if (isComplete) return
    const timer = setInterval(() => {
      waits.current += 1
      if (waits.current <= addressWaits) refresh()
    }, addressWaitMs)
    return () => clearInterval(timer)
  }, [isComplete, refresh])

  return servers
}

function useNewIds(): readonly number[] {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const [ids, setIds] = useState<readonly number[]>([])

  useEffect(() => {
    const seen = new Set<number>()
    let isBusy = true
    const look = async () => {
      if (isBusy) return
      isBusy = true
      const entries = await liveStates()
      const fresh = [...entries.keys()].filter((id) => !seen.has(id) && entries.get(id)?.online)
      isBusy = false
      for (const id of fresh) seen.add(id)
      if (fresh.length > 0) setIds((before) => [...fresh, ...before])
    }
    const begin = async () => {
      const { data } = await dataProvider.getList('server', everything)
      for (const id of [...data.map((row) => Number(row.id)), ...(await liveStates()).keys()]) seen.add(id)
      isBusy = false
    }
    begin().catch((error) => console.error(error))
    const timer = setInterval(() => void look(), lookMs)
    return () => clearInterval(timer)
  }, [dataProvider])

  return ids
}

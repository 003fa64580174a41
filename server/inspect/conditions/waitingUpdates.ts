import { keyedTable } from '../../db/keyedTable.ts'
import type { Store } from '../../db/store.ts'

/** Since when updates wait on machines, which do not say it themselves: they are compared with the last time. */
export interface WaitingUpdates {
  /**
   * Takes what waits on a server now.
   * @returns for how many days each of them has waited, by name
   */
  seen(serverId: number, names: readonly string[]): ReadonlyMap<string, number>
}

interface WaitingRow {
  id: number
  server_id: number
  /** Since when, in seconds since 1970, by the name of the package. */
  since: Record<string, number>
}

/** Updates of one server that are remembered; a machine that has more has waited for long with these. */
const mostUpdates = 500
const daySeconds = 86_400

/**
 * @param hasServer whether there is a server with this id; what is known of others is removed
 * @param now milliseconds since 1970
 */
export function openWaitingUpdates(
  store: Store,
  { hasServer, now }: { hasServer: (id: number) => boolean; now: () => number },
): WaitingUpdates {
  const { saved, save } = keyedTable<WaitingRow, number>(
    store,
    {
      name: 'waiting_updates',
      columns: [
        { name: 'server_id', type: 'INTEGER', unique: true },
        { name: 'since', type: 'JSON' },
      ],
    },
    ({ server_id }) => server_id,
  )

  return {
    seen(serverId, names) {
      const before = new Map(Object.entries(saved().get(serverId)?.since ?? {}))
      const seconds = Math.floor(now() / 1000)
      const known = new Set(names)
      // Those that wait already come first: a long list must not drive out the oldest.
      const kept = [...before].filter(([name]) => known.has(name))
      const added = [...known].filter((name) => !before.has(name)).map((name): [string, number] => [name, seconds])
      const since = [...kept, ...added].slice(0, mostUpdates)
      if (since.length !== before.size || kept.length !== before.size) {
        const gone = [...saved().keys()].filter((id) => !hasServer(id))
        const row = { server_id: serverId, since: Object.fromEntries(since) }
        save([[serverId, since.length > 0 ? row : undefined], ...gone.map((id) => [id, undefined] as const)])
      }
      return new Map(since.map(([name, at]) => [name, Math.max(0, seconds - at) / daySeconds]))
    },
  }
}

import { server } from '../../src/schemas/server.ts'
import { keyedTable } from '../db/keyedTable.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ServerRow } from '../entities/row.ts'
import type { Machines } from '../machines/machines.ts'
import type { Silences } from '../maintenance/silence.ts'

interface PresenceServices {
  store: Store
  machines: Pick<Machines, 'connected' | 'lastSeen'>
  silences: Pick<Silences, 'ofServer'>
  /** Called when a server has gone offline, or is online again after that. */
  onChange: (server: ServerRow, isOnline: boolean) => void
  /** Milliseconds since 1970. */
  now: () => number
}

interface SentPresence {
  server_id: number
  online: boolean
}

/** Servers whose change is written and reported at once: thousands would hold others up for seconds. */
const mostOfLook = 500

/** Milliseconds without a connection: an agent that starts again, or this server, is not worth an event. */
export const offlineAfterMs = 30_000

/**
 * Notices which servers went offline or came back.
 * @returns a function that compares all servers with their last reported state; to be called every few seconds
 */
export function watchPresence({ store, machines, silences, onChange, now }: PresenceServices): () => void {
  const servers = entityTable(store, server)
  // Saved, so that a change during a restart of this server is noticed too.
  const columns = [
    { name: 'server_id', type: 'INTEGER', unique: true },
    { name: 'online', type: 'FLAG' },
  ] as const
  const { saved, save } = keyedTable<SentPresence & { id: number }, number>(
    store,
    { name: 'told_presence', columns },
    ({ server_id }) => server_id,
  )
  /** Since when a server that was reported as online has no connection, in milliseconds since 1970. */
  const missingSince = new Map<number, number>()

  function isOffline(row: ServerRow): boolean {
    const since = missingSince.get(row.id) ?? now()
    missingSince.set(row.id, since)
    // Reported once the silence is over, if the server is still offline then.
    return now() - since >= offlineAfterMs && !silences.ofServer(row.id, row.user_id)
  }

  /** Whether a server is online, if that is to be reported; `undefined` for nothing new. */
  function changeOf(row: ServerRow): boolean | undefined {
    const isOnline = machines.connected(row) !== undefined
    if (isOnline) missingSince.delete(row.id)
    const wasOnline = saved().get(row.id)?.online
    // A server that has just been registered is not offline: its first report is no return.
    if (wasOnline === undefined) return isOnline || machines.lastSeen(row) !== undefined ? isOnline : undefined
    if (isOnline && !wasOnline) return true
    return wasOnline && !isOnline && isOffline(row) ? false : undefined
  }

  /** Those whose deleted ones are no longer saved. */
  let lastRows: readonly ServerRow[] = []

  function goneFrom(rows: readonly ServerRow[]): number[] {
    if (rows === lastRows) return []
    const ids = new Set(rows.map(({ id }) => id))
    return [...saved().keys()].filter((id) => !ids.has(id))
  }

  return () => {
    const rows = servers.all()
    const changed: { row: ServerRow; online: boolean; isNew: boolean }[] = []
    for (const row of rows) {
      const online = changeOf(row)
      if (online !== undefined) changed.push({ row, online, isNew: !saved().has(row.id) })
      // The others have changed at the next look, too.
      if (changed.length === mostOfLook) break
    }
    const gone = goneFrom(rows)
    for (const id of gone) missingSince.delete(id)
    save([
      ...changed.map(({ row: { id }, online }) => [id, { server_id: id, online }] as const),
      ...gone.map((id) => [id, undefined] as const),
    ])
    lastRows = rows
    for (const { row, online, isNew } of changed) {
      if (!isNew) onChange(row, online)
      if (!online) missingSince.delete(row.id)
    }
  }
}

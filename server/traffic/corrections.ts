import type { Cycle } from '../../src/domain/alerts/calendar.ts'
import { createSelector } from '../db/selector.ts'
import type { Store } from '../db/store.ts'

/** What a person said of the traffic of a server, as the provider shows it. */
export interface Correction {
  /** When it was said, in milliseconds since 1970. */
  at: number
  /** Bytes to add to what was counted in that period, a safe integer: below 0 where too much was counted. */
  difference: number
  user_id: number
  /** The name at that time. */
  username: string
}

/** What a correction is about: of another period, or when something else counts, its difference says nothing. */
export interface Corrected {
  period: Cycle
  /** Which traffic counts, as the contract says. */
  counts: string
}

interface CorrectionRow extends Correction {
  id: number
  server_id: number
  /** When the period began, in milliseconds since 1970. */
  period: number
  counts: string
}

/** What people corrected by hand. */
export interface Corrections {
  /** The one that holds in a period, which is the latest of it. */
  of(serverId: number, corrected: Corrected): Correction | undefined
  add(serverId: number, corrected: Corrected, correction: Correction): void
  /** Takes the latest one of a period back, so that the one before it holds. @returns whether there was one */
  takeBack(serverId: number, corrected: Corrected): boolean
  /** Deletes those of these servers. */
  forget(serverIds: readonly number[]): void
}

/** Of a server: in two years, more than anybody needs. The oldest are deleted. */
const maxOfServer = 100

export function openCorrections(store: Store): Corrections {
  const table = store.resident<CorrectionRow>({
    name: 'traffic_correction',
    columns: [
      { name: 'server_id', type: 'INTEGER', indexed: true },
      { name: 'at', type: 'INTEGER' },
      // Of an integer too large for a number, the whole table could not be read.
      { name: 'difference', type: 'REAL' },
      { name: 'period', type: 'INTEGER' },
      { name: 'counts', type: 'TEXT' },
      { name: 'user_id', type: 'INTEGER' },
      { name: 'username', type: 'TEXT' },
    ],
  })
  // Lists of thousands ask for each server.
  const byServer = createSelector([table], (rows) => Map.groupBy(rows, ({ server_id }) => server_id))
  const rowsOf = (serverId: number): readonly CorrectionRow[] => byServer().get(serverId) ?? []

  const latest = (serverId: number, corrected: Corrected) =>
    rowsOf(serverId).findLast(({ period, counts }) => period === corrected.period.from && counts === corrected.counts)

  return {
    of: latest,
    add(serverId, { period: { from: period }, counts }, correction) {
      store.transaction(() => {
        const rows = rowsOf(serverId)
        table.remove(rows.slice(0, Math.max(0, rows.length - maxOfServer + 1)).map(({ id }) => id))
        table.insert({ server_id: serverId, period, counts, ...correction })
      })
    },
    takeBack(serverId, corrected) {
      const row = latest(serverId, corrected)
      return row !== undefined && table.remove([row.id]) > 0
    },
    forget(serverIds) {
      table.remove(serverIds.flatMap((id) => rowsOf(id).map((row) => row.id)))
    },
  }
}

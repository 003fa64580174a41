import { service } from '../../src/schemas/service.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { createRecent, type Recent } from './recentResults.ts'
import { openKnownVerdicts } from './savedStatus.ts'
import type { ServiceRow } from './serviceRow.ts'
import { createVerdict, type Verdict } from './status.ts'

/** A service, and what is known of it now. */
export interface Watched {
  row: ServiceRow
  verdict: Verdict
  recent: Recent
}

/** All services with what is known of them, in memory; what must outlive a restart is written now and then. */
export interface WatchedServices {
  /** Takes over what people changed. @returns all rows, or nothing when they are as they were */
  refresh(): readonly ServiceRow[] | undefined
  get(id: number): Watched | undefined
  /** Something new is known of it. */
  touch(id: number): void
  /** Writes what is known of those that were touched. */
  save(): void
}

export function createWatched(store: Store): WatchedServices {
  const table = entityTable(store, service)
  const kept = openKnownVerdicts(store)
  const touched = new Set<number>()
  let watched = new Map<number, Watched>()
  let seen = -1

  function watchedFrom(known: Watched | undefined, row: ServiceRow): Watched {
    if (!known) return { row, verdict: createVerdict(kept.of(row.id)), recent: createRecent() }
    if (known.row.target !== row.target || known.row.type !== row.type) known.verdict.forgetCertificates()
    return { ...known, row }
  }

  return {
    refresh() {
      if (table.version() === seen) return undefined
      seen = table.version()
      const rows = cachedRows(table) as readonly ServiceRow[]
      const before = watched
      watched = new Map(rows.map((row) => [row.id, watchedFrom(before.get(row.id), row)]))
      const gone = [...before.keys()].filter((id) => !watched.has(id))
      if (gone.length > 0) kept.forget(gone)
      return rows
    },
    get: (id) => watched.get(id),
    touch: (id) => void touched.add(id),
    save() {
      const known = [...touched].flatMap((id) => {
        const verdict = watched.get(id)?.verdict.known()
        return verdict ? [[id, verdict] as const] : []
      })
      kept.write(new Map(known))
      // What could not be written is tried again.
      touched.clear()
    },
  }
}

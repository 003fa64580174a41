import type { Store } from '../db/store.ts'
import { type KnownVerdict, nothingKnown } from './verdict.ts'

interface KeptVerdict {
  id: number
  service_id: number
  verdict: KnownVerdict
}

/** What was known of services when the server ended. */
export interface KnownVerdicts {
  of(service: number): KnownVerdict
  /** Writes those that differ from what is kept, in one transaction. */
  write(verdicts: ReadonlyMap<number, KnownVerdict>): void
  forget(services: readonly number[]): void
}

export function openKnownVerdicts(store: Store): KnownVerdicts {
  const table = store.table<KeptVerdict>({
    name: 'service-verdict',
    columns: [
      { name: 'service_id', type: 'INTEGER', unique: true },
      { name: 'verdict', type: 'JSON' },
    ],
  })
  const kept = new Map(table.all().map((row) => [row.service_id, { id: row.id, text: JSON.stringify(row.verdict) }]))

  return {
    of(service) {
      const known = kept.get(service)
      return known ? JSON.parse(known.text) : nothingKnown()
    },
    write(verdicts) {
      const changed = [...verdicts].filter(([service, verdict]) => kept.get(service)?.text !== JSON.stringify(verdict))
      if (changed.length === 0) return
      store.transaction(() => {
        for (const [service_id, verdict] of changed) {
          const known = kept.get(service_id)
          const id = known?.id ?? table.insert({ service_id, verdict })
          if (known) table.update(id, { verdict })
          kept.set(service_id, { id, text: JSON.stringify(verdict) })
        }
      })
    },
    forget(services) {
      const gone = services.flatMap((service) => kept.get(service)?.id ?? [])
      for (const service of services) kept.delete(service)
      if (gone.length > 0) table.remove(gone)
    },
  }
}

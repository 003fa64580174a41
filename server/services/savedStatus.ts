import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'
import { type KnownVerdict, nothingKnown } from './status.ts'

interface KeptVerdict {
  id: number
  service_id: number
  /** As JSON: what was handed out may have become another one since. */
  verdict: string
}

/** What was known of services when the server ended. */
export interface KnownVerdicts {
  of(service: number): KnownVerdict
  /** Writes those that differ from what is kept, in one transaction. */
  write(verdicts: ReadonlyMap<number, KnownVerdict>): void
  forget(services: readonly number[]): void
}

export function openKnownVerdicts(store: Store): KnownVerdicts {
  const columns = [
    { name: 'service_id', type: 'INTEGER', unique: true },
    { name: 'verdict', type: 'TEXT' },
  ] as const
  const definition = { name: 'service-verdict', columns }
  const { saved, save } = keyedRows<KeptVerdict, number>(store, definition, ({ service_id }) => service_id)

  return {
    of(service) {
      const known = saved.get(service)
      return known ? JSON.parse(known.verdict) : nothingKnown()
    },
    write(verdicts) {
      const texts = [...verdicts].map(([service_id, verdict]) => ({ service_id, verdict: JSON.stringify(verdict) }))
      const changed = texts.filter(({ service_id, verdict }) => saved.get(service_id)?.verdict !== verdict)
      save(changed.map((row) => [row.service_id, row]))
    },
    forget: (services) => save(services.filter((id) => saved.has(id)).map((id) => [id, undefined])),
  }
}

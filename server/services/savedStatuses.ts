import { keyedTable } from '../db/keyedTable.ts'
import type { Store } from '../db/store.ts'
import { type SavedStatus, unknownStatus } from './serviceStatus.ts'

/** The format in the database. */
interface StoredStatus extends Omit<SavedStatus, 'status'> {
  word: SavedStatus['status']
}

interface StatusRow {
  id: number
  service_id: number
  /** A `StoredStatus` as JSON text, so that callers cannot change it. */
  verdict: string
}

/** The saved status of every service, for a restart. */
export interface SavedStatuses {
  of(service: number): SavedStatus
  /** Writes those that have changed, in one transaction. */
  write(statuses: ReadonlyMap<number, SavedStatus>): void
  remove(services: readonly number[]): void
}

export function openSavedStatuses(store: Store): SavedStatuses {
  const columns = [
    { name: 'service_id', type: 'INTEGER', unique: true },
    { name: 'verdict', type: 'TEXT' },
  ] as const
  const definition = { name: 'service-verdict', columns }
  const { saved, save } = keyedTable<StatusRow, number>(store, definition, ({ service_id }) => service_id)

  return {
    of(service) {
      const row = saved().get(service)
      return row ? statusFrom(JSON.parse(row.verdict)) : unknownStatus()
    },
    write(statuses) {
      const rows = [...statuses].map(([service_id, status]) => ({
        service_id,
        verdict: JSON.stringify(toStored(status)),
      }))
      const changed = rows.filter(({ service_id, verdict }) => saved().get(service_id)?.verdict !== verdict)
      save(changed.map((row) => [row.service_id, row]))
    },
    remove: (services) => save(services.filter((id) => saved().has(id)).map((id) => [id, undefined])),
  }
}

const statusFrom = ({ word, ...rest }: StoredStatus): SavedStatus => ({ status: word, ...rest })

const toStored = ({ status, ...rest }: SavedStatus): StoredStatus => ({ word: status, ...rest })

import { service } from '../../src/schemas/service.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { createRecentResults, type RecentResults } from './recentResults.ts'
import { openSavedStatuses } from './savedStatuses.ts'
import type { ServiceRow } from './serviceRow.ts'
import { createServiceStatus, type ServiceStatus } from './serviceStatus.ts'

/** A service with its current status. */
export interface CheckedService {
  row: ServiceRow
  status: ServiceStatus
  recentResults: RecentResults
  /** When this server last looked at the service's certificate, in milliseconds since 1970. */
  certificateReadAt: number
}

/** Why its latest check failed; it names the server where several check. */
export function problemOf(service: CheckedService | undefined): string | undefined {
  const problem = service?.recentResults.problem()
  return problem && (service?.status.servers().all ?? 0) > 1 ? `${problem.server.name}: ${problem.text}` : problem?.text
}

/** The earliest expiry of its certificates, in milliseconds since 1970. */
export function certificateEndOf(service: CheckedService | undefined): number | undefined {
  const ends = Object.values(service?.status.saved().certificates ?? {}).map(({ expiresAt }) => expiresAt)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

/** All services with their status, in memory. Changes are saved regularly, for a restart. */
export interface CheckedServices {
  /** Applies changes of the table. @returns all rows, or `undefined` when nothing has changed */
  refresh(): readonly ServiceRow[] | undefined
  get(id: number): CheckedService | undefined
  /** Marks the status of a service as changed, for `save`. */
  markChanged(id: number): void
  /** Saves the status of changed services. */
  save(): void
}

/** @param onDeleted called with the ids of services that no longer exist */
export function createCheckedServices(store: Store, onDeleted: (services: readonly number[]) => void): CheckedServices {
  const table = entityTable(store, service)
  const savedStatuses = openSavedStatuses(store)
  const changedIds = new Set<number>()
  let byId = new Map<number, CheckedService>()
  let lastVersion = -1

  function checkedService(existing: CheckedService | undefined, row: ServiceRow): CheckedService {
    if (!existing) {
      const status = createServiceStatus(savedStatuses.of(row.id))
      return { row, status, recentResults: createRecentResults(), certificateReadAt: Number.NEGATIVE_INFINITY }
    }
    const hasOtherTarget = existing.row.target !== row.target || existing.row.type !== row.type
    if (hasOtherTarget) existing.status.forgetCertificates()
    return { ...existing, row, ...(hasOtherTarget && { certificateReadAt: Number.NEGATIVE_INFINITY }) }
  }

  return {
    refresh() {
      if (table.version() === lastVersion) return undefined
      lastVersion = table.version()
      const rows = cachedRows(table) as readonly ServiceRow[]
      const previous = byId
      byId = new Map(rows.map((row) => [row.id, checkedService(previous.get(row.id), row)]))
      const deleted = [...previous.keys()].filter((id) => !byId.has(id))
      if (deleted.length > 0) {
        savedStatuses.remove(deleted)
        onDeleted(deleted)
      }
      return rows
    },
    get: (id) => byId.get(id),
    markChanged: (id) => void changedIds.add(id),
    save() {
      const changed = [...changedIds].flatMap((id) => {
        const status = byId.get(id)?.status.saved()
        return status ? [[id, status] as const] : []
      })
      savedStatuses.write(new Map(changed))
      // After the write, so that a failed one is tried again.
      changedIds.clear()
    },
  }
}

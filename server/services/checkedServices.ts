import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ProbeResult } from '../machines/hosts/probe.ts'
import type { ChainLink } from '../outbound/openTls.ts'
import { isSameCheck, type ServiceRow } from './serviceRow.ts'
import { createServiceStatus, type SavedStatus, type ServiceStatus, unknownStatus } from './serviceStatus.ts'

/** A service with its current status. */
export interface CheckedService {
  row: ServiceRow
  status: ServiceStatus
  recentResults: RecentResults
  /** The certificates of the latest check that saw any: until a restart, after which the next check sees them. */
  chain: readonly ChainLink[]
  /** When this server last looked at the service's certificate, in milliseconds since 1970. */
  certificateReadAt: number
}

/** A target whose certificates nobody has looked at. */
const unseen = { chain: [], certificateReadAt: Number.NEGATIVE_INFINITY } as const

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
interface CheckedServices {
  /** Applies changes of the table. @returns the rows that were added or changed by id, `undefined` for those deleted */
  refresh(): ReadonlyMap<number, ServiceRow | undefined>
  get(id: number): CheckedService | undefined
  /** Marks the status of a service as changed, for `save`. */
  markChanged(id: number): void
  /** Saves the status of changed services. */
  save(): void
}

/**
 * @param onDeleted called with the ids of services that no longer exist
 * @param down those that were down at the end of the last run, by their outages: a killed server has not saved the status
 */
export function createCheckedServices(
  store: Store,
  onDeleted: (services: readonly number[]) => void,
  down: ReadonlySet<number>,
): CheckedServices {
  const table = entityTable(store, service)
  const savedStatuses = openSavedStatuses(store)
  const changedIds = new Set<number>()
  const byId = new Map<number, CheckedService>()
  let lastRows: readonly ServiceRow[] = []

  function checkedService(existing: CheckedService | undefined, row: ServiceRow): CheckedService {
    if (!existing) {
      const saved = savedStatuses.of(row.id)
      const wasDown = down.has(row.id)
      const status = createServiceStatus({
        ...saved,
        status: wasDown ? 'down' : saved.status === 'down' ? 'up' : saved.status,
      })
      return { row, status, recentResults: createRecentResults(), ...unseen }
    }
    const hasOtherTarget = !isSameCheck(existing.row, row)
    if (hasOtherTarget) existing.status.forgetCertificates()
    return { ...existing, row, ...(hasOtherTarget && unseen) }
  }

  return {
    refresh() {
      const changed = new Map<number, ServiceRow | undefined>()
      const rows = table.all()
      if (rows === lastRows) return changed
      const ids = new Set(rows.map(({ id }) => id))
      const deleted = [...byId.keys()].filter((id) => !ids.has(id))
      // First what may fail: nothing of the change is lost then.
      if (deleted.length > 0) store.eventually(() => savedStatuses.remove(deleted))
      for (const row of rows) if (byId.get(row.id)?.row !== row) changed.set(row.id, row)
      for (const [id, row] of changed) if (row) byId.set(id, checkedService(byId.get(id), row))
      lastRows = rows
      for (const id of deleted) {
        byId.delete(id)
        changed.set(id, undefined)
      }
      if (deleted.length > 0) onDeleted(deleted)
      return changed
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
interface SavedStatuses {
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

/** The check results of one service in the last 15 minutes, in memory: as much for one server as for thousands. */
export interface RecentResults {
  /** @param server the one that checked @param at milliseconds since 1970 */
  add(server: Reporter, result: ProbeResult, at: number): void
  /** @param now milliseconds since 1970 */
  counts(now: number): ResultCounts
  /**
   * Milliseconds: the mean delay of the good results in the latest half minute that has any; `undefined` when the last 15
   * minutes have none. @param now milliseconds since 1970
   */
  latency(now: number): number | undefined
  /**
   * The latest check that failed or was not permitted; `undefined` as soon as the same server had a better result. While
   * servers say the same, it is of the first of them: else people would read another name every few seconds.
   */
  problem(): { server: Reporter; text: string } | undefined
}

/** A server that has checked a service. */
export interface Reporter {
  id: number
  name: string
}

interface ResultCounts {
  up: number
  down: number
  notPermitted: number
}

interface Slot extends ResultCounts {
  /** Milliseconds: the sum of the delays of good results. */
  delay: number
}

/** As on real servers, 30 slots of 30 seconds. */
const slotMs = 30_000
const slotCount = 30
/** How long a server that says nothing more stands for others that say the same. */
const heldMs = slotMs * slotCount

function createRecentResults(): RecentResults {
  /** By the number of the slot since 1970, oldest first. */
  const slots = new Map<number, Slot>()
  let problem: { server: Reporter; text: string; at: number } | undefined

  function slotOf(number: number): Slot {
    const existing = slots.get(number)
    if (existing) return existing
    for (const old of slots.keys()) if (old <= number - slotCount) slots.delete(old)
    const created = { up: 0, down: 0, notPermitted: 0, delay: 0 }
    slots.set(number, created)
    return created
  }

  return {
    add(server, result, at) {
      const slot = slotOf(Math.floor(at / slotMs))
      if (result.outcome === 'up') {
        slot.up++
        slot.delay += result.delay
      } else if (result.outcome === 'down') slot.down++
      else slot.notPermitted++
      const isSame = problem?.server.id === server.id
      if (result.outcome === 'up') {
        if (isSame) problem = undefined
      } else if (isSame || problem?.text !== result.problem || at - problem.at > heldMs) {
        problem = { server, text: result.problem, at }
      }
    },
    counts(now) {
      const total = { up: 0, down: 0, notPermitted: 0 }
      for (const [number, { up, down, notPermitted }] of slots) {
        if (number <= Math.floor(now / slotMs) - slotCount) continue
        total.up += up
        total.down += down
        total.notPermitted += notPermitted
      }
      return total
    },
    latency(now) {
      let latest: number | undefined
      for (const [number, { up }] of slots) {
        const isRecent = number > Math.floor(now / slotMs) - slotCount
        if (up > 0 && isRecent && number > (latest ?? 0)) latest = number
      }
      const slot = latest === undefined ? undefined : slots.get(latest)
      return slot && slot.delay / slot.up
    },
    problem: () => problem,
  }
}

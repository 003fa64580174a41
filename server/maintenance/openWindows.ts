import { nextOccurrences, occurrenceAt } from '../../src/domain/maintenance/occurrences.ts'
import { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { mayAct } from '../person.ts'
import { createCoveredRecords, type RoleOf, reachesAll, type WindowRow } from './coveredRecords.ts'

/** A maintenance window while it is open. Times are milliseconds since 1970. */
export interface OpenWindow {
  row: WindowRow
  until: number
  servers: ReadonlySet<number>
  services: ReadonlySet<number>
}

/** The windows that are open, and until when they are about a server or a service. */
export interface OpenWindows {
  all(): readonly OpenWindow[]
  /**
   * Until when a server is in maintenance, in milliseconds since 1970; `undefined` while it is not.
   * @param ownerId whose rule or service asks: those of others are not silenced by windows of members
   */
  untilOfServer(serverId: number, ownerId: number): number | undefined
  /** The same for a service. */
  untilOfService(serviceId: number, ownerId: number): number | undefined
}

interface OpenWindowsOptions {
  store: Store
  roleOf: RoleOf
  /** The zone of windows that name none. */
  zone: string
  /** Milliseconds since 1970. */
  now: () => number
}

/** So that a user who is no administrator any more, or was deleted, counts soon. Milliseconds. */
const longestUnchanged = 60_000

/** Latest ends by id. */
type Ends = Map<number, number>
interface Reach {
  servers: Ends
  services: Ends
}

/** The occurrence of an enabled window at a moment. */
export const currentOccurrence = (window: WindowRow, at: number, zone: string) =>
  window.enabled ? occurrenceAt(window, at, zoneOf(window, zone)) : undefined

/** The next occurrence of an enabled window. */
export const nextOccurrence = (window: WindowRow, at: number, zone: string) =>
  window.enabled ? nextOccurrences(window, at, zoneOf(window, zone), 1)[0] : undefined

/** The zone of a window's clocks. */
export const zoneOf = ({ time_zone }: WindowRow, zone: string) => time_zone || zone

export function createOpenWindows({ store, roleOf, zone, now }: OpenWindowsOptions): OpenWindows {
  const windows = entityTable(store, maintenanceWindow)
  const others = [server, serverGroup, service].map((entity) => entityTable(store, entity))
  const snapshot = createSnapshot([windows, ...others])
  const covered = createCoveredRecords(store, roleOf)
  let open: OpenWindow[] = []
  let ofEverybody: Reach = newReach()
  let byOwner = new Map<number, Reach>()
  let latestRecords: object | undefined
  let readAt = Number.NaN
  let changesAt = 0

  /** Thousands of results a second ask, so the answers are computed once until something may have changed. */
  function refresh(): void {
    const at = now()
    const current = snapshot()
    if (at >= readAt && at < changesAt && current === latestRecords) return
    latestRecords = current
    readAt = at
    changesAt = at + longestUnchanged
    open = []
    for (const row of windows.all()) {
      if (!mayAct(row.user_id, roleOf)) continue
      const until = currentOccurrence(row, at, zone)?.to
      changesAt = Math.min(changesAt, until ?? nextOccurrence(row, at, zone)?.from ?? changesAt)
      if (until !== undefined)
        open.push({ row, until, servers: covered.serversOf(row), services: covered.servicesOf(row) })
    }
    ofEverybody = newReach()
    byOwner = new Map()
    for (const { row, until, servers, services } of open) {
      const reach = reachesAll(row, roleOf) ? ofEverybody : (byOwner.get(row.user_id) ?? newReach())
      if (reach !== ofEverybody) byOwner.set(row.user_id, reach)
      extend(reach.servers, servers, until)
      extend(reach.services, services, until)
    }
  }

  function until(kind: keyof Reach, id: number, ownerId: number): number | undefined {
    refresh()
    if (open.length === 0) return undefined
    return latest(ofEverybody[kind].get(id), byOwner.get(ownerId)?.[kind].get(id))
  }

  return {
    all() {
      refresh()
      return open
    },
    untilOfServer: (serverId, ownerId) => until('servers', serverId, ownerId),
    untilOfService: (serviceId, ownerId) => until('services', serviceId, ownerId),
  }
}

const newReach = (): Reach => ({ servers: new Map(), services: new Map() })

function extend(ends: Ends, ids: ReadonlySet<number>, until: number): void {
  for (const id of ids) ends.set(id, Math.max(until, ends.get(id) ?? 0))
}

const latest = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

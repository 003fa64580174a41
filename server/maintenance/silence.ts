import { nextOccurrences, occurrenceAt } from '../../src/domain/maintenance/occurrences.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import { mute } from '../../src/schemas/mute.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { type Grants, mayAct, type ReachedServers } from '../person.ts'
import { createCoveredRecords, type RoleOf, reachesAll, type WindowRow } from './coveredRecords.ts'

/**
 * Why nobody is notified. `maintenance`: somebody works on it, so no tasks are triggered either, and checks do not
 * count. `muted`: everything goes on as usual, without notifications.
 */
export type Silence = 'maintenance' | 'muted'

/**
 * The owner of what belongs to the whole site, as messages about addresses and contracts: only windows and mutes of
 * administrators silence it.
 */
export const siteOwner = 0

/** What is silent now. `ownerId` is whose rule or service it is. */
export interface Silences {
  windows: OpenWindows
  mutes: Mutes
  ofAlarm(alarm: { server_id: number; rule_id: number }, ownerId: number): Silence | undefined
  ofServer(serverId: number, ownerId: number): Silence | undefined
  ofService(serviceId: number, ownerId: number): Silence | undefined
}

export const createSilences = (windows: OpenWindows, mutes: Mutes): Silences => ({
  windows,
  mutes,
  ofAlarm(alarm, ownerId) {
    if (windows.untilOfServer(alarm.server_id, ownerId) !== undefined) return 'maintenance'
    return mutes.hasAlarm(alarm, ownerId) ? 'muted' : undefined
  },
  ofServer(serverId, ownerId) {
    if (windows.untilOfServer(serverId, ownerId) !== undefined) return 'maintenance'
    return mutes.hasServer(serverId, ownerId) ? 'muted' : undefined
  },
  ofService(serviceId, ownerId) {
    if (windows.untilOfService(serviceId, ownerId) !== undefined) return 'maintenance'
    return mutes.hasService(serviceId, ownerId) ? 'muted' : undefined
  },
})

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

/** What is muted: the alarms of a server, of a rule or of both together, and a service; 0 stands for none. */
export interface MuteTarget {
  server_id: number
  rule_id: number
  service_id: number
}

export type MuteRow = Row<typeof mute>

/** Whether something is wrong with what is muted, so that it can recover. */
export type TroubleSource = (target: MuteTarget) => boolean

/** The mutes that people have set and that have not ended. */
export interface Mutes {
  active(): readonly MuteRow[]
  /** Whether an alarm is muted. @param ownerId whose rule it is: a member's mute is about the member's own rules */
  hasAlarm(target: Pick<MuteTarget, 'server_id' | 'rule_id'>, ownerId: number): boolean
  /** Whether all alarms of a server are muted. */
  hasServer(serverId: number, ownerId: number): boolean
  hasService(serviceId: number, ownerId: number): boolean
  /** Adds a source to ask whether something is wrong; for mutes that last until it has recovered. */
  addTroubleSource(source: TroubleSource): void
  hasTrouble: TroubleSource
  /** Deletes what has ended. */
  removeEnded(): void
}

interface MuteServices {
  store: Store
  roleOf: RoleOf
  /** What a user's further roles let them do. */
  grantsOf: (userId: number) => Grants
  /** Milliseconds since 1970. */
  now: () => number
}

export function createMutes({ store, roleOf, grantsOf, now }: MuteServices): Mutes {
  const table = entityTable(store, mute)
  const [servers, rules, services] = [
    entityTable(store, server),
    entityTable(store, alertRule),
    entityTable(store, service),
  ]
  const sources: TroubleSource[] = []
  let indexed: readonly MuteRow[] | undefined
  let byTarget = new Map<string, MuteRow[]>()

  function of(key: string): readonly MuteRow[] {
    const rows = table.all()
    if (rows !== indexed) byTarget = indexOf(rows)
    indexed = rows
    return byTarget.get(key) ?? []
  }

  const isActive = (row: MuteRow) => mayAct(row.user_id, roleOf) && (!row.ends_at || endOf(row) > now())
  const isMuted = (target: Partial<MuteTarget>, ownerId: number) =>
    of(keyOf(target)).some(
      (row) => isActive(row) && (row.user_id === ownerId || reachesAll(row, roleOf) || isGranted(row)),
    )

  /** Whether its owner may act, by roles of now, on all that it names: on a rule only beside a server. */
  function isGranted({ user_id, server_id, rule_id, service_id }: MuteRow): boolean {
    const grants = grantsOf(user_id)
    const service = services.get(service_id)
    const mayOn = (of: ReachedServers) => grants.has('act', of)
    if (server_id ? !mayOn([server_id]) : rule_id) return false
    return !service_id || (service !== undefined && mayOn(serversOfService(service)))
  }
  const hasTrouble = (target: MuteTarget) => sources.some((source) => source(target))

  /** Whether everything that it is about still exists. */
  const isWhole = ({ server_id, rule_id, service_id }: MuteRow) =>
    (!server_id || servers.get(server_id)) &&
    (!rule_id || rules.get(rule_id)) &&
    (!service_id || services.get(service_id))

  return {
    active: () => table.all().filter(isActive),
    hasAlarm({ server_id, rule_id }, ownerId) {
      // Failing rules of thousands of servers ask every few seconds.
      if (table.all().length === 0) return false
      return [{ server_id }, { rule_id }, { server_id, rule_id }].some((target) => isMuted(target, ownerId))
    },
    hasServer: (server_id, ownerId) => isMuted({ server_id }, ownerId),
    hasService: (service_id, ownerId) => isMuted({ service_id }, ownerId),
    addTroubleSource: (source) => void sources.push(source),
    hasTrouble,
    removeEnded() {
      const ended = table.all().filter((row) => !isActive(row) || !isWhole(row) || (!row.ends_at && !hasTrouble(row)))
      if (ended.length > 0) table.remove(ended.map(({ id }) => id))
    },
  }
}

const keyOf = ({ server_id = 0, rule_id = 0, service_id = 0 }: Partial<MuteTarget>) =>
  `${server_id} ${rule_id} ${service_id}`

/** One that names a service beside a server or a rule is about both. */
function indexOf(rows: readonly MuteRow[]): Map<string, MuteRow[]> {
  const byTarget = new Map<string, MuteRow[]>()
  for (const row of rows) {
    for (const key of new Set([keyOf({ ...row, service_id: 0 }), keyOf({ service_id: row.service_id })])) {
      byTarget.set(key, [...(byTarget.get(key) ?? []), row])
    }
  }
  return byTarget
}

/** When a mute ends, in milliseconds since 1970. */
export const endOf = ({ ends_at }: Pick<MuteRow, 'ends_at'>): number => Date.parse(ends_at)

import { alertRule } from '../../src/schemas/alertRule.ts'
import { mute } from '../../src/schemas/mute.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { type Grants, mayAct, type ReachedServers } from '../person.ts'
import { type RoleOf, reachesAll } from './coveredRecords.ts'

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

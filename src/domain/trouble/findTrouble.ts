import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import type { TurnedAwayAgent } from '../../schemas/machines/turnedAwayAgent.ts'
import { inOrder, type Severity, type Trouble } from './trouble.ts'

/** A running alarm as far as trouble is concerned, as the list of alarms has it. */
interface RunningAlarm {
  id: number | string
  server_id?: number
  server_name?: string
  rule_id?: number
  rule_name?: string
  causes?: readonly AlarmCause[]
  started_at?: string
  silenced?: string
}

/** A notifier as far as trouble is concerned. */
interface Notifier {
  id: number | string
  name?: string
  undelivered_at?: string
  undelivered_cause?: string
}

/** A service as far as trouble is concerned. */
export interface CheckedService {
  id: number
  name: string
  isDown: boolean
  /** Since when it is down, ms since 1970. */
  downSince?: number
  problem: string
  /** When its certificate runs out, ms since 1970. */
  certificateEnd?: number
}

/** All that is known of this moment; times are ms since 1970 by the server's clock. */
export interface TroubleSources {
  now: number
  /** Servers that are offline; `since` is their last report. */
  offline: readonly { id: number; name: string; since?: number }[]
  /** Servers that are online and whose disks are full, in whole percent. */
  fullDisks: readonly { id: number; name: string; percent: number }[]
  /** Servers with whose uuid several machines report. */
  shared: readonly { id: number; name: string; addresses: readonly string[] }[]
  alarms: readonly RunningAlarm[]
  /** Traffic that is used up, and contracts that end, as they are found apart. */
  contracts?: readonly (Trouble & { server_id: number })[]
  services: readonly CheckedService[]
  agents: readonly TurnedAwayAgent[]
  notifiers: readonly Notifier[]
  /** The server's own warnings, as `GET /setting` names them. */
  warnings: readonly string[]
  /** What is muted or in maintenance, by id. */
  silences: { server: Pick<ReadonlySet<number>, 'has'>; service: Pick<ReadonlySet<number>, 'has'> }
}

const dayMs = 86_400_000
/** A certificate is trouble from the day on which the server warns of it first. */
const certificateMs = 7 * dayMs
/** An agent that has not called for so long has given up. */
const callingMs = 10 * 60_000
/** The console cannot keep what it measures. */
const criticalWarnings: readonly string[] = ['disk_full', 'database_busy']

/**
 * What is wrong now, worst and newest first. The alarms of a server that is offline are part of that: nothing of it is
 * measured, so they say nothing new.
 */
export function findTrouble({ now, silences, ...sources }: TroubleSources): Trouble[] {
  const ofServer = (id: number, severity: Severity) => (silences.server.has(id) ? 'silenced' : severity)
  const ofService = (id: number, severity: Severity) => (silences.service.has(id) ? 'silenced' : severity)
  const troubles: Trouble[] = []
  const offline = new Set<number>()
  const alarmedDisks = new Set<number>()
  for (const { id, name, since } of sources.offline) {
    offline.add(id)
    const severity = ofServer(id, 'critical')
    troubles.push({ key: `server ${id}`, kind: 'server_offline', severity, name, since, server_id: id })
  }
  for (const { id, name, addresses } of sources.shared) {
    const severity = ofServer(id, 'warning')
    troubles.push({ key: `shared ${id}`, kind: 'shared_uuid', severity, name, server_id: id, addresses })
  }
  for (const { id, server_id = 0, rule_id = 0, ...alarm } of sources.alarms) {
    if (offline.has(server_id)) continue
    if (alarm.causes?.some(({ type }) => type === 'disk')) alarmedDisks.add(server_id)
    troubles.push({
      key: `alarm ${id}`,
      kind: 'alarm',
      severity: alarm.silenced ? 'silenced' : ofServer(server_id, 'alarm'),
      name: alarm.server_name ?? `#${server_id}`,
      since: timeOf(alarm.started_at),
      server_id,
      rule_id,
      rule_name: alarm.rule_name ?? `#${rule_id}`,
      causes: alarm.causes ?? [],
    })
  }
  for (const { id, name, percent } of sources.fullDisks) {
    // The alarm of a rule says the same, with its limit.
    if (alarmedDisks.has(id)) continue
    const severity = ofServer(id, 'alarm')
    troubles.push({ key: `disk ${id}`, kind: 'disk_full', severity, name, server_id: id, percent })
  }
  for (const trouble of sources.contracts ?? []) {
    troubles.push({ ...trouble, severity: ofServer(trouble.server_id, trouble.severity) })
  }
  for (const { id, name, isDown, downSince, problem, certificateEnd } of sources.services) {
    if (isDown) {
      const severity = ofService(id, 'critical')
      troubles.push({
        key: `service ${id}`,
        kind: 'service_down',
        severity,
        name,
        since: downSince,
        service_id: id,
        problem,
      })
    }
    if (certificateEnd !== undefined && certificateEnd - now <= certificateMs) {
      const severity = ofService(id, certificateEnd <= now ? 'alarm' : 'warning')
      const since = certificateEnd <= now ? certificateEnd : undefined
      const expires_at = certificateEnd
      troubles.push({
        key: `certificate ${id}`,
        kind: 'certificate',
        severity,
        name,
        since,
        service_id: id,
        expires_at,
      })
    }
  }
  for (const { uuid, name = uuid, address = '', called_at } of sources.agents) {
    const calledAt = timeOf(called_at)
    if (calledAt === undefined || now - calledAt > callingMs) continue
    troubles.push({ key: `agent ${uuid}`, kind: 'agent_turned_away', severity: 'warning', name, address })
  }
  for (const { id, name = `#${id}`, undelivered_at, undelivered_cause: problem = '' } of sources.notifiers) {
    const since = timeOf(undelivered_at)
    if (since === undefined) continue
    const notification_id = Number(id)
    troubles.push({
      key: `notifier ${id}`,
      kind: 'undelivered',
      severity: 'alarm',
      name,
      since,
      notification_id,
      problem,
    })
  }
  for (const warning of sources.warnings) {
    const severity = criticalWarnings.includes(warning) ? 'critical' : 'warning'
    troubles.push({ key: `console ${warning}`, kind: 'console', severity, name: '', warning })
  }
  return inOrder(troubles)
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}

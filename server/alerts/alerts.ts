import {
  type AlertState,
  checkIntervalMs,
  newAlertState,
  type WatchedAlert,
} from '../../src/domain/alerts/alertState.ts'
import { alertVersion, type CompiledAlert, calendarsOf, compileAlert } from '../../src/domain/alerts/compileAlert.ts'
import { evaluateAlert } from '../../src/domain/alerts/evaluateAlert.ts'
import type { MetricReport } from '../../src/domain/alerts/metricValue.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { leaveTurn, takeTurns } from '../concurrency/takeTurns.ts'
import { entityTable, type Row, type ServerRow } from '../entities/entityTable.ts'
import type { Conditions } from '../inspect/conditions/conditions.ts'
import type { Machines } from '../machines/machines.ts'
import { mayAct } from '../person.ts'
import type { Alarm } from './alarms.ts'
import { type AlarmEvent, type AlertNotifierServices, createAlertNotifier } from './alertNotifier.ts'
import { openSavedState, restoreAlert, saveAlert } from './savedState.ts'
import { type CycleStats, createTraffic, cycleStatsOf } from './traffic.ts'

export interface AlertServices extends AlertNotifierServices {
  machines: Pick<Machines, 'connected' | 'wireReport'>
  /** What machines are asked for. Default: nothing, so that rules about it never fail. */
  conditions?: Conditions
  /** A user's role; `undefined` when the user no longer exists. */
  roleOf: (id: number) => number | undefined
  /** Time zone in which cycles of days and longer begin. */
  zone: string
  /** Default: those of the contract. */
  times?: AlertTimes
  /** The time by which ended alarms are too old. Default: `now`. */
  retentionNow?: () => number
}

/** Evaluates all alert rules on all servers every three seconds. */
export interface Alerts {
  start(): void
  /** Resolves when the running check has ended and its state is on the disk. */
  stop(): Promise<void>
  /** Evaluates all rules once, as the timer does. Resolves when the results are on the disk. */
  check(): Promise<void>
  /** All alarms: running ones first, each part with the latest first. */
  allAlarms(): Alarm[]
  runningAlarms(): Alarm[]
  /** On how many servers each rule fires now, by its id; rules that do not fire are left out. */
  firing(): ReadonlyMap<number, number>
  /** Calls `listener` when people are told of an alarm, and when it is over after that. */
  onAlarm(listener: (event: AlarmEvent) => void): void
  /** Calls `listener` when an alarm is paused, or goes on. */
  onPause(listener: (alarm: Alarm) => void): void
  /**
   * The traffic of enabled cycle rules by alert id, as in `GET /service` (docs/contract/CONTRACT.md#511-services).
   * @param isVisible whether the requesting person may see a server
   */
  cycleTransferStats(isVisible?: (server: ServerRow) => boolean): Record<string, CycleStats> | undefined
}

/** Milliseconds. Before the first check, machines need time to report after a start. */
export interface AlertTimes {
  firstCheckMs: number
  intervalMs: number
}

const defaultTimes: AlertTimes = { firstCheckMs: 10_000, intervalMs: checkIntervalMs }
/** How much is done before the event loop gets a turn, about two milliseconds: evaluations of rules, and changes. */
export const batchLimits = { evaluations: 1_000, changes: 100 } as const

/**
 * A rule that has only gained passing samples is saved once in this many checks, each rule in another one: after a
 * start, a rule that looks back for an hour gains samples on all servers for an hour. A killed server loses a minute of
 * them.
 */
const checksPerSave = 20

/**
 * What was measured before a server went offline says nothing of now: an alarm about that neither begins nor repeats.
 * @param present the machine or its report; `undefined` while it is offline
 */
const isPausedOn = ({ rules }: CompiledAlert, present: unknown) =>
  present === undefined && rules.every(({ kind }) => kind === 'metric')

/** Whose machine a server is, by its id. */
type Owners = ReadonlyMap<number, number>

const isSame = (one: Owners, other: Owners) =>
  one.size === other.size && [...one].every(([id, owner]) => other.get(id) === owner)

export function createAlerts(services: AlertServices): Alerts {
  const { store, machines, conditions, roleOf, alarms, zone, log } = services
  const { now = Date.now, retentionNow = now, times = defaultTimes } = services
  const rules = entityTable(store, alertRule)
  const servers = entityTable(store, server)
  const savedState = openSavedState(store)
  const traffic = createTraffic(savedState, zone)
  const listeners = new Set<(event: AlarmEvent) => void>()
  const pauseListeners = new Set<(alarm: Alarm) => void>()
  const notifier = createAlertNotifier({
    ...services,
    now,
    onAlarm: (event) => {
      for (const listener of listeners) listener(event)
    },
    onPause(alarm) {
      for (const listener of pauseListeners) listener(alarm)
    },
  })
  const watchedById = new Map<number, WatchedAlert>()
  let lastRules: readonly Row<typeof alertRule>[] | undefined
  let lastServers: readonly ServerRow[] | undefined
  let owners: Owners = new Map()
  let lastAdmins: ReadonlySet<number> = new Set()
  let timer: NodeJS.Timeout | undefined
  let currentCheck: Promise<void> | undefined
  let isFirst = true
  /** Milliseconds since 1970. */
  let lastCheckAt = 0

  /** Applies what was saved or deleted since the last check. */
  async function applyChanges(at: number): Promise<void> {
    const rows = rules.all()
    const hasNewRules = rows !== lastRules
    if (hasNewRules) {
      await applyRules(rows, at)
      lastRules = rows
    }
    const hasNewAdmins = applyAdmins()
    const hasNewOwners = applyOwners()
    if (hasNewRules || hasNewAdmins || hasNewOwners) await traffic.removeUncovered((id) => owners.get(id))
  }

  /** @returns whether other owners of rules are administrators than before */
  function applyAdmins(): boolean {
    const ruleOwners = new Set(rules.all().map(({ user_id }) => user_id))
    const admins = new Set([...ruleOwners].filter((id) => roleOf(id) === roles.admin))
    if (admins.size === lastAdmins.size && [...admins].every((id) => lastAdmins.has(id))) return false
    lastAdmins = admins
    traffic.setAdmins(admins)
    return true
  }

  /** @returns whether servers were deleted, added or moved */
  function applyOwners(): boolean {
    const rows = servers.all()
    if (rows === lastServers) return false
    lastServers = rows
    const before = owners
    owners = new Map(rows.map(({ id, user_id }) => [id, user_id]))
    return !isSame(before, owners)
  }

  /** The alerts that cover the servers of a user: those of administrators, and the user's own. */
  function alertsByOwner(): (userId: number) => readonly WatchedAlert[] {
    const ofAdmins = [...watchedById.values()].filter(({ alert }) => lastAdmins.has(alert.ownerId))
    const ofMembers = Map.groupBy(
      [...watchedById.values()].filter(({ alert }) => !lastAdmins.has(alert.ownerId) && mayAct(alert.ownerId, roleOf)),
      ({ alert }) => alert.ownerId,
    )
    const alerts = new Map<number, readonly WatchedAlert[]>()
    return (userId) => {
      const cached = alerts.get(userId)
      if (cached) return cached
      const own = ofMembers.get(userId)
      const covering = own ? [...ofAdmins, ...own] : ofAdmins
      alerts.set(userId, covering)
      return covering
    }
  }

  async function applyRules(rows: readonly Row<typeof alertRule>[], at: number): Promise<void> {
    const alerts = new Map(rows.flatMap((row) => compileAlert(row) ?? []).map((alert) => [alert.id, alert]))
    for (const id of watchedById.keys()) if (!alerts.has(id)) watchedById.delete(id)
    for (const [id, alert] of alerts) {
      if (watchedById.get(id)?.alert.version === alert.version) continue
      const restore = isFirst ? restoreAlert(savedState, alert) : undefined
      watchedById.set(id, { alert, stateByServer: new Map(), isChanged: true, hasGrown: false, restore })
    }
    const versionByRule = new Map(rows.map((row) => [row.id, alertVersion(row)]))
    notifier.withdrawAlarms(
      (alarm) => !alerts.has(alarm.rule_id) || versionByRule.get(alarm.rule_id) !== alarm.rule_version,
      at,
    )
    await traffic.setCalendars(rows.flatMap(calendarsOf), at)
    for (const name of savedState.names()) {
      if (name.startsWith('alert ') && !watchedById.has(Number(name.slice('alert '.length))))
        savedState.set(name, undefined)
    }
  }

  function metricReport(row: ServerRow): MetricReport {
    const wireReport = machines.wireReport(row)
    const { missing, host } = wireReport
    const inspected = conditions?.of(row.id)
    if (!missing && !inspected) return wireReport
    const unknown = Object.fromEntries((missing ?? []).map((name) => [name, null]))
    return { host, state: { ...wireReport.state, ...unknown }, ...(inspected && { inspected }) }
  }

  function beginState({ alert, stateByServer, restore }: WatchedAlert, serverId: number): AlertState {
    const state = restore?.(serverId) ?? newAlertState(alert)
    stateByServer.set(serverId, state)
    return state
  }

  async function check(): Promise<void> {
    const at = now()
    await applyChanges(at)
    if (isFirst) notifier.tellRunning((id) => watchedById.get(id)?.alert)
    await traffic.startNewCycles(at)
    const watchedAlerts = [...watchedById.values()]
    const alertsFor = alertsByOwner()
    const turn = takeTurns(leaveTurn)
    let evaluations = 0
    let evaluatedStates = 0
    // A disabled rule still counts traffic.
    const isNeeded = watchedAlerts.length > 0 || traffic.isCounting()
    for (const row of isNeeded ? servers.all() : []) {
      const report = machines.connected(row) ? metricReport(row) : undefined
      if (report) traffic.observe(row.id, row.user_id, report.state, at)
      for (const watched of alertsFor(row.user_id)) {
        const { alert, stateByServer } = watched
        if (alert.covers(row.id)) {
          const state = stateByServer.get(row.id) ?? beginState(watched, row.id)
          if (report && alert.subjects.length > 0) conditions?.want(row.id, alert.subjects)
          const isRaised = alarms.runningOf(alert.id, row.id) !== undefined
          const fails = evaluateAlert({ watched, state, serverId: row.id, report, traffic, isRaised, now: at })
          if (fails !== undefined && !isPausedOn(alert, report)) notifier.handleResult(alert, state, row, fails, at)
          evaluatedStates++
        }
        evaluations += alert.rules.length
        if (evaluations < batchLimits.evaluations && notifier.pendingCount() < batchLimits.changes) continue
        evaluations = 0
        notifier.flush()
        await leaveTurn()
      }
      const others = turn()
      if (others) await others
    }
    notifier.flush()
    notifier.pause(({ rule_id, server_id }) => {
      const [alert, row] = [watchedById.get(rule_id)?.alert, servers.get(server_id)]
      return alert !== undefined && row !== undefined && isPausedOn(alert, machines.connected(row))
    })
    notifier.endSilence((id) => watchedById.get(id)?.alert)
    const stateCount = watchedAlerts.reduce((sum, watched) => sum + watched.stateByServer.size, 0)
    if (isFirst || stateCount > evaluatedStates) removeUnchecked(watchedAlerts, at)
    isFirst = false
    for (const watched of watchedAlerts) watched.restore = undefined
    alarms.removeOld(retentionNow())
    lastCheckAt = at
    await save(at)
  }

  /** Removes the state of servers that were deleted or belong to somebody else now. */
  function removeUnchecked(watchedAlerts: readonly WatchedAlert[], at: number): void {
    const checkNumber = Math.floor(at / checkIntervalMs)
    for (const watched of watchedAlerts) {
      for (const [id, state] of watched.stateByServer) {
        if (state.lastCheck === checkNumber) continue
        watched.stateByServer.delete(id)
        watched.isChanged = true
      }
    }
    notifier.withdrawAlarms((alarm) => watchedById.get(alarm.rule_id)?.stateByServer.has(alarm.server_id) === false, at)
  }

  /** @param isLast whether nothing more is saved until the next start */
  async function save(at: number, isLast = false): Promise<void> {
    const checkNumber = Math.floor(at / checkIntervalMs)
    const turn = takeTurns(leaveTurn)
    for (const watched of watchedById.values()) {
      const isTurn = (checkNumber + watched.alert.id) % checksPerSave === 0
      if (!watched.isChanged && !(watched.hasGrown && (isTurn || isLast))) continue
      watched.isChanged = false
      watched.hasGrown = false
      await saveAlert(savedState, watched, turn)
      await turn()
    }
    if (watchedById.size > 0) savedState.set('latest', checkNumber)
    await traffic.save()
    while (savedState.flush()) await leaveTurn()
  }

  function checkNow(): Promise<void> {
    currentCheck ??= check()
      .catch((error: unknown) => log.error('Alert rules could not be checked:', error))
      .finally(() => {
        currentCheck = undefined
      })
    return currentCheck
  }

  /** Uses the monotonic clock. @param due milliseconds of `performance.now()` */
  function waitForCheck(due: number): void {
    timer = setTimeout(
      () => {
        // Relative to the planned time, so that nothing drifts; after a sleep of the machine, relative to now.
        const next = due + times.intervalMs
        waitForCheck(next > performance.now() ? next : performance.now() + times.intervalMs)
        void checkNow()
      },
      Math.max(0, due - performance.now()),
    )
  }

  return {
    start: () => waitForCheck(performance.now() + times.firstCheckMs),
    async stop() {
      clearTimeout(timer)
      await currentCheck
      if (isFirst) return
      try {
        await save(lastCheckAt, true)
      } catch (error) {
        log.error('The state of alert rules could not be saved:', error)
      }
    },
    check: checkNow,
    allAlarms: alarms.all,
    runningAlarms: () => [...alarms.running()],
    firing() {
      const counts = new Map<number, number>()
      for (const { rule_id, paused } of alarms.running())
        if (!paused) counts.set(rule_id, (counts.get(rule_id) ?? 0) + 1)
      return counts
    },
    onAlarm: (listener) => void listeners.add(listener),
    onPause: (listener) => void pauseListeners.add(listener),
    cycleTransferStats(isVisible = () => true) {
      const visible = new Map(servers.all().flatMap((row) => (isVisible(row) ? [[row.id, row] as const] : [])))
      const stats = [...watchedById.values()].flatMap(({ alert, stateByServer }) => {
        const cycleStats = cycleStatsOf(alert, stateByServer, visible, traffic)
        return cycleStats ? [[String(alert.id), cycleStats] as const] : []
      })
      return stats.length > 0 ? Object.fromEntries(stats) : undefined
    },
  }
}

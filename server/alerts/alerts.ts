import { setImmediate as turn } from 'node:timers/promises'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notices } from '../notifications/notifications.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Alarms } from './alarms.ts'
import { alertOf, calendarsOf, versionOf } from './compileRules.ts'
import { type CycleStats, cycleStatsOf } from './cycleStats.ts'
import type { Reading } from './metricValue.ts'
import { createHerald } from './notify.ts'
import { keepAlert, readAlert } from './restoreAlerts.ts'
import { openKept } from './savedState.ts'
import { checkMs, checkPair, newPair, type Watch } from './serverRules.ts'
import { createTraffic } from './traffic.ts'

export interface AlertServices {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  /** A user's role; `undefined` when there is no such user any more. */
  roleOf: (id: number) => number | undefined
  notices: Pick<Notices, 'send'>
  trigger: Tasks['trigger']
  alarms: Alarms
  /** How notices name the address of a machine; empty for none. */
  addressOf: (server: Row) => string
  /** By whose clocks cycles of days and longer begin. */
  zone: string
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** Default: as the contract has them. */
  times?: AlertTimes
}

/** Watches what alert rules look at, every three seconds from a while after `start()` on. */
export interface Alerts {
  start(): void
  /** Ends the watch; resolves when all of its state is on the disk. */
  stop(): Promise<void>
  /** One check of all rules on all servers; the timer does it. What it found is on the disk when it resolves. */
  check(): Promise<void>
  /**
   * The traffic that enabled cycle rules count, as `GET /service` has it (docs/contract/CONTRACT.md#511-services), by
   * the alert's id.
   * @param isVisible the servers that the one who asks may know of
   */
  cycleTransferStats(isVisible?: (server: Row) => boolean): Record<string, CycleStats> | undefined
}

/** Milliseconds. The first check is when machines have had the time to report after a start. */
export interface AlertTimes {
  firstMs: number
  everyMs: number
}

const usualTimes: AlertTimes = { firstMs: 10_000, everyMs: checkMs }
/**
 * Before others get their turn: rules that are judged on servers, and alarms that begin or end. A millisecond or two.
 */
export const atOnce = { judged: 1_000, told: 100 } as const

export function createAlerts(services: AlertServices): Alerts {
  const { store, machines, roleOf, alarms, zone, log, now = Date.now, times = usualTimes } = services
  const rules = entityTable(store, alertRule)
  const servers = entityTable(store, server)
  const kept = openKept(store)
  const traffic = createTraffic(kept, zone)
  const herald = createHerald(services)
  const watched = new Map<number, Watch>()
  let seenRules: number | undefined
  let seenServers: number | undefined
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isFirst = true

  /** Takes over what was saved or deleted since the last check. */
  function keepUp(at: number): void {
    const rulesVersion = rules.version()
    if (rulesVersion !== seenRules) {
      takeRules(cachedRows(rules), at)
      seenRules = rulesVersion
    }
    const serversVersion = servers.version()
    if (serversVersion === seenServers) return
    seenServers = serversVersion
    const there = new Set(cachedRows(servers).map(({ id }) => id))
    traffic.forget((id) => there.has(id))
  }

  function takeRules(rows: readonly Row[], at: number): void {
    const alerts = new Map(rows.flatMap((row) => alertOf(row) ?? []).map((alert) => [alert.id, alert]))
    for (const id of watched.keys()) if (!alerts.has(id)) watched.delete(id)
    for (const [id, alert] of alerts) {
      if (watched.get(id)?.alert.version === alert.version) continue
      const before = isFirst ? readAlert(kept, alert) : undefined
      watched.set(id, { alert, pairs: new Map(), isChanged: true, before })
    }
    const versions = new Map(rows.map((row) => [row.id, versionOf(row)]))
    herald.withdraw((alarm) => !alerts.has(alarm.rule_id) || versions.get(alarm.rule_id) !== alarm.rule_version, at)
    traffic.keep(rows.flatMap(calendarsOf), at)
    for (const name of kept.names()) {
      if (name.startsWith('alert ') && !watched.has(Number(name.slice('alert '.length)))) kept.set(name, undefined)
    }
  }

  async function check(): Promise<void> {
    const at = now()
    keepUp(at)
    traffic.turn(at)
    const all = [...watched.values()]
    const seesAll = new Map(all.map(({ alert }) => [alert.id, roleOf(alert.ownerId) === roles.admin]))
    let judged = 0
    let looked = 0
    // Where no rule is enabled, nobody is asked; but a rule that rests goes on counting traffic.
    const isWatching = all.length > 0 || traffic.isCounting()
    for (const row of isWatching ? cachedRows(servers) : []) {
      const reading = machines.connected(row) ? (machines.wireReport(row) as unknown as Reading) : undefined
      if (reading) traffic.observe(row.id, reading.state, at)
      for (const watch of all) {
        const { alert, pairs } = watch
        // Rules of people who are no admins look only at what is theirs.
        if ((seesAll.get(alert.id) || row.user_id === alert.ownerId) && alert.covers(row.id)) {
          const pair = pairs.get(row.id) ?? watch.before?.(row.id) ?? newPair(alert)
          pairs.set(row.id, pair)
          const fails = checkPair({ watch, pair, serverId: row.id, reading, traffic, now: at })
          if (fails !== undefined) herald.take(alert, pair, row, fails, at)
          looked++
        }
        judged += alert.rules.length
      }
      if (judged < atOnce.judged && herald.waiting() < atOnce.told) continue
      judged = 0
      herald.tell()
      await turn()
    }
    herald.tell()
    const pairs = all.reduce((sum, watch) => sum + watch.pairs.size, 0)
    if (isFirst || pairs > looked) forgetUnseen(all, at)
    isFirst = false
    for (const watch of all) watch.before = undefined
    alarms.tidy(at)
    await save(at)
  }

  /** Servers that are gone or belong to somebody else now. */
  function forgetUnseen(all: readonly Watch[], at: number): void {
    const number = Math.floor(at / checkMs)
    for (const watch of all) {
      for (const [id, pair] of watch.pairs) {
        if (pair.checked === number) continue
        watch.pairs.delete(id)
        watch.isChanged = true
      }
    }
    herald.withdraw((alarm) => watched.get(alarm.rule_id)?.pairs.has(alarm.server_id) === false, at)
  }

  async function save(at: number): Promise<void> {
    for (const watch of watched.values()) {
      if (!watch.isChanged) continue
      watch.isChanged = false
      keepAlert(kept, watch)
      await turn()
    }
    if (watched.size > 0) kept.set('latest', Math.floor(at / checkMs))
    traffic.save()
    while (kept.flush()) await turn()
  }

  function checkNow(): Promise<void> {
    underWay ??= check()
      .catch((error: unknown) => log.error('Alert rules could not be checked:', error))
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }

  /** By a clock that nobody can set. @param due milliseconds of `performance.now()` */
  function waitForCheck(due: number): void {
    timer = setTimeout(
      () => {
        // By the plan, so that nothing drifts; after a sleep of the machine, from now on.
        const next = due + times.everyMs
        waitForCheck(next > performance.now() ? next : performance.now() + times.everyMs)
        void checkNow()
      },
      Math.max(0, due - performance.now()),
    )
  }

  return {
    start: () => waitForCheck(performance.now() + times.firstMs),
    async stop() {
      clearTimeout(timer)
      await underWay
    },
    check: checkNow,
    cycleTransferStats(isVisible = () => true) {
      const rows = cachedRows(servers).filter(isVisible)
      const stats = [...watched.values()].flatMap(({ alert, pairs }) => {
        const told = cycleStatsOf(alert, pairs, rows, traffic)
        return told ? [[String(alert.id), told] as const] : []
      })
      return stats.length > 0 ? Object.fromEntries(stats) : undefined
    },
  }
}

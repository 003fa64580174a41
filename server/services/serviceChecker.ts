import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Check, ProbeResult } from '../machines/hosts/probe.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { type CheckedService, createCheckedServices } from './checkedServices.ts'
import { type CheckingServer, createCoverage } from './coverage.ts'
import type { Samples } from './history/samples.ts'
import type { RecentResults } from './recentResults.ts'
import { probeOf, type ServiceRow } from './serviceRow.ts'
import type { UpOrDown } from './serviceStatus.ts'
import { statusNotification } from './statusNotification.ts'
import { createTimetable } from './timetable.ts'

export interface ServiceCheckerServices {
  store: Store
  machines: Machines
  samples: Pick<Samples, 'add'>
  notifications: Notifications
  trigger: Tasks['trigger']
  roleOf: (id: number) => number | undefined
  mayCallPrivateTargets: MayCallPrivateTargets
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** From 0 to 1. */
  random?: () => number
  /** Called when a check begins. @param lateMs how much later than planned */
  onCheck?: (lateMs: number) => void
}

/** Checks each service at its interval from the servers that cover it. */
export interface ServiceChecker {
  start(): void
  /** Aborts running checks and saves the status of all services. */
  stop(): Promise<void>
  /** Starts the checks that are due. The timer calls it ten times a second. */
  tick(): void
  /** Saves the status of the services that were checked since the last call. */
  save(): void
  /** Resolves when no check is running. */
  idle(): Promise<void>
  /** The latest results of a service; `undefined` before its first check. */
  recentResultsOf(id: number): RecentResults | undefined
  /** The status of a service; `undefined` before its first check. */
  statusOf(id: number): UpOrDown | undefined
  /** The earliest expiry of a service's certificates, in milliseconds since 1970. */
  certificateEndOf(id: number): number | undefined
}

const tickMs = 100
/** A check that takes longer has failed. */
const maxCheckMs = 10_000
/**
 * Checks at the same time. 5,000 targets that do not answer, checked every 30 s with a timeout of 10 s, are 1,700 open
 * connections. Every ping is a process, which takes more memory but waits for less time.
 */
const maxConcurrent = { http: 2048, tcp: 2048, icmp: 128 } satisfies Record<Check['type'], number>
const maxPingMs = 3000

export function createServiceChecker(services: ServiceCheckerServices): ServiceChecker {
  const { store, machines, samples, notifications, trigger, mayCallPrivateTargets, log } = services
  const { now = Date.now, onCheck = () => {} } = services
  const coverage = createCoverage(store, machines, services.roleOf)
  const timetable = createTimetable(services.random)
  const checkedServices = createCheckedServices(store)
  const concurrency = {
    http: createConcurrencyLimit(maxConcurrent.http),
    tcp: createConcurrencyLimit(maxConcurrent.tcp),
    icmp: createConcurrencyLimit(maxConcurrent.icmp),
  }
  const shutdown = new AbortController()
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function refresh(): void {
    const rows = checkedServices.refresh()
    if (!rows) return
    timetable.setIntervals(
      new Map(rows.filter(probeOf).map(({ id, duration }) => [id, Math.max(1, duration) * 1000])),
      now(),
    )
  }

  async function check(row: ServiceRow, probe: Check, checkingServer: CheckingServer, at: number): Promise<void> {
    const result = await concurrency[probe.type].run(async () => {
      if (shutdown.signal.aborted) return undefined
      onCheck(now() - at)
      const maxMs = probe.type === 'icmp' ? maxPingMs : maxCheckMs
      return checkingServer.host.probe(probe, {
        timeoutMs: Math.min(maxMs, row.duration * 1000),
        allowPrivate: mayCallPrivateTargets(row.user_id),
        signal: shutdown.signal,
      })
    })
    if (!result || shutdown.signal.aborted) return
    const current = checkedServices.get(row.id)
    // The service was deleted or changed meanwhile.
    if (!current || current.row.target !== row.target || current.row.type !== row.type) return
    handleResult(current, checkingServer, result)
  }

  function handleResult(
    { row, status, recentResults }: CheckedService,
    { row: server }: CheckingServer,
    result: ProbeResult,
  ): void {
    const at = now()
    samples.add(row.id, server.id, at, result)
    recentResults.add(result, at)
    checkedServices.markChanged(row.id)
    for (const change of status.addResult(server.id, result, { min: row.min_latency, max: row.max_latency }, at)) {
      const notification = statusNotification(row, { id: server.id, name: server.name as string }, change, at)
      if (notification) notifications.send(notification)
      if (!row.enable_trigger_task) continue
      if (change.kind === 'down') trigger(row.fail_trigger_tasks ?? [], server, row.user_id)
      if (change.kind === 'up') trigger(row.recover_trigger_tasks ?? [], server, row.user_id)
    }
  }

  function startChecks({ row, status }: CheckedService, at: number): void {
    const probe = probeOf(row)
    if (!probe) return
    const checkingServers = coverage.serversFor(row, now())
    status.setServers(new Set(checkingServers.map((checkingServer) => checkingServer.row.id)))
    for (const checkingServer of checkingServers) {
      const key = `${row.id} ${checkingServer.row.id}`
      // Skipped while the previous check is still running.
      if (running.has(key)) continue
      const run = check(row, probe, checkingServer, at)
        .catch((error: unknown) => log.error(`The service ${row.id} could not be checked:`, error))
        .finally(() => running.delete(key))
      running.set(key, run)
    }
  }

  function tick(): void {
    refresh()
    for (const { id, at } of timetable.due(now())) {
      const due = checkedServices.get(id)
      if (due) startChecks(due, at)
    }
  }

  const idle = async () => void (await Promise.all(running.values()))

  return {
    tick,
    save: checkedServices.save,
    idle,
    start() {
      timer = setInterval(() => {
        try {
          tick()
        } catch (error) {
          log.error('Services could not be checked:', error)
        }
      }, tickMs)
    },
    async stop() {
      clearInterval(timer)
      shutdown.abort()
      await idle()
      checkedServices.save()
    },
    recentResultsOf: (id) => checkedServices.get(id)?.recentResults,
    statusOf: (id) => checkedServices.get(id)?.status.saved().status ?? undefined,
    certificateEndOf(id) {
      const ends = Object.values(checkedServices.get(id)?.status.saved().certificates ?? {}).map(
        ({ expiresAt }) => expiresAt,
      )
      return ends.length > 0 ? Math.min(...ends) : undefined
    },
  }
}

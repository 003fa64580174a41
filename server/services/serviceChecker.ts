import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Check, ProbeResult } from '../machines/hosts/probe.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { untilAborted } from '../outbound/untilAborted.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { type CheckedService, createCheckedServices } from './checkedServices.ts'
import { type CheckingServer, createCoverage } from './coverage.ts'
import type { Samples } from './history/samples.ts'
import { readCertificate as readCertificateOf } from './readCertificate.ts'
import type { RecentResults, Reporter } from './recentResults.ts'
import { createRounds } from './rounds.ts'
import { probeOf, type ServiceRow } from './serviceRow.ts'
import type { StatusChange, UpOrDown } from './serviceStatus.ts'
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
  /** Looks at the certificate of a page from this server. Default: over the network. */
  readCertificate?: typeof readCertificateOf
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
  /** Why the latest check failed; it names the server where several check. `undefined` while there is no problem. */
  problemOf(id: number): string | undefined
  /** The status of a service; `undefined` before its first check. */
  statusOf(id: number): UpOrDown | undefined
  /** The earliest expiry of a service's certificates, in milliseconds since 1970. */
  certificateEndOf(id: number): number | undefined
}

const tickMs = 100
/** A check that takes longer has failed. */
const maxCheckMs = 10_000
/** Notifications about a certificate come days before it expires. */
const certificateIntervalMs = 3_600_000
const maxCertificateReads = 16

export function createServiceChecker(services: ServiceCheckerServices): ServiceChecker {
  const { store, machines, samples, notifications, trigger, mayCallPrivateTargets, log } = services
  const { now = Date.now, onCheck = () => {}, readCertificate = readCertificateOf } = services
  const coverage = createCoverage(store, machines, services.roleOf)
  const timetable = createTimetable(services.random)
  const checkedServices = createCheckedServices(store)
  const rounds = createRounds({ coverage, serviceOf: (id) => checkedServices.get(id)?.row, check: startCheck })
  const certificateLimit = createConcurrencyLimit(maxCertificateReads)
  const shutdown = new AbortController()
  // Each has its own signal: Node looks through all listeners of a signal whenever one is added or removed.
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined

  function refresh(): void {
    const rows = checkedServices.refresh()
    if (!rows) return
    timetable.setIntervals(
      new Map(rows.filter(probeOf).map(({ id, duration }) => [id, Math.max(1, duration) * 1000])),
      now(),
    )
  }

  async function check(
    row: ServiceRow,
    probe: Check,
    checkingServer: CheckingServer,
    { at, signal }: { at: number; signal: AbortSignal },
  ): Promise<void> {
    onCheck(now() - at)
    const probing = checkingServer.host.probe(probe, {
      timeoutMs: Math.min(maxCheckMs, row.duration * 1000),
      allowPrivate: mayCallPrivateTargets(row),
      signal,
    })
    // A machine that tells no result must not hold up the end of this server.
    const result = await untilAborted(probing, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (!result || signal.aborted) return
    const current = checkedServices.get(row.id)
    // The service was deleted or changed meanwhile.
    if (!current || current.row.target !== row.target || current.row.type !== row.type) return
    // The server was moved to another owner or taken off the list meanwhile, or it belongs to another service now.
    if (!coverage.checks(current.row, checkingServer.row.id)) return
    handleResult(current, checkingServer, result)
  }

  function handleResult(checked: CheckedService, { row: server }: CheckingServer, result: ProbeResult): void {
    const { row, status, recentResults } = checked
    const at = now()
    samples.add(row.id, server.id, at, result)
    const reporter = { id: server.id, name: server.name as string }
    recentResults.add(reporter, result, at)
    checkedServices.markChanged(row.id)
    const changes = status.addResult(server.id, result, { min: row.min_latency, max: row.max_latency }, at)
    notify(checked, changes, reporter, at)
    for (const { kind } of row.enable_trigger_task ? changes : []) {
      if (kind === 'down') trigger(row.fail_trigger_tasks ?? [], server, row.user_id)
      if (kind === 'up') trigger(row.recover_trigger_tasks ?? [], server, row.user_id)
    }
    const isWithoutCertificate = result.outcome !== 'not permitted' && !result.certificate
    if (isWithoutCertificate && row.type === 1 && /^https:/i.test(row.target)) void lookAtCertificate(checked, at)
  }

  function notify(
    { row, status }: CheckedService,
    changes: StatusChange[],
    reporter: Reporter | undefined,
    at: number,
  ) {
    for (const change of changes) {
      const notification = statusNotification({ service: row, reporter, change, servers: status.servers(), now: at })
      if (notification) notifications.send(notification)
    }
  }

  /** Agents do not report certificates, so this server looks at them itself, less often than they check. */
  async function lookAtCertificate(checked: CheckedService, at: number): Promise<void> {
    const { row } = checked
    if (Math.abs(at - checked.certificateReadAt) < certificateIntervalMs) return
    checked.certificateReadAt = at
    const rules = { allowPrivate: mayCallPrivateTargets(row), signal: shutdown.signal }
    const certificate = await certificateLimit.run(() => readCertificate(row.target, rules))
    const current = checkedServices.get(row.id)
    if (!certificate || shutdown.signal.aborted || current?.row.target !== row.target) return
    checkedServices.markChanged(row.id)
    notify(current, current.status.addCertificate(0, certificate, now()), undefined, now())
  }

  function startCheck(row: ServiceRow, checkingServer: CheckingServer, at: number): void {
    const probe = probeOf(row)
    const key = `${row.id} ${checkingServer.row.id}`
    // Skipped while the previous check is still running.
    if (!probe || running.has(key)) return
    const controller = new AbortController()
    const done = check(row, probe, checkingServer, { at, signal: controller.signal })
      .catch((error: unknown) => log.error(`The service ${row.id} could not be checked:`, error))
      .finally(() => running.delete(key))
    running.set(key, { controller, done })
  }

  function tick(): void {
    refresh()
    for (const { id, at } of timetable.due(now())) {
      const due = checkedServices.get(id)
      if (!due) continue
      due.status.setServers(coverage.serverIds(due.row))
      rounds.start(due.row, at, due.status.status() === null)
    }
    rounds.continueAll(now())
  }

  const idle = async () => void (await Promise.all([...running.values()].map(({ done }) => done)))

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
      for (const { controller } of running.values()) controller.abort()
      await idle()
      checkedServices.save()
    },
    recentResultsOf: (id) => checkedServices.get(id)?.recentResults,
    problemOf(id) {
      const service = checkedServices.get(id)
      const problem = service?.recentResults.problem()
      return problem && (service?.status.servers().all ?? 0) > 1
        ? `${problem.server.name}: ${problem.text}`
        : problem?.text
    },
    statusOf: (id) => checkedServices.get(id)?.status.status() ?? undefined,
    certificateEndOf(id) {
      const ends = Object.values(checkedServices.get(id)?.status.saved().certificates ?? {}).map(
        ({ expiresAt }) => expiresAt,
      )
      return ends.length > 0 ? Math.min(...ends) : undefined
    },
  }
}

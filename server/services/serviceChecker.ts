import { repeat } from '../concurrency/repeat.ts'
import { inTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Check, ProbeResult } from '../machines/hosts/probe.ts'
import type { Machines } from '../machines/machines.ts'
import type { Silences } from '../maintenance/silence.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { untilAborted } from '../outbound/untilAborted.ts'
import { messagesOf } from '../site/messages.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { type CheckedService, certificateEndOf, createCheckedServices, problemOf } from './checkedServices.ts'
import { type CheckingServer, createCoverage } from './coverage.ts'
import { createDowntime } from './downtime.ts'
import type { Samples } from './history/samples.ts'
import { type Outage, openOutages } from './outages.ts'
import { readCertificate as readCertificateOf } from './readCertificate.ts'
import type { RecentResults, Reporter } from './recentResults.ts'
import { createRounds } from './rounds.ts'
import { probeOf, type ServiceRow } from './serviceRow.ts'
import type { StatusChange, UpOrDown } from './serviceStatus.ts'
import { statusNotification } from './statusNotification.ts'
import { createTimetable, type Due } from './timetable.ts'

export interface ServiceCheckerServices {
  store: Store
  machines: Machines
  samples: Pick<Samples, 'add' | 'addDowntime'>
  notifications: Pick<Notifications, 'send'>
  trigger: Tasks['trigger']
  roleOf: (id: number) => number | undefined
  mayCallPrivateTargets: MayCallPrivateTargets
  /** Default: nothing is silent. */
  silences?: Pick<Silences, 'windows' | 'ofService'>
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** From 0 to 1. */
  random?: () => number
  /** Looks at the certificate of a page from this server. Default: over the network. */
  readCertificate?: typeof readCertificateOf
  /** Whether answers to checks wait, because this server has too much to do: no further ones are begun then. Default: no. */
  isLate?: () => boolean
  /** Called when a check begins. @param lateMs how much later than planned */
  onCheck?: (lateMs: number) => void
}

/** What was done since the start of the server. */
export interface CheckCounts {
  begun: number
  /** Those of them that began more than a second after their time. */
  late: number
  /** Milliseconds: how much later than planned they began, all together. */
  lateMs: number
  /** Those that have not ended. */
  running: number
}

/** Checks each service at its interval from the servers that cover it. */
export interface ServiceChecker {
  start(): void
  /** Aborts running checks and saves the status of all services. */
  stop(): Promise<void>
  /** Starts the checks that are due. The timer calls it ten times a second. Resolves when it has started what it can. */
  tick(): Promise<void>
  /** Saves the status of the services that were checked since the last call. */
  save(): void
  /** Calls `listener` when people are told that a service is down, or up again after that. */
  onStatus(listener: (event: StatusEvent) => void): void
  /** Resolves when no check is running, and none is being begun. */
  idle(): Promise<void>
  /** The latest results of a service; `undefined` before its first check. */
  recentResultsOf(id: number): RecentResults | undefined
  /** Why the latest check failed; it names the server where several check. `undefined` while there is no problem. */
  problemOf(id: number): string | undefined
  /** The outages of a service, latest first. */
  outagesOf(id: number): Outage[]
  /** Of all services: the outages that last, and the latest of the others. @param count how many of the others */
  recentOutages(count: number): Outage[]
  /** The status of a service; `undefined` before its first check. */
  statusOf(id: number): UpOrDown | undefined
  /** The earliest expiry of a service's certificates, in milliseconds since 1970. */
  certificateEndOf(id: number): number | undefined
  counts(): Readonly<CheckCounts>
}

/** A service is down or up again. */
export interface StatusEvent {
  service: ServiceRow
  change: Extract<StatusChange, { kind: 'down' | 'up' }>
  /** The server whose result has changed the status. */
  seenFrom: string
}

const tickMs = 100
/**
 * What is begun at a tick: checks, and rounds by the number of their servers. Each takes this server some ten
 * milliseconds, and with agents twice as long; what is left is begun a tick later.
 */
const mostOfTick = { checks: 500, servers: 10_000 } as const
/** Checks that are begun without a look at the time. */
const checksOfStep = 25
/** Milliseconds: a check is on time within a second. */
const onTimeMs = 1000
/** A check that takes longer has failed. */
const maxCheckMs = 10_000
/** Notifications about a certificate come days before it expires. */
const certificateIntervalMs = 3_600_000
const maxCertificateReads = 16

export function createServiceChecker(services: ServiceCheckerServices): ServiceChecker {
  const { store, machines, samples, notifications, trigger, mayCallPrivateTargets, silences, log } = services
  const { now = Date.now, isLate = () => false, onCheck = () => {}, readCertificate = readCertificateOf } = services
  const messages = messagesOf(store)
  const coverage = createCoverage({ store, machines, roleOf: services.roleOf, now })
  const timetable = createTimetable(services.random)
  const outages = openOutages(store, (error) => log.error('An outage could not be saved:', error))
  const downtime = createDowntime(samples)
  const checkedServices = createCheckedServices(store, (deleted) => {
    outages.remove(deleted)
    for (const id of deleted) downtime.pause(id)
  })
  const rounds = createRounds({ coverage, serviceOf: (id) => checkedServices.get(id)?.row, check: startCheck })
  const certificateLimit = createConcurrencyLimit(maxCertificateReads)
  const shutdown = new AbortController()
  const statusListeners = new Set<(event: StatusEvent) => void>()
  // Each has its own signal: Node looks through all listeners of a signal whenever one is added or removed.
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>()
  const counts = { begun: 0, late: 0, lateMs: 0 }

  function countCheck(lateMs: number): void {
    counts.begun++
    counts.lateMs += Math.max(0, lateMs)
    if (lateMs > onTimeMs) counts.late++
    onCheck(lateMs)
  }

  function refresh(): void {
    const changed = checkedServices.refresh()
    if (changed.size === 0) return
    const intervalOf = (row: ServiceRow | undefined) =>
      row && probeOf(row) ? Math.max(1, row.duration) * 1000 : undefined
    timetable.change(new Map([...changed].map(([id, row]) => [id, intervalOf(row)])), now())
  }

  async function check(
    row: ServiceRow,
    probe: Check,
    checkingServer: CheckingServer,
    { at, signal }: { at: number; signal: AbortSignal },
  ): Promise<void> {
    countCheck(now() - at)
    const probing = checkingServer.host.probe(probe, {
      timeoutMs: Math.min(maxCheckMs, row.duration * 1000),
      allowPrivate: mayCallPrivateTargets(row),
      signal,
    })
    // A machine that sends no result must not hold up the end of this server.
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
    if (isInMaintenance(row)) downtime.pause(row.id)
    if (isInMaintenance(row) || isServerInMaintenance(server.id, row)) return
    const at = now()
    samples.add(row.id, server.id, at, result)
    const reporter = { id: server.id, name: server.name }
    recentResults.add(reporter, result, at)
    checkedServices.markChanged(row.id)
    const changes = status.addResult(server.id, result, { min: row.min_latency, max: row.max_latency }, at)
    downtime.count(row, status.status() === 'down', at)
    const silenced = silences?.ofService(row.id, row.user_id) === 'muted'
    const wasSilenced = outages.silenced.has(row.id)
    recordOutage(row.id, changes, reporter, { at, silenced })
    // People who were told that it is down are told that it is up again. Mutes do not apply to certificates.
    const isNotified = ({ kind }: StatusChange) =>
      kind === 'up' ? !wasSilenced : !silenced || (kind !== 'down' && kind !== 'slow')
    notify(checked, changes.filter(isNotified), reporter, at)
    for (const { kind } of row.enable_trigger_task ? changes : []) {
      if (kind === 'down') trigger(row.fail_trigger_tasks ?? [], server, row.user_id)
      if (kind === 'up') trigger(row.recover_trigger_tasks ?? [], server, row.user_id)
    }
    const isWithoutCertificate = result.outcome !== 'not permitted' && !result.certificate
    if (isWithoutCertificate && row.type === 1 && /^https:/i.test(row.target)) void lookAtCertificate(checked, at)
  }

  const isInMaintenance = (row: ServiceRow) => silences?.windows.untilOfService(row.id, row.user_id) !== undefined

  /** The results of a server in maintenance do not count. */
  const isServerInMaintenance = (serverId: number, row: ServiceRow) =>
    silences?.windows.untilOfServer(serverId, row.user_id) !== undefined

  /** Sends the notifications of outages that last longer than their mute. */
  function endSilence(): void {
    for (const [id, { problem, server_name }] of outages.silenced) {
      const checked = checkedServices.get(id)
      if (!checked || silences?.ofService(id, checked.row.user_id)) continue
      outages.markSent(id)
      notify(checked, [{ kind: 'down', problem }], { name: server_name }, now())
    }
  }

  function recordOutage(
    id: number,
    changes: readonly StatusChange[],
    reporter: Reporter,
    { at, silenced }: { at: number; silenced: boolean },
  ): void {
    for (const change of changes) {
      if (change.kind === 'up') outages.end(id, at)
      if (change.kind !== 'down') continue
      outages.begin(id, { started_at: at, problem: change.problem, server_name: reporter.name, silenced })
    }
  }

  function notify(
    { row, status }: CheckedService,
    changes: StatusChange[],
    reporter: Parameters<typeof statusNotification>[0]['reporter'],
    at: number,
  ) {
    for (const change of changes) {
      if (change.kind === 'down' || change.kind === 'up') {
        for (const listener of statusListeners) listener({ service: row, change, seenFrom: reporter?.name ?? '' })
      }
      const reported = { service: row, reporter, change, servers: status.servers(), now: at }
      const notification = statusNotification(reported, messages)
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

  /** Begins a round. @returns how many servers it has */
  function beginRound({ id, at }: Due): number {
    const due = checkedServices.get(id)
    if (!due) return 0
    const checking = coverage.serversOf(due.row)
    const counting = checking.filter(({ row }) => !isServerInMaintenance(row.id, due.row))
    due.status.setServers(new Set(counting.map(({ row }) => row.id)))
    rounds.start(due.row, checking, at, due.status.status() === null)
    return checking.length
  }

  /** Whether what was due at an earlier tick is still being begun. */
  let isBeginning = false
  /** Resolves when what was due at the last tick is begun. */
  let begun: Promise<void> = Promise.resolve()

  /** Begins what is due: a round or some checks at each step. */
  function* begin(): Iterable<void> {
    isBeginning = true
    try {
      yield* beginRounds()
      for (let checks = 0; checks < mostOfTick.checks && !shutdown.signal.aborted; checks += checksOfStep) {
        if (rounds.continueAll(now(), checksOfStep) < checksOfStep) return
        yield
      }
    } finally {
      isBeginning = false
    }
  }

  function* beginRounds(): Iterable<void> {
    let servers = 0
    for (const due of timetable.due(now())) {
      servers += 1 + beginRound(due)
      if (servers >= mostOfTick.servers) return
      yield
      if (shutdown.signal.aborted) return
    }
  }

  async function tick(): Promise<void> {
    refresh()
    endSilence()
    if (isBeginning || isLate()) return
    begun = inTurns(begin())
    await begun
  }

  async function idle(): Promise<void> {
    // A failure is told by the tick that has it.
    await begun.catch(() => {})
    await Promise.all([...running.values()].map(({ done }) => done))
  }

  const ticks = repeat(tick, { intervalMs: tickMs, log, failure: 'Services could not be checked:' })

  return {
    tick,
    save: checkedServices.save,
    onStatus: (listener) => void statusListeners.add(listener),
    idle,
    start: ticks.start,
    async stop() {
      ticks.stop()
      shutdown.abort()
      for (const { controller } of running.values()) controller.abort()
      await idle()
      checkedServices.save()
    },
    recentResultsOf: (id) => checkedServices.get(id)?.recentResults,
    problemOf: (id) => problemOf(checkedServices.get(id)),
    outagesOf: outages.of,
    recentOutages: outages.recent,
    statusOf: (id) => checkedServices.get(id)?.status.status() ?? undefined,
    certificateEndOf: (id) => certificateEndOf(checkedServices.get(id)),
    counts: () => ({ ...counts, running: running.size }),
  }
}

import { isOwnCheck, type OwnCheck } from '../../src/schemas/checks/checks.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { parseQuorum, type Quorum } from '../../src/schemas/service.ts'
import { repeat } from '../concurrency/repeat.ts'
import { inTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { ProbeResult } from '../machines/hosts/probe.ts'
import type { Machines } from '../machines/machines.ts'
import type { Silences } from '../maintenance/silence.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { ChainLink } from '../outbound/openTls.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { messagesOf } from '../site/messages.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { readCertificate as readCertificateOf } from './certificates.ts'
import {
  type CheckedService,
  certificateEndOf,
  createCheckedServices,
  problemOf,
  type RecentResults,
  type Reporter,
} from './checkedServices.ts'
import { ownResult, reasonTextOf, type StateOf } from './checks/probeResult.ts'
import type { Pushes } from './checks/push/pushes.ts'
import { createDowntime, type Samples } from './history/serviceHistory.ts'
import { type Outage, openOutages } from './outages.ts'
import { type CheckingServer, createCoverage, createRounds } from './rounds.ts'
import { type CheckCounts, createRunningChecks } from './runningChecks.ts'
import { isCheckable, isSameCheck, readCheck, type ServiceRow } from './serviceRow.ts'
import type { StatusChange, UpOrDown } from './serviceStatus.ts'
import { createStatusNotices, type StatusNotices } from './statusNotices.ts'
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
  /** What jobs have said that report here. */
  pushes: Pushes
  /** Milliseconds since 1970. */
  now?: () => number
  /** The time by which outages are too old, where that is before the next one begins. */
  retentionNow?: () => number
  /** From 0 to 1. */
  random?: () => number
  /** Looks at the certificate of a page from this server. Default: over the network. */
  readCertificate?: typeof readCertificateOf
  /** Whether answers to checks wait, because this server has too much to do: no further ones are begun then. Default: no. */
  isLate?: () => boolean
  /** Called when a check begins. @param lateMs how much later than planned */
  onCheck?: (lateMs: number) => void
}

/** Checks each service at its interval from the servers that cover it. */
export interface ServiceChecker extends Pick<StatusNotices, 'onStatus' | 'onCertificate'> {
  start(): void
  /** Aborts running checks and saves the status of all services. */
  stop(): Promise<void>
  /** Starts the checks that are due. The timer calls it ten times a second. Resolves when it has started what it can. */
  tick(): Promise<void>
  /** Saves the status of the services that were checked since the last call. */
  save(): void
  /** The outages that last, of all services. */
  lastingOutages(): Outage[]
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
  /** The status of a service; `undefined` before its first check, and while it is paused. */
  statusOf(id: number): UpOrDown | undefined
  /** The same for groups, which do without those that are paused. */
  stateOf: StateOf
  /** Whether a service is up, and slow or down on some of the servers that check it. */
  isDegraded(id: number): boolean
  /** Looks at once at a service whose job has called. */
  lookAgain(id: number): void
  /** The earliest expiry of a service's certificates, in milliseconds since 1970. */
  certificateEndOf(id: number): number | undefined
  /**
   * The certificates that its check has seen, host by host, that of the host first; empty until a check has seen any.
   */
  chainOf(id: number): readonly ChainLink[]
  counts(): Readonly<CheckCounts>
}

const tickMs = 100
/**
 * What is begun at a tick: checks, and rounds by the number of their servers. Each takes this server some ten
 * milliseconds, and with agents twice as long; what is left is begun a tick later.
 */
const mostOfTick = { checks: 500, servers: 10_000 } as const
/** Milliseconds between two looks at a service that no machine is asked for: they cost next to nothing. */
const ownIntervalMs = 10_000
/** Servers that are asked at once whether they see a failure, too. */
const mostConfirming = 10
/** Stands for this server among the ids of servers. */
const thisConsole = 0
/** Checks that are begun without a look at the time. */
const checksOfStep = 25
/** Notifications about a certificate come days before it expires. */
const certificateIntervalMs = 3_600_000
const maxCertificateReads = 16

function ownCheckOf({ check }: ServiceRow): OwnCheck | undefined {
  const read = check ? readCheck(check) : undefined
  return read && isOwnCheck(read) ? read : undefined
}

export function createServiceChecker(services: ServiceCheckerServices): ServiceChecker {
  const { store, machines, samples, notifications, trigger, mayCallPrivateTargets, silences, log, pushes } = services
  const { now = Date.now, isLate = () => false, readCertificate = readCertificateOf } = services
  const messages = messagesOf(store)
  const reasonText = reasonTextOf(store)
  const coverage = createCoverage({ store, machines, roleOf: services.roleOf, now })
  const timetable = createTimetable(services.random)
  const outages = openOutages(
    store,
    (error) => log.error('An outage could not be saved:', error),
    services.retentionNow,
  )
  const downtime = createDowntime(samples)
  function forget(deleted: readonly number[]): void {
    outages.remove(deleted)
    for (const id of deleted) downtime.pause(id)
    pushes.remove(deleted)
  }

  const wereDown = new Set(outages.allLasting().map(({ service_id }) => service_id))
  const checkedServices = createCheckedServices(store, forget, wereDown)
  const notices = createStatusNotices({
    store,
    notifications,
    silences,
    outages,
    serviceOf: checkedServices.get,
    now,
  })
  const runningChecks = createRunningChecks({ ...services, now, takeResult })
  const rounds = createRounds({ coverage, serviceOf: (id) => checkedServices.get(id)?.row, check: runningChecks.start })
  const certificateLimit = createConcurrencyLimit(maxCertificateReads)
  const shutdown = new AbortController()
  const startedAt = now()
  const confirmedAt = new WeakMap<ServiceRow, number>()

  function refresh(): void {
    const changed = checkedServices.refresh()
    if (changed.size === 0) return
    for (const row of changed.values()) if (row?.paused) pause(row.id)
    // Its check is read when it is due: thousands at once, after a start, would take long.
    const intervalOf = (row: ServiceRow | undefined) => {
      if (!row || row.paused) return undefined
      return row.check && isOwnCheck(row.check) ? ownIntervalMs : Math.max(1, row.duration) * 1000
    }
    const checks = [...changed.values()].reduce((sum, row) => sum + (row ? coverage.mostOf(row) : 0), 0)
    timetable.change(new Map([...changed].map(([id, row]) => [id, intervalOf(row)])), now(), checks)
  }

  /** Nothing is known of a service that is paused, and nothing of it lasts. */
  function pause(id: number): void {
    if (outages.lasting(id)) outages.end(id, now())
    downtime.pause(id)
    checkedServices.get(id)?.status.forget()
    checkedServices.markChanged(id)
  }

  function takeResult(row: ServiceRow, checkingServer: CheckingServer, result: ProbeResult): void {
    const current = checkedServices.get(row.id)
    // The service was deleted, paused or changed meanwhile.
    if (!current || current.row.paused || !isSameCheck(current.row, row)) return
    // The server was moved to another owner or taken off the list meanwhile, or it belongs to another service now.
    if (!coverage.checks(current.row, checkingServer.row.id)) return
    handleResult(current, checkingServer.row, result)
  }

  function stateOf(id: number): ReturnType<StateOf> {
    const checked = checkedServices.get(id)
    return checked?.row.paused ? 'paused' : (checked?.status.status() ?? undefined)
  }

  /** What a group has of others: a service may have got another owner since it was put into it. */
  const stateFor =
    ({ user_id }: ServiceRow): StateOf =>
    (id) => {
      const owner = checkedServices.get(id)?.row.user_id
      return owner === user_id || services.roleOf(user_id) === roles.admin ? stateOf(id) : undefined
    }

  /** Looks at a service that no machine is asked for. */
  function checkHere(checked: CheckedService, ownCheck: OwnCheck): void {
    const { row, status } = checked
    if (!isCheckable(row)) return
    const since = Math.max(startedAt, Date.parse(row.created_at ?? '') || 0)
    const result = ownResult(row.id, ownCheck, { since, now: now() }, { pushes, stateOf: stateFor(row), reasonText })
    if (!result) return
    status.setServers(new Set([thisConsole]))
    handleResult(checked, undefined, result)
  }

  /** @param server `undefined` where this server knows by itself */
  function handleResult(checked: CheckedService, server: ServerRow | undefined, result: ProbeResult): void {
    const { row, status, recentResults } = checked
    if (isInMaintenance(row)) downtime.pause(row.id)
    if (isInMaintenance(row) || (server && isServerInMaintenance(server.id, row))) return
    const at = now()
    const reporter = server ? { id: server.id, name: server.name } : { id: thisConsole, name: messages('this_console') }
    samples.add(row.id, reporter.id, at, result)
    if (result.outcome !== 'not permitted' && result.chain) checked.chain = result.chain
    recentResults.add(reporter, result, at)
    checkedServices.markChanged(row.id)
    const quorum = parseQuorum(row.quorum)
    const bounds = {
      min: row.min_latency,
      max: row.max_latency,
      latencyChecks: row.latency_checks,
      ...(quorum && { quorum }),
    }
    const changes = status.addResult(reporter.id, result, bounds, at)
    if (result.outcome === 'down' && quorum && row.quorum !== '') confirm(checked, reporter.id, quorum)
    downtime.count(row, status.status() === 'down', at)
    const silenced = silences?.ofService(row.id, row.user_id) === 'muted'
    const wasSilenced = outages.silenced.has(row.id)
    const downSince = changes.some(({ kind }) => kind === 'up') ? outages.lasting(row.id)?.started_at : undefined
    recordOutage(row.id, changes, reporter, { at, silenced, result })
    // People who were told that it is down are told that it is up again. Mutes do not apply to certificates.
    const isNotified = ({ kind }: StatusChange) =>
      kind === 'up' ? !wasSilenced : !silenced || (kind !== 'down' && kind !== 'slow')
    notices.tell(checked, changes.filter(isNotified), server && reporter, { at, downSince })
    for (const { kind } of row.enable_trigger_task ? changes : []) {
      if (kind === 'down') trigger(row.fail_trigger_tasks ?? [], server, row.user_id)
      if (kind === 'up') trigger(row.recover_trigger_tasks ?? [], server, row.user_id)
    }
    if (row.check) return
    const isWithoutCertificate = result.outcome !== 'not permitted' && !result.certificate
    if (isWithoutCertificate && row.type === 1 && /^https:/i.test(row.target)) void lookAtCertificate(checked, at)
  }

  /** Has other servers check at once what has failed on one, as many as have to fail; once in an interval. */
  function confirm({ row, status }: CheckedService, failedOn: number, quorum: Quorum): void {
    const last = confirmedAt.get(row) ?? Number.NEGATIVE_INFINITY
    if (status.status() === 'down' || now() - last < row.duration * 1000) return
    confirmedAt.set(row, now())
    const others = coverage.serversOf(row).filter((one) => one.row.id !== failedOn)
    const wanted = 'count' in quorum ? quorum.count : Math.ceil(quorum.share * (others.length + 1))
    for (const other of others.slice(0, Math.min(wanted, mostConfirming))) runningChecks.start(row, other, now())
  }

  const isInMaintenance = (row: ServiceRow) => silences?.windows.untilOfService(row.id, row.user_id) !== undefined

  /** The results of a server in maintenance do not count. */
  const isServerInMaintenance = (serverId: number, row: ServiceRow) =>
    silences?.windows.untilOfServer(serverId, row.user_id) !== undefined

  function recordOutage(
    id: number,
    changes: readonly StatusChange[],
    reporter: Reporter,
    { at, silenced, result }: { at: number; silenced: boolean; result: ProbeResult },
  ): void {
    for (const change of changes) {
      if (change.kind === 'up') outages.end(id, at)
      if (change.kind !== 'down') continue
      const failure = result.outcome === 'down' ? result.failure : undefined
      outages.begin(id, { started_at: at, problem: change.problem, server_name: reporter.name, silenced, failure })
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
    notices.tell(current, current.status.addCertificate(0, certificate, now()), undefined, { at: now() })
  }

  /** Begins a round. @returns how many servers it has */
  function beginRound({ id, at }: Due): number {
    const due = checkedServices.get(id)
    if (!due || !isCheckable(due.row)) return 0
    const own = ownCheckOf(due.row)
    if (own) {
      checkHere(due, own)
      return 1
    }
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

  let isFirstTick = true

  async function tick(): Promise<void> {
    refresh()
    if (isFirstTick) notices.tellLasting()
    isFirstTick = false
    notices.endSilence()
    if (isBeginning || isLate()) return
    begun = inTurns(begin())
    await begun
  }

  async function idle(): Promise<void> {
    // A failure is told by the tick that has it.
    await begun.catch(() => {})
    await runningChecks.idle()
  }

  const ticks = repeat(tick, { intervalMs: tickMs, log, failure: 'Services could not be checked:' })

  return {
    tick,
    save: checkedServices.save,
    onStatus: notices.onStatus,
    onCertificate: notices.onCertificate,
    lastingOutages: outages.allLasting,
    idle,
    start: ticks.start,
    async stop() {
      ticks.stop()
      shutdown.abort()
      runningChecks.abort()
      await idle()
      checkedServices.save()
    },
    recentResultsOf: (id) => checkedServices.get(id)?.recentResults,
    problemOf: (id) => problemOf(checkedServices.get(id)),
    outagesOf: outages.of,
    recentOutages: outages.recent,
    stateOf,
    statusOf: (id) => checkedServices.get(id)?.status.status() ?? undefined,
    isDegraded: (id) => checkedServices.get(id)?.status.isDegraded() === true,
    lookAgain(id) {
      refresh()
      const checked = checkedServices.get(id)
      const own = checked && ownCheckOf(checked.row)
      if (own) checkHere(checked, own)
    },
    chainOf: (id) => checkedServices.get(id)?.chain ?? [],
    certificateEndOf: (id) => certificateEndOf(checkedServices.get(id)),
    counts: runningChecks.counts,
  }
}

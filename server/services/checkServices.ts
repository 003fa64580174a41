import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Check, ProbeResult } from '../machines/hosts/probe.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notices } from '../notifications/notifications.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { createWatched, type Watched } from './checkedServices.ts'
import { type Checker, createCovering } from './coverage.ts'
import type { Samples } from './history/samples.ts'
import type { Recent } from './recentResults.ts'
import { checkOf, type ServiceRow } from './serviceRow.ts'
import type { Word } from './status.ts'
import { noticeOf } from './statusNotifications.ts'
import { createTimetable } from './timetable.ts'

export interface WatchServices {
  store: Store
  machines: Machines
  samples: Pick<Samples, 'add'>
  notices: Notices
  trigger: Tasks['trigger']
  roleOf: (id: number) => number | undefined
  mayCallPrivateTargets: MayCallPrivateTargets
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** From 0 to 1. */
  random?: () => number
  /** Told of each check as it begins. @param lateMs how much later than planned */
  onCheck?: (lateMs: number) => void
}

/** Checks services from the servers that cover them, each at its interval. */
export interface ServiceWatch {
  start(): void
  /** Gives up what is under way, and keeps what is known. */
  stop(): Promise<void>
  /** Starts what is due. The timer does it ten times a second. */
  tick(): void
  /** Keeps what is known of the services that were checked since the last time. */
  save(): void
  /** Resolves when no check is under way. */
  idle(): Promise<void>
  /** The latest checks; nothing before the first. */
  recentOf(id: number): Recent | undefined
  /** What is said of a service now; nothing before the first check. */
  wordOf(id: number): Word | undefined
  /** When the first of the certificates runs out that were seen, in milliseconds since 1970. */
  certificateEndOf(id: number): number | undefined
}

const tickMs = 100
/** A check that takes longer has failed. */
const longestMs = 10_000
/**
 * Checks at once. 5,000 targets that do not answer, every 30 s for 10 s, are 1,700 open connections. A ping is a
 * process of its own, which takes memory and waits for a reply less long.
 */
const most = { http: 2048, tcp: 2048, icmp: 128 } satisfies Record<Check['type'], number>
const longestPingMs = 3000

export function createServiceWatch(services: WatchServices): ServiceWatch {
  const { store, machines, samples, notices, trigger, mayCallPrivateTargets, log } = services
  const { now = Date.now, onCheck = () => {} } = services
  const covering = createCovering(store, machines, services.roleOf)
  const timetable = createTimetable(services.random)
  const watched = createWatched(store)
  const slots = {
    http: createConcurrencyLimit(most.http),
    tcp: createConcurrencyLimit(most.tcp),
    icmp: createConcurrencyLimit(most.icmp),
  }
  const ending = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function refresh(): void {
    const rows = watched.refresh()
    if (!rows) return
    timetable.keep(new Map(rows.filter(checkOf).map(({ id, duration }) => [id, Math.max(1, duration) * 1000])), now())
  }

  async function check(asked: ServiceRow, question: Check, checker: Checker, at: number): Promise<void> {
    const result = await slots[question.type].run(async () => {
      if (ending.signal.aborted) return undefined
      onCheck(now() - at)
      const longest = question.type === 'icmp' ? longestPingMs : longestMs
      return checker.host.probe(question, {
        timeoutMs: Math.min(longest, asked.duration * 1000),
        allowPrivate: mayCallPrivateTargets(asked.user_id),
        signal: ending.signal,
      })
    })
    if (!result || ending.signal.aborted) return
    const current = watched.get(asked.id)
    // Gone meanwhile, or asks for something else.
    if (!current || current.row.target !== asked.target || current.row.type !== asked.type) return
    take(current, checker, result)
  }

  function take({ row, verdict, recent }: Watched, { row: server }: Checker, result: ProbeResult): void {
    const at = now()
    samples.add(row.id, server.id, at, result)
    recent.add(result, at)
    watched.touch(row.id)
    for (const news of verdict.take(server.id, result, { min: row.min_latency, max: row.max_latency }, at)) {
      const notice = noticeOf(row, { id: server.id, name: server.name as string }, news, at)
      if (notice) notices.send(notice)
      if (!row.enable_trigger_task) continue
      if (news.kind === 'down') trigger(row.fail_trigger_tasks ?? [], server, row.user_id)
      if (news.kind === 'up') trigger(row.recover_trigger_tasks ?? [], server, row.user_id)
    }
  }

  function begin({ row, verdict }: Watched, at: number): void {
    const question = checkOf(row)
    if (!question) return
    const checkers = covering.of(row, now())
    verdict.keepServers(new Set(checkers.map((checker) => checker.row.id)))
    for (const checker of checkers) {
      const key = `${row.id} ${checker.row.id}`
      // A check that outlasts the time to the next one must not be joined by it.
      if (underWay.has(key)) continue
      const run = check(row, question, checker, at)
        .catch((error: unknown) => log.error(`The service ${row.id} could not be checked:`, error))
        .finally(() => underWay.delete(key))
      underWay.set(key, run)
    }
  }

  function tick(): void {
    refresh()
    for (const { id, at } of timetable.due(now())) {
      const due = watched.get(id)
      if (due) begin(due, at)
    }
  }

  const idle = async () => void (await Promise.all(underWay.values()))

  return {
    tick,
    save: watched.save,
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
      ending.abort()
      await idle()
      watched.save()
    },
    recentOf: (id) => watched.get(id)?.recent,
    wordOf: (id) => watched.get(id)?.verdict.known().word ?? undefined,
    certificateEndOf(id) {
      const ends = Object.values(watched.get(id)?.verdict.known().certificates ?? {}).map(({ expiresAt }) => expiresAt)
      return ends.length > 0 ? Math.min(...ends) : undefined
    },
  }
}

import { isOwnCheck } from '../../src/schemas/checks/checks.ts'
import { createWorkQueue } from '../concurrency/workQueue.ts'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { ProbeOptions, ProbeResult } from '../machines/hosts/probe.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { untilAborted } from '../outbound/untilAborted.ts'
import { readSite } from '../site/site.ts'
import { probeByCheck, reasonTextOf, retried } from './checks/probeResult.ts'
import type { CheckingServer } from './rounds.ts'
import { isCheckable, probeOf, readCheck, type ServiceRow } from './serviceRow.ts'

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

/** The checks that servers are asked for and that have not ended: each at most once at a time. */
export interface RunningChecks {
  /** @param at when it was planned */
  start(row: ServiceRow, checkingServer: CheckingServer, at: number): void
  /** Ends those that run: nothing becomes of their results. */
  abort(): void
  /** Resolves when those have ended that run now. */
  idle(): Promise<void>
  counts(): Readonly<CheckCounts>
}

interface RunningChecksOptions {
  store: Store
  mayCallPrivateTargets: MayCallPrivateTargets
  takeResult(row: ServiceRow, checkingServer: CheckingServer, result: ProbeResult): void
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Called when a check begins. @param lateMs how much later than planned */
  onCheck?: (lateMs: number) => void
}

/** Milliseconds: a check is on time within a second. */
const onTimeMs = 1000
/** A check that takes longer has failed. */
const maxCheckMs = 10_000
/** Milliseconds that a failure may take longer than it had time. */
const stoodStillMs = 10_000

export function createRunningChecks(options: RunningChecksOptions): RunningChecks {
  const { store, mayCallPrivateTargets, takeResult, log, now, onCheck } = options
  const reasonText = reasonTextOf(store)
  const resultWork = createWorkQueue({ onError: (error) => log.error('The result of a check was lost:', error) })
  // Each has its own signal: Node looks through all listeners of a signal whenever one is added or removed.
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>()
  const counts = { begun: 0, late: 0, lateMs: 0 }

  function countCheck(lateMs: number): void {
    counts.begun++
    counts.lateMs += Math.max(0, lateMs)
    if (lateMs > onTimeMs) counts.late++
    onCheck?.(lateMs)
  }

  /** What a machine says of a service; `undefined` when it has gone before it knew. */
  async function probe(
    row: ServiceRow,
    host: Host,
    limits: Pick<ProbeOptions, 'timeoutMs' | 'signal'>,
  ): Promise<ProbeResult | undefined> {
    const userAgent = readSite(store).check_user_agent
    const options = { ...limits, allowPrivate: mayCallPrivateTargets(row), userAgent }
    const check = row.check && readCheck(row.check)
    if (check && !isOwnCheck(check)) return probeByCheck(host, { check, target: row.target }, options, reasonText)
    const plain = probeOf(row)
    return plain && host.probe(plain, options)
  }

  async function check(
    row: ServiceRow,
    checkingServer: CheckingServer,
    { at, signal }: { at: number; signal: AbortSignal },
  ): Promise<void> {
    countCheck(now() - at)
    const timeoutMs = Math.min(maxCheckMs, row.duration * 1000)
    const passedMs = stopwatch(now)
    const pauseMs = row.retry_pause * 1000
    const longestMs = timeoutMs + row.retries * (timeoutMs + pauseMs)
    const probing = retried(() => probe(row, checkingServer.host, { timeoutMs, signal }), {
      retries: row.retries,
      pauseMs,
      signal,
    })
    // A machine that sends no result must not hold up the end of this server.
    const result = await untilAborted(probing, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    // This machine has slept meanwhile, or this server stood still: the answer may have come and not been waited for.
    if (!result || (result.outcome === 'down' && passedMs() > longestMs + stoodStillMs)) return
    await inTurn(() => {
      if (!signal.aborted) takeResult(row, checkingServer, result)
    })
  }

  /** Many results come at the same moment, and that a service is down is written to the disk. */
  const inTurn = (work: () => void) =>
    new Promise<void>((resolve) => {
      resultWork.add(() => {
        resolve()
        work()
      })
    })

  return {
    start(row, checkingServer, at) {
      const key = `${row.id} ${checkingServer.row.id}`
      // Skipped while the previous check is still running.
      if (!isCheckable(row) || running.has(key)) return
      const controller = new AbortController()
      const done = check(row, checkingServer, { at, signal: controller.signal })
        .catch((error: unknown) => log.error(`The service ${row.id} could not be checked:`, error))
        .finally(() => running.delete(key))
      running.set(key, { controller, done })
    },
    abort() {
      for (const { controller } of running.values()) controller.abort()
    },
    async idle() {
      await Promise.all([...running.values()].map(({ done }) => done))
    },
    counts: () => ({ ...counts, running: running.size }),
  }
}

/** Milliseconds that pass, by the clock that goes on in a sleep of the machine or by the one that nobody sets back. */
function stopwatch(now: () => number): () => number {
  const [clock, monotonic] = [now(), performance.now()]
  return () => Math.max(now() - clock, performance.now() - monotonic)
}

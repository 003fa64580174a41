import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Bucket } from '../db/history/definition.ts'
import { type History, openHistory } from '../db/history/openHistory.ts'
import { timestamp } from '../wire/apiCall.ts'
import { openPushes, type Pushes } from './checks/push/pushes.ts'
import { createRecorder, type Recorder } from './history/recorder.ts'
import { openServerHistory, type ServerHistory } from './history/serverHistory.ts'
import {
  checkTotals,
  createServiceHistories,
  dayOf,
  openSamples,
  type Samples,
  type ServiceHistories,
} from './history/serviceHistory.ts'
import { createServiceChecker, type ServiceChecker, type ServiceCheckerServices } from './serviceChecker.ts'
import type { ServiceRow } from './serviceRow.ts'

export interface ServicesOptions extends Omit<ServiceCheckerServices, 'samples' | 'pushes'> {
  /** Where results and metrics are stored. Default: in memory. */
  history?: History
}

/** Checks services, and records their results and the metrics of servers over time. */
export interface Services {
  checker: ServiceChecker
  recorder: Recorder
  pushes: Pushes
  samples: Samples
  metrics: ServerHistory
  overview: Overview
  histories: ServiceHistories
  /** How many days the histories reach back. */
  historyDays: number
  start(): void
  /** Resolves when everything is saved. */
  stop(): Promise<void>
}

export function createServices({ history = openHistory(':memory:'), ...options }: ServicesOptions): Services {
  const { machines, now = Date.now } = options
  const samples = openSamples(history)
  const metrics = openServerHistory(history)
  const pushes = openPushes(options.store)
  const checker = createServiceChecker({ ...options, samples, pushes })
  const recorder = createRecorder({ ...options, samples, metrics, saveStatuses: checker.save })
  let unsubscribe = () => {}
  return {
    checker,
    recorder,
    pushes,
    samples,
    metrics,
    overview: createOverview(samples, checker),
    histories: createServiceHistories(samples),
    historyDays: history.days,
    start() {
      unsubscribe = machines.onReport((id, { state }) => metrics.add(id, state, now()))
      checker.start()
      recorder.start()
    },
    async stop() {
      unsubscribe()
      await checker.stop()
      await recorder.stop()
    },
  }
}

const dayMs = 86_400_000
const shownDays = 30

/** The last 30 days of a service in `GET /service`, today last (docs/contract/CONTRACT.md#511-services). */
interface Overview {
  /**
   * Reads the results of all services, day by day, so that others can work between.
   * @returns what to say of one of them; with `isOwner`, also why a check failed
   */
  read(now: number): Promise<(service: ServiceRow, isOwner: boolean) => object>
}

/** Past days do not change, so they are read once a day. */
function createOverview(
  samples: Samples,
  checker: Pick<
    ServiceChecker,
    'recentResultsOf' | 'problemOf' | 'statusOf' | 'isDegraded' | 'certificateEndOf' | 'recentOutages'
  >,
): Overview {
  let past: { today: number; byService: Promise<Map<number, Bucket[]>> } | undefined

  async function readPast(today: number): Promise<Map<number, Bucket[]>> {
    const read = new Map<number, Bucket[]>()
    const turn = takeTurns()
    for (let day = today - (shownDays - 1) * dayMs; day < today; day += dayMs) {
      addByService(read, await samples.days.all({ from: day, until: day + dayMs }))
      await turn()
    }
    return read
  }

  async function pastBuckets(today: number): Promise<Map<number, Bucket[]>> {
    if (past?.today !== today) past = { today, byService: readPast(today) }
    const { byService } = past
    return byService.catch((error: unknown) => {
      past = undefined
      throw error
    })
  }

  return {
    async read(now) {
      const today = dayOf(now)
      const pastDays = await pastBuckets(today)
      const todays = addByService(new Map(), await samples.days.all({ from: today, until: today + dayMs }))
      const downSince = new Map(checker.recentOutages(0).map(({ service_id, started_at }) => [service_id, started_at]))
      return (service, isOwner) =>
        overviewOf(service, {
          downSince: downSince.get(service.id),
          now,
          isOwner,
          buckets: [...(pastDays.get(service.id) ?? []), ...(todays.get(service.id) ?? [])],
        })
    },
  }

  function overviewOf(
    service: ServiceRow,
    { now, isOwner, buckets, downSince }: { now: number; isOwner: boolean; buckets: Bucket[]; downSince?: number },
  ) {
    const today = dayOf(now)
    const [delay, up, down] = [zeros(), zeros(), zeros()]
    for (const bucket of buckets) {
      const totals = checkTotals(bucket)
      const index = shownDays - 1 - Math.round((today - bucket.at) / dayMs)
      up[index] = totals.up
      down[index] = totals.down
      delay[index] = totals.up > 0 ? totals.delay / totals.up : 0
    }
    const recent = checker.recentResultsOf(service.id)
    const counts = recent?.counts(now) ?? { up: 0, down: 0, notPermitted: 0 }
    const problem = isOwner && !service.paused ? checker.problemOf(service.id) : undefined
    const status = checker.statusOf(service.id)
    const certificateEnd = checker.certificateEndOf(service.id)
    return {
      service_name: service.name,
      current_up: counts.up,
      current_down: counts.down,
      total_up: sum(up),
      total_down: sum(down),
      delay,
      up,
      down,
      ...(counts.notPermitted > 0 && { not_permitted: counts.notPermitted }),
      ...(status !== undefined && { state: checker.isDegraded(service.id) ? 'degraded' : status }),
      ...(service.paused && { state: 'paused' }),
      ...(status === 'down' && downSince !== undefined && { down_since: timestamp(downSince) }),
      ...(problem !== undefined && { problem }),
      ...(certificateEnd !== undefined && { certificate_expires_at: new Date(certificateEnd).toISOString() }),
    }
  }
}

const zeros = () => Array.from({ length: shownDays }, () => 0)
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** @returns `grouped`, with these buckets */
function addByService(grouped: Map<number, Bucket[]>, buckets: readonly Bucket[]): Map<number, Bucket[]> {
  for (const bucket of buckets) {
    const existing = grouped.get(bucket.one)
    if (existing) existing.push(bucket)
    else grouped.set(bucket.one, [bucket])
  }
  return grouped
}

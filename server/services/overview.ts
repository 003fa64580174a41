import type { Bucket } from '../db/history/definition.ts'
import type { Samples } from './history/samples.ts'
import { checkTotals, dayOf } from './history/samples.ts'
import type { ServiceChecker } from './serviceChecker.ts'
import type { ServiceRow } from './serviceRow.ts'

const dayMs = 86_400_000
const shownDays = 30

/** The last 30 days of a service in `GET /service`, today last (docs/contract/CONTRACT.md#511-services). */
export interface Overview {
  /** @param isOwner whether the person owns the service and so may see why a check failed */
  of(service: ServiceRow, now: number, isOwner: boolean): object
}

/** Past days do not change, so they are read once a day. */
export function createOverview(
  samples: Samples,
  checker: Pick<ServiceChecker, 'recentResultsOf' | 'problemOf' | 'statusOf' | 'certificateEndOf'>,
): Overview {
  let pastCache: { today: number; byService: Map<number, Bucket[]> } | undefined
  let todayCache: { at: number; byService: Map<number, Bucket[]> } | undefined

  function pastBuckets(today: number): Map<number, Bucket[]> {
    if (pastCache?.today !== today) {
      const range = { from: today - (shownDays - 1) * dayMs, until: today }
      pastCache = { today, byService: byService(samples.days.all(range)) }
    }
    return pastCache.byService
  }

  /** Cached by time, because one request asks for thousands of services. */
  function todaysBuckets(today: number, now: number): Map<number, Bucket[]> {
    if (todayCache?.at !== now) {
      todayCache = { at: now, byService: byService(samples.days.all({ from: today, until: today + dayMs })) }
    }
    return todayCache.byService
  }

  return {
    of(service, now, isOwner) {
      const today = dayOf(now)
      const buckets = [
        ...(pastBuckets(today).get(service.id) ?? []),
        ...(todaysBuckets(today, now).get(service.id) ?? []),
      ]
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
      const problem = isOwner ? checker.problemOf(service.id) : undefined
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
        ...(status !== undefined && { state: status }),
        ...(problem !== undefined && { problem }),
        ...(certificateEnd !== undefined && { certificate_expires_at: new Date(certificateEnd).toISOString() }),
      }
    },
  }
}

const zeros = () => Array.from({ length: shownDays }, () => 0)
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

function byService(buckets: readonly Bucket[]): Map<number, Bucket[]> {
  const grouped = new Map<number, Bucket[]>()
  for (const bucket of buckets) {
    const existing = grouped.get(bucket.one)
    if (existing) existing.push(bucket)
    else grouped.set(bucket.one, [bucket])
  }
  return grouped
}

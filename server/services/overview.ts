import type { Bucket } from '../db/history/definition.ts'
import type { ServiceWatch } from './checkServices.ts'
import type { Samples } from './history/samples.ts'
import { dayOf, tallyOf } from './history/samples.ts'
import type { ServiceRow } from './serviceRow.ts'

const dayMs = 86_400_000
/** How many days are told of a service. */
const daysShown = 30

/** The 30 days of services, today's last (`GET /service`). */
export interface Overview {
  /** @param tellsAll whether the caller owns the service, and may know why a check failed */
  of(service: ServiceRow, now: number, tellsAll: boolean): object
}

/** Days that are over do not change: reading them once a day is enough. */
export function createOverview(
  samples: Samples,
  watch: Pick<ServiceWatch, 'recentOf' | 'wordOf' | 'certificateEndOf'>,
): Overview {
  let past: { today: number; byService: Map<number, Bucket[]> } | undefined
  let present: { at: number; byService: Map<number, Bucket[]> } | undefined

  function pastDays(today: number): Map<number, Bucket[]> {
    if (past?.today !== today) {
      const range = { from: today - (daysShown - 1) * dayMs, until: today }
      past = { today, byService: byService(samples.days.all(range)) }
    }
    return past.byService
  }

  /** One list asks for thousands. */
  function presentDay(today: number, now: number): Map<number, Bucket[]> {
    if (present?.at !== now) {
      present = { at: now, byService: byService(samples.days.all({ from: today, until: today + dayMs })) }
    }
    return present.byService
  }

  return {
    of(service, now, tellsAll) {
      const today = dayOf(now)
      const buckets = [...(pastDays(today).get(service.id) ?? []), ...(presentDay(today, now).get(service.id) ?? [])]
      const [delay, up, down] = [empty(), empty(), empty()]
      for (const bucket of buckets) {
        const tally = tallyOf(bucket)
        const place = daysShown - 1 - Math.round((today - bucket.at) / dayMs)
        up[place] = tally.up
        down[place] = tally.down
        delay[place] = tally.up > 0 ? tally.delay / tally.up : 0
      }
      const recent = watch.recentOf(service.id)
      const counts = recent?.counts(now) ?? { up: 0, down: 0, notPermitted: 0 }
      const problem = tellsAll ? recent?.problem() : undefined
      const word = watch.wordOf(service.id)
      const end = watch.certificateEndOf(service.id)
      return {
        service_name: service.name,
        current_up: counts.up,
        current_down: counts.down,
        total_up: total(up),
        total_down: total(down),
        delay,
        up,
        down,
        ...(counts.notPermitted > 0 && { not_permitted: counts.notPermitted }),
        ...(word !== undefined && { state: word }),
        ...(problem !== undefined && { problem }),
        ...(end !== undefined && { certificate_expires_at: new Date(end).toISOString() }),
      }
    },
  }
}

const empty = () => Array.from({ length: daysShown }, () => 0)
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

function byService(buckets: readonly Bucket[]): Map<number, Bucket[]> {
  const found = new Map<number, Bucket[]>()
  for (const bucket of buckets) {
    const known = found.get(bucket.one)
    if (known) known.push(bucket)
    else found.set(bucket.one, [bucket])
  }
  return found
}

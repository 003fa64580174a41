import { createTimeHeap } from '../concurrency/timeHeap.ts'

/** Plans repeated work by id. Times are milliseconds since 1970. */
export interface Timetable {
  /**
   * Sets the intervals of some ids, in ms; `undefined` takes one off. An id with an unchanged interval keeps its next
   * time.
   * @param checks how many checks those of `intervals` are together. Default: one each
   */
  change(intervals: ReadonlyMap<number, number | undefined>, now: number, checks?: number): void
  /**
   * What is due, oldest first. Several missed times of one id, as after a sleep of the machine, count once. What nobody
   * has taken stays due.
   */
  due(now: number): Iterable<Due>
}

export interface Due {
  id: number
  /** The planned time. */
  at: number
}

interface Entry extends Due {
  interval: number
  /** The next time without jitter, so that nothing drifts. */
  planned: number
}

/** Random share of the interval, so that equal intervals do not always coincide. */
export const jitterShare = 0.1
/** Milliseconds for each new id: a single one starts immediately, thousands are spread over their interval. */
const startSpreadMs = 10
/** Milliseconds for each check of several new ones: twice as long as one through an agent takes this server. */
const checkSpreadMs = 2
/** When the clock is set back by more than this, everything is planned anew. */
const clockSetBackMs = 60_000

/** @param random from 0 to 1 */
export function createTimetable(random = Math.random): Timetable {
  const entries = new Map<number, Entry>()
  /** Also entries that were replaced, until their time comes. */
  const heap = createTimeHeap<Entry>()
  let lastCall = Number.NEGATIVE_INFINITY

  function plan(changed: ReadonlyMap<number, number>, now: number, checks = changed.size): void {
    const spreadMs = Math.max(changed.size * startSpreadMs, changed.size > 1 ? checks * checkSpreadMs : 0)
    for (const [id, interval] of changed) {
      const at = now + random() * Math.min(interval, spreadMs)
      const entry = { id, interval, planned: at, at }
      entries.set(id, entry)
      heap.add(entry)
    }
  }

  function advance(entry: Entry, now: number): void {
    const missed = Math.max(0, Math.floor((now - entry.planned) / entry.interval))
    entry.planned += (missed + 1) * entry.interval
    entry.at = entry.planned + random() * jitterShare * entry.interval
  }

  return {
    change(intervals, now, checks) {
      const changed = new Map<number, number>()
      for (const [id, interval] of intervals) {
        if (interval === undefined) entries.delete(id)
        else if (entries.get(id)?.interval !== interval) changed.set(id, interval)
      }
      plan(changed, now, checks)
    },
    *due(now) {
      if (now < lastCall - clockSetBackMs) {
        const intervals = new Map([...entries.values()].map(({ id, interval }) => [id, interval]))
        heap.clear()
        plan(intervals, now)
      }
      lastCall = now
      for (let first = heap.first(); first && first.at <= now; first = heap.first()) {
        if (entries.get(first.id) !== first) {
          heap.removeFirst()
          continue
        }
        const due = { id: first.id, at: first.at }
        advance(first, now)
        heap.firstMoved()
        yield due
      }
    },
  }
}

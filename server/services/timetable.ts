/** Plans repeated work by id. Times are milliseconds since 1970. */
export interface Timetable {
  /** Replaces all ids and their intervals in ms. An id with an unchanged interval keeps its next time. */
  setIntervals(intervals: ReadonlyMap<number, number>, now: number): void
  /** What is due, oldest first. Several missed times of one id, as after a sleep of the machine, count once. */
  due(now: number): Due[]
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
const jitterShare = 0.1
/** Milliseconds for each new id: a single one starts immediately, thousands are spread over their interval. */
const startSpreadMs = 10
/** When the clock is set back by more than this, everything is planned anew. */
const clockSetBackMs = 60_000

/** @param random from 0 to 1 */
export function createTimetable(random = Math.random): Timetable {
  let entries = new Map<number, Entry>()
  let heap: Entry[] = []
  let lastCall = Number.NEGATIVE_INFINITY

  const newEntry = (id: number, interval: number, now: number, newCount: number): Entry => {
    const at = now + random() * Math.min(interval, newCount * startSpreadMs)
    return { id, interval, planned: at, at }
  }

  function advance(entry: Entry, now: number): void {
    const missed = Math.max(0, Math.floor((now - entry.planned) / entry.interval))
    entry.planned += (missed + 1) * entry.interval
    entry.at = entry.planned + random() * jitterShare * entry.interval
  }

  function plan(intervals: ReadonlyMap<number, number>, now: number): void {
    const isNew = ([id, interval]: [number, number]) => entries.get(id)?.interval !== interval
    const newCount = [...intervals].filter(isNew).length
    const next = new Map<number, Entry>()
    for (const [id, interval] of intervals) {
      const existing = entries.get(id)
      next.set(id, existing?.interval === interval ? existing : newEntry(id, interval, now, newCount))
    }
    entries = next
    heap = [...entries.values()].sort((a, b) => a.at - b.at)
  }

  return {
    setIntervals: plan,
    due(now) {
      if (now < lastCall - clockSetBackMs) {
        const intervals = new Map([...entries.values()].map(({ id, interval }) => [id, interval]))
        entries = new Map()
        plan(intervals, now)
      }
      lastCall = now
      const due: Due[] = []
      for (let first = heap[0]; first && first.at <= now; first = heap[0]) {
        due.push({ id: first.id, at: first.at })
        advance(first, now)
        siftDown(heap)
      }
      return due
    },
  }
}

/** Restores a binary heap after the time of its first entry was increased. A sorted list is a valid heap. */
function siftDown(heap: Entry[]): void {
  const moved = heap[0] as Entry
  let index = 0
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
    const isRight = right !== undefined && right.at < (left as Entry).at
    const sooner = isRight ? right : left
    if (!sooner || sooner.at >= moved.at) break
    heap[index] = sooner
    index = 2 * index + (isRight ? 2 : 1)
  }
  heap[index] = moved
}

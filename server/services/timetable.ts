/** When what is due again and again. Times are milliseconds since 1970. */
export interface Timetable {
  /** Takes these ids with their intervals in ms, and no others. One whose interval is as it was keeps its place. */
  keep(intervals: ReadonlyMap<number, number>, now: number): void
  /** What has come due, the longest waiting first. What was missed, as while the machine slept, comes once. */
  due(now: number): Due[]
}

export interface Due {
  id: number
  /** When it should have been. */
  at: number
}

interface Entry extends Due {
  interval: number
  /** Without the jitter, so that nothing drifts. */
  planned: number
}

/** Of the interval: checks of the same length do not all fall on the same moment for ever. */
const jitter = 0.1
/** Milliseconds for each that comes new: one starts at once, thousands spread over their interval. */
const spread = 10
/** A clock that goes back this far was wrong before; everything is planned anew. */
const setBackMs = 60_000

/** @param random from 0 to 1 */
export function createTimetable(random = Math.random): Timetable {
  let entries = new Map<number, Entry>()
  let heap: Entry[] = []
  let lastAsked = Number.NEGATIVE_INFINITY

  const enter = (id: number, interval: number, now: number, crowd: number): Entry => {
    const at = now + random() * Math.min(interval, crowd * spread)
    return { id, interval, planned: at, at }
  }

  function advance(entry: Entry, now: number): void {
    const missed = Math.max(0, Math.floor((now - entry.planned) / entry.interval))
    entry.planned += (missed + 1) * entry.interval
    entry.at = entry.planned + random() * jitter * entry.interval
  }

  function plan(intervals: ReadonlyMap<number, number>, now: number): void {
    const isNew = ([id, interval]: [number, number]) => entries.get(id)?.interval !== interval
    const crowd = [...intervals].filter(isNew).length
    const next = new Map<number, Entry>()
    for (const [id, interval] of intervals) {
      const known = entries.get(id)
      next.set(id, known?.interval === interval ? known : enter(id, interval, now, crowd))
    }
    entries = next
    heap = [...entries.values()].sort((a, b) => a.at - b.at)
  }

  return {
    keep: plan,
    due(now) {
      if (now < lastAsked - setBackMs) {
        const intervals = new Map([...entries.values()].map(({ id, interval }) => [id, interval]))
        entries = new Map()
        plan(intervals, now)
      }
      lastAsked = now
      const due: Due[] = []
      for (let first = heap[0]; first && first.at <= now; first = heap[0]) {
        due.push({ id: first.id, at: first.at })
        advance(first, now)
        sink(heap)
      }
      return due
    },
  }
}

/** Puts the first of a heap where it belongs, after its time has moved on. A sorted list is a heap. */
function sink(heap: Entry[]): void {
  const moved = heap[0] as Entry
  let place = 0
  for (;;) {
    const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
    const isRight = right !== undefined && right.at < (left as Entry).at
    const sooner = isRight ? right : left
    if (!sooner || sooner.at >= moved.at) break
    heap[place] = sooner
    place = 2 * place + (isRight ? 2 : 1)
  }
  heap[place] = moved
}

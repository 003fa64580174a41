/** Something to send to a provider, again and again until it is taken or there have been enough tries. */
export interface Job {
  /** Jobs of one lane share its places. */
  lane: number
  /** Two jobs for one domain are never sent at once. */
  domain: string
  /** What is sent; a job with another content takes the place of one that waits. */
  content: string
  /** Tries at most. */
  limit: number
}

export interface Outcome {
  ok: boolean
  /** Why not. */
  words: string
  /** Trying again is of no use. */
  isFinal?: boolean
}

export interface Waiting {
  content: string
  tries: number
  /** Of the last try. */
  words: string
}

interface QueueOptions<J extends Job> {
  /** Sends once; never rejects. */
  send(job: J): Promise<Outcome>
  /** It was taken, or given up. */
  ended(key: string, job: J, outcome: Outcome, tries: number): void
  /** Milliseconds since 1970. */
  now: () => number
}

/** Jobs by key, one for each. */
export interface Queue<J extends Job> {
  /**
   * Takes a job: in place of an older one that waits, or after the one that is being sent. The same again changes
   * nothing.
   */
  put(key: string, job: J): void
  /** The job is due now, with all its tries. */
  hurry(key: string): void
  /** It is not to be sent any more. */
  drop(key: string): void
  get(key: string): Waiting | undefined
  keys(): Iterable<string>
  /** Sends what is due, as far as there are places. */
  start(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** Sends nothing any more; resolves when nothing is being sent. */
  stop(): Promise<void>
}

interface Entry<J> {
  job: J
  tries: number
  words: string
  /** Milliseconds since 1970. */
  dueAt: number
  isBeingSent?: boolean
  /** What is to follow the one that is being sent; `null` for nothing at all. */
  next?: J | null
}

const places = 16
/** One slow provider must not hold up the others. */
const placesInLane = 4

/** Before the second try, then twice as long each time. */
const firstPauseMs = 5000
const longestPauseMs = 300_000

export function createQueue<J extends Job>({ send, ended, now }: QueueOptions<J>): Queue<J> {
  const lanes = new Map<number, Map<string, Entry<J>>>()
  const entries = new Map<string, Entry<J>>()
  const busyDomains = new Set<string>()
  const sending = new Map<number, number>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  function enter(key: string, job: J): void {
    const entry = { job, tries: 0, words: '', dueAt: now() }
    const lane = lanes.get(job.lane) ?? new Map<string, Entry<J>>()
    lanes.set(job.lane, lane.set(key, entry))
    entries.set(key, entry)
  }

  function leave(key: string, { job: { lane } }: Entry<J>): void {
    entries.delete(key)
    lanes.get(lane)?.delete(key)
    if (lanes.get(lane)?.size === 0) lanes.delete(lane)
  }

  async function run(key: string, entry: Entry<J>): Promise<void> {
    const { job } = entry
    const outcome = await send(job)
    entry.isBeingSent = false
    entry.tries++
    busyDomains.delete(job.domain)
    const others = (sending.get(job.lane) ?? 1) - 1
    if (others > 0) sending.set(job.lane, others)
    else sending.delete(job.lane)
    settle(key, entry, outcome)
  }

  function settle(key: string, entry: Entry<J>, outcome: Outcome): void {
    const { job, tries, next } = entry
    const isOver = outcome.ok || outcome.isFinal || tries >= job.limit
    if (next === undefined && !isOver) {
      entry.words = outcome.words
      entry.dueAt = now() + Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs)
      return
    }
    leave(key, entry)
    // What a newer one replaces is told of only when it has changed something.
    if (next !== null && (next === undefined || outcome.ok)) ended(key, job, outcome, tries)
    if (next) enter(key, next)
  }

  function start(): void {
    for (const [lane, waiting] of lanes) {
      for (const [key, entry] of waiting) {
        if (running.size >= places || isStopped) return
        if ((sending.get(lane) ?? 0) >= placesInLane) break
        if (entry.isBeingSent || entry.dueAt > now() || busyDomains.has(entry.job.domain)) continue
        sending.set(lane, (sending.get(lane) ?? 0) + 1)
        busyDomains.add(entry.job.domain)
        entry.isBeingSent = true
        const sent = run(key, entry).finally(() => {
          running.delete(sent)
          start()
        })
        running.add(sent)
      }
    }
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
  }

  return {
    start,
    idle,
    stop() {
      isStopped = true
      return idle()
    },
    put(key, job) {
      const entry = entries.get(key)
      if (!entry) enter(key, job)
      else if (entry.job.content === job.content) {
        entry.job = { ...job }
        entry.next = undefined
      } else if (entry.isBeingSent) entry.next = job
      else {
        leave(key, entry)
        enter(key, job)
      }
    },
    hurry(key) {
      const entry = entries.get(key)
      if (!entry || entry.isBeingSent) return
      entry.tries = 0
      entry.dueAt = now()
    },
    drop(key) {
      const entry = entries.get(key)
      if (entry?.isBeingSent) entry.next = null
      else if (entry) leave(key, entry)
    },
    get: (key) => {
      const entry = entries.get(key)
      return entry && { content: (entry.next ?? entry.job).content, tries: entry.tries, words: entry.words }
    },
    keys: () => entries.keys(),
  }
}

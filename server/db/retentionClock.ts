import { repeat } from '../concurrency/repeat.ts'
import type { Log } from '../log.ts'
import type { Store } from './store.ts'

/**
 * The time by which history is judged as too old. It is that of the machine, unless its clock has jumped: then it goes on
 * from the time before the jump, so that a wrong clock deletes nothing (docs/decisions/history-storage.md).
 */
export interface RetentionClock {
  /** Milliseconds since 1970. Never later than the clock of the machine. */
  now(): number
  /** Looks at the clocks now and then, and stores the time for the next start. */
  start(): void
  stop(): void
}

interface RetentionClockOptions {
  store: Pick<Store, 'value' | 'setValue'>
  log: Log
  /** The clock of the machine, in milliseconds since 1970. */
  now: () => number
  /** Milliseconds of a clock that nobody sets. */
  monotonicNow: () => number
}

export const retentionLimits = {
  /**
   * Milliseconds by which the clock may differ from what has passed since the last look. Clocks that are kept by NTP
   * differ by seconds, and each look begins anew.
   */
  jumpMs: 3_600_000,
  /** The same since the time that was stored last, at a start: a server may be off for days. */
  offMs: 7 * 86_400_000,
  /**
   * Milliseconds after which a clock that still differs counts as right. A day is long enough for NTP or an operator to
   * set it, and history that is kept a day longer takes little room.
   */
  pauseMs: 86_400_000,
} as const

const lookMs = 600_000

export const retentionKey = 'retention clock'

/** What is stored for the next start. */
export interface StoredRetention {
  /** Milliseconds since 1970. */
  time: number
  pause?: RetentionPause
}

interface RetentionPause {
  /** Milliseconds for which it has lasted. */
  ms: number
  /** Milliseconds by which the clock of the machine was ahead when it began; below 0 when it was behind. */
  ahead: number
}

const isoTime = (at: number) => new Date(at).toISOString()

/** @returns a clock that has looked once, and has written to the log if it is ahead */
export function createRetentionClock({ store, log, now, monotonicNow }: RetentionClockOptions): RetentionClock {
  const stored = store.value<StoredRetention>(retentionKey)
  let time = stored?.time ?? now()
  let pause = stored?.pause
  let limit: number = pause ? retentionLimits.jumpMs : retentionLimits.offMs
  let lookedAt = monotonicNow()

  function look(): number {
    const [wall, monotonic] = [now(), monotonicNow()]
    const passed = monotonic - lookedAt
    lookedAt = monotonic
    time += passed
    if (pause) pause = { ...pause, ms: pause.ms + passed }
    const ahead = wall - time
    if (Math.abs(ahead) <= limit) follow(wall, 'The clock is right again: history is deleted by its age as before.')
    else if (!pause || ahead > pause.ahead + retentionLimits.jumpMs) begin(wall, ahead)
    else if (pause.ms >= retentionLimits.pauseMs)
      follow(
        wall,
        `The clock counts as right after a day at ${isoTime(wall)}: history is deleted by its age as before.`,
      )
    return Math.min(time, wall)
  }

  function follow(wall: number, text: string): void {
    if (pause && pause.ahead > 0) log.info(text)
    time = wall
    pause = undefined
    limit = retentionLimits.jumpMs
  }

  /** A jump within a pause begins it anew. A clock that is behind deletes nothing, and needs no words. */
  function begin(wall: number, ahead: number): void {
    pause = { ms: 0, ahead }
    if (ahead < 0) return
    log.warn(
      `The clock says ${isoTime(wall)}, and by what has passed it is about ${isoTime(time)}: history that only seems ` +
        'too old is kept for 24 hours. If the clock is wrong, set it, and let the machine keep it with NTP; if it is ' +
        'right, as after a long time off, do nothing.',
    )
  }

  look()
  const looks = repeat(
    () => {
      look()
      store.setValue(retentionKey, { time, ...(pause && { pause }) } satisfies StoredRetention)
    },
    { intervalMs: lookMs, log, failure: 'The time by which history is kept could not be saved:' },
  )
  return { now: look, start: looks.start, stop: looks.stop }
}

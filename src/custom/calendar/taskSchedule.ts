import { CronError } from '../../domain/cron/cronError.ts'
import { parseCron } from '../../domain/cron/cronExpression.ts'
import { nextRun } from '../../domain/cron/cronRuns.ts'

const minuteMs = 60_000

/** Milliseconds that the calendar shows. */
export const calendarLength = 48 * 3_600_000

/** Runs of a task that are listed one by one: every half hour. Of a task with more, only the time that they fill. */
export const maxStarts = 96

/** Milliseconds. Runs that follow each other faster lie on one another when they are drawn. */
const bandGap = 20 * minuteMs

/** Runs that are drawn as one, from the first to the last, in milliseconds since 1970; both are the same for one run. */
export interface RunSpan {
  from: number
  to: number
}

/** When a task runs in the time that the calendar shows. */
export type TaskSchedule =
  | {
      kind: 'clock'
      /** Milliseconds since 1970; the first `maxStarts` of them. */
      starts: readonly number[]
      /** Whether there are more than `maxStarts`. */
      isFrequent: boolean
      spans: readonly RunSpan[]
    }
  /** Counted from when the task was saved or the server started. Neither is known here: its times are unknown. */
  | { kind: 'every'; seconds: number; spans: readonly RunSpan[] }
  | { kind: 'invalid'; error: CronError }

/**
 * When a task runs in the 48 hours after a moment.
 *
 * @param after milliseconds since 1970
 * @param zone the server's own zone, for an expression that names none
 */
export function taskSchedule(scheduler: string, after: number, zone: string): TaskSchedule {
  const end = after + calendarLength
  try {
    const expression = parseCron(scheduler)
    if (expression.kind === 'every') {
      const { seconds } = expression
      return { kind: 'every', seconds, spans: seconds * 1000 <= bandGap ? [{ from: after, to: end }] : [] }
    }
    const starts: number[] = []
    const spans: RunSpan[] = []
    let isFrequent = false
    let at = nextRun(expression, after, zone)
    while (at !== undefined && at <= end) {
      if (starts.length < maxStarts) starts.push(at)
      else isFrequent = true
      const last = spans.at(-1)
      if (last && at - last.to <= bandGap) last.to = at
      else spans.push({ from: at, to: at })
      // A task that runs every second has 172,800 runs: what is drawn of it is right to some minutes.
      at = nextRun(expression, isFrequent ? at + bandGap / 2 : at, zone)
    }
    return { kind: 'clock', starts, isFrequent, spans }
  } catch (error) {
    if (error instanceof CronError) return { kind: 'invalid', error }
    throw error
  }
}

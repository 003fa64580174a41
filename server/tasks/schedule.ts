import { CronError, type CronExpression, parseCron } from '../../src/domain/cron/cronExpression.ts'
import { nextRun } from '../../src/domain/cron/cronRuns.ts'

export interface ScheduledTask {
  id: number
  /** Its cron expression. */
  scheduler: string
}

/** The times of scheduled tasks, in milliseconds since 1970. */
export interface Schedule {
  /** Replaces all tasks. One with an unchanged expression keeps its next time. */
  setTasks(tasks: readonly ScheduledTask[], now: number): void
  /**
   * The tasks that are due, each once: several missed runs, as after a sleep of the machine, count as one. The next
   * time is computed from the planned one, so that nothing drifts.
   */
  due(now: number): number[]
}

interface Entry {
  scheduler: string
  expression: CronExpression
  /** `undefined` when there is no further run. */
  next: number | undefined
}

/** When the clock is set back by more than this, all times are computed anew: runs of the same hour come only once. */
const clockSetBackMs = 3_600_000

/** @param zone time zone of expressions that do not name one */
export function createSchedule(zone: string): Schedule {
  let entries = new Map<number, Entry>()
  let lastCall = Number.NEGATIVE_INFINITY

  function entryFor({ id, scheduler }: ScheduledTask, now: number): Entry | undefined {
    const existing = entries.get(id)
    if (existing?.scheduler === scheduler) return existing
    const expression = tryParseCron(scheduler)
    return expression && { scheduler, expression, next: nextRun(expression, now, zone) }
  }

  return {
    setTasks(tasks, now) {
      const entryById = tasks.map((task) => [task.id, entryFor(task, now)] as const)
      entries = new Map(entryById.filter((pair): pair is [number, Entry] => pair[1] !== undefined))
    },
    due(now) {
      const wasSetBack = now < lastCall - clockSetBackMs
      lastCall = now
      const ids: number[] = []
      for (const [id, entry] of entries) {
        if (wasSetBack || isBeyondInterval(entry, now)) entry.next = nextRun(entry.expression, now, zone)
        if (entry.next === undefined || entry.next > now) continue
        ids.push(id)
        entry.next = nextAfter(entry.expression, entry.next, now, zone)
      }
      return ids
    },
  }
}

/** Whether an interval would be longer than it is: however little the clock was set back, none passes without a run. */
const isBeyondInterval = ({ expression, next = 0 }: Entry, now: number): boolean =>
  expression.kind !== 'clock' && next > now + expression.seconds * 1000

function nextAfter(expression: CronExpression, due: number, now: number, zone: string): number | undefined {
  if (expression.kind === 'clock') return nextRun(expression, Math.max(due, now), zone)
  const intervalMs = expression.seconds * 1000
  return due + (Math.floor((now - due) / intervalMs) + 1) * intervalMs
}

/** An invalid expression that an earlier version accepted never runs. */
function tryParseCron(scheduler: string): CronExpression | undefined {
  try {
    return parseCron(scheduler)
  } catch (error) {
    if (error instanceof CronError) return undefined
    throw error
  }
}

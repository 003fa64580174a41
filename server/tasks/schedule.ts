import { CronError } from '../../src/schemas/cron/cronError.ts'
import { type CronExpression, parseCron } from '../../src/schemas/cron/cronExpression.ts'
import { nextRun } from '../../src/schemas/cron/cronRuns.ts'

export interface ScheduledTask {
  id: number
  /** Its cron expression. */
  scheduler: string
}

/** When which task is due. Times are milliseconds since 1970. */
export interface Schedule {
  /** Takes these tasks and no others. One whose expression is as it was keeps its place. */
  keep(tasks: readonly ScheduledTask[], now: number): void
  /**
   * The tasks whose time has come, each once: runs that were missed while the machine slept count as one. What comes
   * next follows from when a run was due, not from when it was asked for, so nothing drifts.
   */
  due(now: number): number[]
}

interface Entry {
  scheduler: string
  expression: CronExpression
  /** `undefined` when it never comes. */
  next: number | undefined
}

/** A clock that goes back this far was wrong before; what is due is worked out anew. */
const setBackMs = 3_600_000

/** @param zone by whose clocks expressions run that name no zone */
export function createSchedule(zone: string): Schedule {
  let entries = new Map<number, Entry>()
  let lastAsked = Number.NEGATIVE_INFINITY

  function entryFor({ id, scheduler }: ScheduledTask, now: number): Entry | undefined {
    const known = entries.get(id)
    if (known?.scheduler === scheduler) return known
    const expression = readable(scheduler)
    return expression && { scheduler, expression, next: nextRun(expression, now, zone) }
  }

  return {
    keep(tasks, now) {
      const kept = tasks.map((task) => [task.id, entryFor(task, now)] as const)
      entries = new Map(kept.filter((pair): pair is [number, Entry] => pair[1] !== undefined))
    },
    due(now) {
      const wasSetBack = now < lastAsked - setBackMs
      lastAsked = now
      const ids: number[] = []
      for (const [id, entry] of entries) {
        if (wasSetBack) entry.next = nextRun(entry.expression, now, zone)
        if (entry.next === undefined || entry.next > now) continue
        ids.push(id)
        entry.next = following(entry.expression, entry.next, now, zone)
      }
      return ids
    },
  }
}

function following(expression: CronExpression, due: number, now: number, zone: string): number | undefined {
  if (expression.kind === 'clock') return nextRun(expression, Math.max(due, now), zone)
  const distance = expression.seconds * 1000
  return due + (Math.floor((now - due) / distance) + 1) * distance
}

/** What an earlier version has let in stays as it is, and does not run. */
function readable(scheduler: string): CronExpression | undefined {
  try {
    return parseCron(scheduler)
  } catch (error) {
    if (error instanceof CronError) return undefined
    throw error
  }
}

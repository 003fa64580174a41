import type { CronError } from '../../domain/cron/cronError.ts'
import { minuteOf, type TaskOverlap, taskOverlaps } from './taskOverlaps.ts'
import { calendarLength, type TaskSchedule, taskSchedule } from './taskSchedule.ts'

/** What the calendar needs of a row of the list of tasks. */
export interface TaskRow {
  id: number
  name: string
  task_type?: number
  scheduler?: string
  cover?: number
  servers?: readonly number[] | null
}

/** The name of a task, or its number for lack of one. */
export const nameOf = ({ id, name }: TaskRow): string => name || `#${id}`

/** A task that can be drawn. */
export interface CalendarRow {
  task: TaskRow
  schedule: Exclude<TaskSchedule, { kind: 'invalid' }>
  /** Those of its runs that overlap with another task on a server, in milliseconds since 1970. */
  overlapping: readonly number[]
}

/** The next 48 hours of all tasks. Times are milliseconds since 1970. */
export interface TaskCalendar {
  from: number
  to: number
  /** Tasks that run in this time, the next to run first; those at unknown times last. */
  rows: readonly CalendarRow[]
  /** Tasks that do not. */
  later: readonly TaskRow[]
  /** Tasks whose expression cannot be read. */
  invalid: readonly { task: TaskRow; error: CronError }[]
  /** How many tasks run only when an alert triggers them. */
  triggered: number
  overlaps: readonly TaskOverlap[]
}

/**
 * Plans the 48 hours after a moment. Tasks with more runs than are listed one by one are not looked at for overlaps:
 * a check that runs every minute would overlap with everything.
 *
 * @param servers ids of all servers
 * @param now milliseconds since 1970
 * @param zone the server's time zone
 */
export function taskCalendar(
  tasks: readonly TaskRow[],
  servers: readonly number[],
  now: number,
  zone: string,
): TaskCalendar {
  const scheduled = tasks.filter(({ task_type = 0 }) => task_type === 0)
  const schedules = new Map<string, TaskSchedule>()
  const rows: Omit<CalendarRow, 'overlapping'>[] = []
  const later: TaskRow[] = []
  const invalid: { task: TaskRow; error: CronError }[] = []
  for (const task of scheduled) {
    const { scheduler = '' } = task
    const schedule = schedules.get(scheduler) ?? taskSchedule(scheduler, now, zone)
    schedules.set(scheduler, schedule)
    if (schedule.kind === 'invalid') invalid.push({ task, error: schedule.error })
    else if (schedule.kind === 'clock' && schedule.starts.length === 0) later.push(task)
    else rows.push({ task, schedule })
  }
  const compared = rows.flatMap(({ task, schedule }) =>
    schedule.kind === 'clock' && !schedule.isFrequent ? [{ ...task, starts: schedule.starts }] : [],
  )
  const overlaps = taskOverlaps(compared, servers)
  const minutes = overlapMinutes(overlaps)
  const drawn = rows.map((row): CalendarRow => {
    const ofTask = minutes.get(row.task.id)
    const starts = row.schedule.kind === 'clock' && ofTask ? row.schedule.starts : []
    return { ...row, overlapping: starts.filter((start) => ofTask?.has(minuteOf(start))) }
  })
  const first = ({ schedule }: CalendarRow) => (schedule.kind === 'clock' ? schedule.starts[0] : undefined) ?? Infinity
  const byNextRun = (a: CalendarRow, b: CalendarRow) =>
    first(a) === first(b) ? a.task.name.localeCompare(b.task.name) : first(a) - first(b)
  return {
    from: now,
    to: now + calendarLength,
    rows: drawn.sort(byNextRun),
    later,
    invalid,
    triggered: tasks.length - scheduled.length,
    overlaps,
  }
}

/** The minutes in which a task overlaps with others, by its id. */
function overlapMinutes(overlaps: readonly TaskOverlap[]): ReadonlyMap<number, ReadonlySet<number>> {
  const minutes = new Map<number, Set<number>>()
  for (const { tasks, times } of overlaps) {
    for (const task of tasks) minutes.set(task, new Set([...(minutes.get(task) ?? []), ...times]))
  }
  return minutes
}

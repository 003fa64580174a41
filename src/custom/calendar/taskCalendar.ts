import { CronError, parseCron } from '../../domain/cron/cronExpression.ts'
import { nextRun } from '../../domain/cron/cronRuns.ts'
import { coverAlarmed, coverOnly } from '../../schemas/cron.ts'

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

export const minuteMs = 60_000

/** Milliseconds that the calendar shows. */
const calendarLength = 48 * 3_600_000

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
type TaskSchedule =
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
function taskSchedule(scheduler: string, after: number, zone: string): TaskSchedule {
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

/** The minute of a run, in milliseconds since 1970. */
const minuteOf = (at: number): number => Math.floor(at / minuteMs) * minuteMs

/** A task with its runs, and the servers that it runs on: see `taskCover`. */
export interface PlannedTask {
  id: number
  cover?: number
  servers?: readonly number[] | null
  /** Milliseconds since 1970. */
  starts: readonly number[]
}

/** Tasks that start in the same minute on the same servers. */
export interface TaskOverlap {
  tasks: readonly number[]
  servers: readonly number[]
  /** The minutes, in milliseconds since 1970. */
  times: readonly number[]
}

/** Servers that the same tasks list, and therefore the same tasks cover. */
interface ServerClass {
  listedBy: ReadonlySet<PlannedTask>
  servers: number[]
}

/**
 * Which tasks start in the same minute on a server, each combination of tasks and servers once, the earliest first. How
 * long a task runs is not in the list of tasks.
 */
function taskOverlaps(tasks: readonly PlannedTask[], servers: readonly number[]): TaskOverlap[] {
  const classes = serverClasses(tasks, servers)
  const overlaps = new Map<string, TaskOverlap & { times: number[] }>()
  /** Many minutes have the same tasks. */
  const found = new Map<string, SharedServers[]>()
  for (const [minute, starting] of [...startsByMinute(tasks)].sort(([a], [b]) => a - b)) {
    if (starting.size < 2) continue
    const startingTasks = [...starting]
    const key = startingTasks.map(({ id }) => id).join()
    const groups = found.get(key) ?? sharedServers(startingTasks, classes)
    found.set(key, groups)
    for (const { key: group, tasks: shared, servers: on } of groups) {
      const overlap = overlaps.get(group)
      if (overlap) overlap.times.push(minute)
      else overlaps.set(group, { tasks: shared, servers: on, times: [minute] })
    }
  }
  return [...overlaps.values()]
}

function startsByMinute(tasks: readonly PlannedTask[]): Map<number, Set<PlannedTask>> {
  const minutes = new Map<number, Set<PlannedTask>>()
  for (const task of tasks) {
    for (const start of task.starts) {
      const minute = minuteOf(start)
      const starting = minutes.get(minute) ?? new Set()
      minutes.set(minute, starting.add(task))
    }
  }
  return minutes
}

/** Of 10,000 servers most are in no list: they are looked at as one. */
function serverClasses(tasks: readonly PlannedTask[], servers: readonly number[]): ServerClass[] {
  const listedBy = new Map<number, Set<PlannedTask>>()
  for (const task of tasks) {
    for (const server of task.servers ?? []) listedBy.set(server, (listedBy.get(server) ?? new Set()).add(task))
  }
  const classes = new Map<string, ServerClass>()
  for (const server of servers) {
    const listing = listedBy.get(server) ?? new Set<PlannedTask>()
    const key = [...listing].map(({ id }) => id).join()
    const serverClass = classes.get(key)
    if (serverClass) serverClass.servers.push(server)
    else classes.set(key, { listedBy: listing, servers: [server] })
  }
  return [...classes.values()]
}

/** Tasks that run on the same servers. */
interface SharedServers {
  /** The same for the same tasks and servers. */
  key: string
  tasks: number[]
  servers: number[]
}

/** Which of these tasks run on the same servers: sets of two and more, with their servers. */
function sharedServers(tasks: readonly PlannedTask[], classes: readonly ServerClass[]): SharedServers[] {
  const shared = new Map<string, SharedServers>()
  for (const [index, { listedBy, servers }] of classes.entries()) {
    const running = tasks.filter((task) => runsOn(task, listedBy.has(task))).map(({ id }) => id)
    if (running.length < 2) continue
    const group = shared.get(running.join()) ?? { key: `${running} on`, tasks: running, servers: [] }
    shared.set(running.join(), group)
    group.key += ` ${index}`
    group.servers.push(...servers)
  }
  return [...shared.values()]
}

/** Whether a task runs on a server that it lists, or does not list. Nobody knows before where an alert triggers one. */
const runsOn = ({ cover = coverOnly }: PlannedTask, isListed: boolean): boolean =>
  cover !== coverAlarmed && (cover === coverOnly ? isListed : !isListed)

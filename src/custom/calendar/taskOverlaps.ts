import { coverAlarmed, coverOnly } from '../../schemas/cron.ts'

/** Milliseconds. How long a task runs is not in the list of tasks: those that start in one minute overlap. */
const minuteMs = 60_000

/** The minute of a run, in milliseconds since 1970. */
export const minuteOf = (at: number): number => Math.floor(at / minuteMs) * minuteMs

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

/** Which tasks start in the same minute on a server, each combination of tasks and servers once, the earliest first. */
export function taskOverlaps(tasks: readonly PlannedTask[], servers: readonly number[]): TaskOverlap[] {
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

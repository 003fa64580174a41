/** What starts a task: its schedule, somebody, or an alert rule or service. */
export type TaskRunCause = 'schedule' | 'manual' | 'trigger'

/** A run of a task on one server. Times are milliseconds since 1970. */
export interface TaskRun {
  id: number
  /** The id of the first of the runs that were started together. */
  execution_id: number
  task_id: number
  /** Owner of the task when it was started. */
  owner_id: number
  server_id: number
  server_name: string
  cause: TaskRunCause
  /** As in `src/schemas/endpoints/taskRunEndpoints.ts`, as are `reason` and `exit_code`. */
  state: 'running' | 'succeeded' | 'failed' | 'offline' | 'lost'
  reason: string | null
  exit_code: number | null
  started_at: number
  /** `null` while it is running. */
  ended_at: number | null
  /** Bytes of its output. */
  output_bytes: number
  /** Whether the beginning of its output is missing. */
  truncated: boolean
  /** Whether its output was deleted to make room. */
  output_deleted: boolean
}

/** How a run ended. */
export interface TaskRunEnd extends Pick<TaskRun, 'state' | 'reason' | 'exit_code' | 'truncated'> {
  output: string
}

/** What is kept of runs (docs/decisions/limits.md#what-is-recorded-and-what-runs). */
export const taskRunLimits = {
  /** Of a task: runs that were started together count as one. */
  executions: 50,
  /** Runs of all tasks, not counting those that have not ended. */
  runs: 200_000,
  /** Bytes: the end of the output of one run, and all output of a task and of all tasks. */
  outputBytes: 64 * 1024,
  taskOutputBytes: 16 * 1024 * 1024,
  allOutputBytes: 512 * 1024 * 1024,
  /** Bytes of output that wait in memory while the disk is full. */
  unsavedOutputBytes: 16 * 1024 * 1024,
} as const

export type TaskRunLimits = { readonly [Name in keyof typeof taskRunLimits]: number }

/** Bytes of output for each of the runs that are started together: less where they are thousands. */
export const outputBytesOfEach = (runs: number) =>
  Math.min(taskRunLimits.outputBytes, Math.floor(taskRunLimits.taskOutputBytes / Math.max(1, runs)))

/**
 * All runs, counted by task, server and owner as they come and go: what a further run costs does not depend on how many
 * there are.
 */
export interface CountedRuns {
  /** Adds a run, whether it has ended or not. */
  add(run: TaskRun): void
  /** To be called when a run that was added has its end. */
  ended(run: TaskRun): void
  remove(run: TaskRun): void
  /** To be called when the output of a run is no longer kept. */
  outputDeleted(run: TaskRun): void
  /**
   * Goes through what has to be deleted to stay within the limits. Both functions have to take what they get off the
   * counts, by `remove` and `outputDeleted`.
   */
  applyLimits(on: { run: (run: TaskRun) => void; output: (run: TaskRun) => void }): void
  /** By id. */
  ofTask(task: number): Iterable<TaskRun>
  /** By id. */
  ofServer(server: number): Iterable<TaskRun>
  /** The ids of all tasks that have runs. */
  tasks(): Iterable<number>
}

/** Output that counts together against a limit. What ended first comes first, and goes first. */
interface Outputs {
  outputs: Set<TaskRun>
  outputBytes: number
}

interface OfTask extends Outputs {
  /** By id. */
  runs: Set<TaskRun>
  /** The ids of its latest executions, as many as are kept. */
  executions: number[]
}

interface OfOwner extends Outputs {
  /** Runs that have ended. What ended first comes first, and goes first. */
  ended: Set<TaskRun>
}

export function createCountedRuns(limits: TaskRunLimits): CountedRuns {
  const byTask = new Map<number, OfTask>()
  const byOwner = new Map<number, OfOwner>()
  const byServer = new Map<number, Set<TaskRun>>()
  const all = { ended: 0, outputBytes: 0 }
  /** Runs that have ended, of executions that are no longer kept. */
  const tooOld = new Set<TaskRun>()
  /** Tasks with more output than is kept. */
  const tooLarge = new Set<OfTask>()

  function taskOf({ task_id }: TaskRun): OfTask {
    return getOrAdd(byTask, task_id, () => ({ runs: new Set(), executions: [], outputs: new Set(), outputBytes: 0 }))
  }

  function ownerOf({ owner_id }: TaskRun): OfOwner {
    return getOrAdd(byOwner, owner_id, () => ({ ended: new Set(), outputs: new Set(), outputBytes: 0 }))
  }

  function countExecution(task: OfTask, { execution_id }: TaskRun): void {
    if (task.executions.at(-1) === execution_id) return
    task.executions.push(execution_id)
    if (task.executions.length <= limits.executions) return
    task.executions.shift()
    const oldest = task.executions[0] ?? 0
    for (const run of task.runs) {
      if (run.execution_id >= oldest) break
      // A run that has not ended stays until it has.
      if (run.ended_at !== null) tooOld.add(run)
    }
  }

  function ended(run: TaskRun): void {
    const [task, owner] = [taskOf(run), ownerOf(run)]
    all.ended++
    owner.ended.add(run)
    if (run.execution_id < (task.executions[0] ?? 0)) tooOld.add(run)
    if (run.output_bytes === 0 || run.output_deleted) return
    all.outputBytes += run.output_bytes
    for (const share of [task, owner]) {
      share.outputs.add(run)
      share.outputBytes += run.output_bytes
    }
    if (task.outputBytes > limits.taskOutputBytes) tooLarge.add(task)
  }

  function outputDeleted(run: TaskRun): void {
    const [task, owner] = [taskOf(run), ownerOf(run)]
    if (!owner.outputs.has(run)) return
    all.outputBytes -= run.output_bytes
    for (const share of [task, owner]) {
      share.outputs.delete(run)
      share.outputBytes -= run.output_bytes
    }
  }

  function remove(run: TaskRun): void {
    outputDeleted(run)
    const [task, owner] = [taskOf(run), ownerOf(run)]
    if (owner.ended.delete(run)) all.ended--
    task.runs.delete(run)
    tooOld.delete(run)
    const ofServer = byServer.get(run.server_id)
    ofServer?.delete(run)
    if (ofServer?.size === 0) byServer.delete(run.server_id)
    if (task.runs.size === 0) byTask.delete(run.task_id)
    if (owner.ended.size === 0) byOwner.delete(run.owner_id)
  }

  /** From the person with the most, so that the runs of one person do not push out those of others. */
  function takeFromLargest(
    isTooMuch: () => boolean,
    sizeOf: (owner: OfOwner) => number,
    take: (owner: OfOwner) => void,
  ): void {
    while (isTooMuch()) {
      let [largest, next]: (OfOwner | undefined)[] = []
      for (const owner of byOwner.values()) {
        if (!largest || sizeOf(owner) > sizeOf(largest)) [largest, next] = [owner, largest]
        else if (!next || sizeOf(owner) > sizeOf(next)) next = owner
      }
      if (!largest || sizeOf(largest) === 0) return
      const nextSize = next ? sizeOf(next) : 0
      while (isTooMuch() && sizeOf(largest) > 0 && sizeOf(largest) >= nextSize) take(largest)
    }
  }

  return {
    add(run) {
      const task = taskOf(run)
      task.runs.add(run)
      getOrAdd(byServer, run.server_id, () => new Set()).add(run)
      countExecution(task, run)
      if (run.ended_at !== null) ended(run)
    },
    ended,
    remove,
    outputDeleted,
    applyLimits(on) {
      for (const run of tooOld) on.run(run)
      takeFromLargest(
        () => all.ended > limits.runs,
        ({ ended }) => ended.size,
        ({ ended }) => on.run(firstOf(ended)),
      )
      for (const task of tooLarge) {
        while (task.outputBytes > limits.taskOutputBytes) on.output(firstOf(task.outputs))
      }
      tooLarge.clear()
      takeFromLargest(
        () => all.outputBytes > limits.allOutputBytes,
        ({ outputBytes }) => outputBytes,
        ({ outputs }) => on.output(firstOf(outputs)),
      )
    },
    ofTask: (task) => byTask.get(task)?.runs ?? [],
    ofServer: (server) => byServer.get(server) ?? [],
    tasks: () => byTask.keys(),
  }
}

const firstOf = (runs: ReadonlySet<TaskRun>) => runs.values().next().value as TaskRun

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = create()
  map.set(key, created)
  return created
}

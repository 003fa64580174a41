import type { TaskRun } from './taskRun.ts'

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
 * What has to be deleted to stay within the limits.
 * @param runs the oldest first
 */
export function beyondLimits(
  runs: readonly TaskRun[],
  limits: TaskRunLimits,
): { runs: readonly TaskRun[]; outputs: readonly TaskRun[] } {
  const ended = runs.filter(({ ended_at }) => ended_at !== null)
  const byTask = [...Map.groupBy(runs, ({ task_id }) => task_id).values()]
  const tooOld = new Set(byTask.flatMap((ofTask) => oldExecutions(ofTask, limits.executions)))
  const recent = ended.filter((run) => !tooOld.has(run))
  const tooMany = new Set(largestShares(recent, recent.length - limits.runs, () => 1))
  const withOutput = recent.filter((run) => !tooMany.has(run) && run.output_bytes > 0 && !run.output_deleted)
  const tooLarge = new Set(
    [...Map.groupBy(withOutput, ({ task_id }) => task_id).values()].flatMap((ofTask) =>
      oldest(ofTask, outputBytes(ofTask) - limits.taskOutputBytes),
    ),
  )
  const rest = withOutput.filter((run) => !tooLarge.has(run))
  const excess = largestShares(rest, outputBytes(rest) - limits.allOutputBytes, ({ output_bytes }) => output_bytes)
  return { runs: [...tooOld, ...tooMany], outputs: [...tooLarge, ...excess] }
}

/** Those of all executions but the latest; a run that has not ended stays. */
function oldExecutions(ofTask: readonly TaskRun[], count: number): TaskRun[] {
  const executions = [...new Set(ofTask.map(({ execution_id }) => execution_id))]
  const old = new Set(executions.slice(0, Math.max(0, executions.length - count)))
  return ofTask.filter((run) => run.ended_at !== null && old.has(run.execution_id))
}

/** The oldest runs whose output has so many bytes together. */
function oldest(runs: readonly TaskRun[], bytes: number): TaskRun[] {
  let rest = bytes
  return runs.filter(({ output_bytes }) => {
    const isExcess = rest > 0
    if (isExcess) rest -= output_bytes
    return isExcess
  })
}

/** The oldest of the person with the most, so that the runs of one person do not push out those of others. */
function largestShares(runs: readonly TaskRun[], excess: number, sizeOf: (run: TaskRun) => number): TaskRun[] {
  if (excess <= 0) return []
  const shares = [...Map.groupBy(runs, ({ owner_id }) => owner_id).values()].map((ofOwner) => ({
    next: ofOwner.values(),
    size: ofOwner.reduce((sum, run) => sum + sizeOf(run), 0),
  }))
  const removed: TaskRun[] = []
  for (let rest = excess; rest > 0; ) {
    const largest = shares.reduce((one, other) => (other.size > one.size ? other : one))
    const { value } = largest.next.next()
    if (!value) break
    removed.push(value)
    largest.size -= sizeOf(value)
    rest -= sizeOf(value)
  }
  return removed
}

const outputBytes = (runs: readonly TaskRun[]) => runs.reduce((sum, run) => sum + run.output_bytes, 0)

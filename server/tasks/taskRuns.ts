import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import type { TaskRun, TaskRunEnd } from './taskRun.ts'
import { beyondLimits, type TaskRunLimits, taskRunLimits } from './taskRunLimits.ts'

/** The runs of all tasks: what they did in memory, their output on the disk (docs/decisions/task-runs.md). */
export interface TaskRuns {
  /** Adds a run on each of these servers. Those that are offline have ended at once. */
  begin(
    execution: Pick<TaskRun, 'task_id' | 'owner_id' | 'cause' | 'started_at'>,
    servers: readonly { id: number; name: string; isOffline: boolean }[],
  ): TaskRun[]
  /** @param read returns the output so far */
  setLiveOutput(run: TaskRun, read: () => string): void
  /** Has no effect when the task was deleted meanwhile. @param at milliseconds since 1970 */
  end(run: TaskRun, end: TaskRunEnd, at: number): void
  get(id: number): TaskRun | undefined
  output(run: TaskRun): string
  /** The latest first. */
  ofTask(task: number): TaskRun[]
  /** The latest first. */
  ofServer(server: number): TaskRun[]
  /** Deletes the runs of tasks that no longer exist. */
  keepTasks(exists: (task: number) => boolean): void
  /** Applies the limits, and writes what is still in memory. */
  flush(): void
}

/** The name of the value that holds the next id, so that none is given twice. */
const nextIdKey = 'next task run id'

interface StoredOutput {
  id: number
  output: string
}

interface Options {
  /** Called when runs cannot be saved. They are written with the next change. */
  onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  now?: () => number
  limits?: TaskRunLimits
}

export function openTaskRuns(store: Store, { onFailure, now = Date.now, limits = taskRunLimits }: Options): TaskRuns {
  const table = store.table<TaskRun>(runTable)
  // Apart, because all rows of the other table are read at the start.
  const outputs = store.table<StoredOutput>({ name: 'task_output', columns: [{ name: 'output', type: 'TEXT' }] })
  /** By id, the oldest first. */
  const runs = new Map<number, TaskRun>()
  const saved = new Set<number>()
  const changed = new Set<TaskRun>()
  const removed = new Set<number>()
  const unsavedOutputs = new Map<number, string>()
  const liveOutputs = new Map<number, () => string>()
  const writer = writeBehind(write, onFailure)
  for (const run of table.all()) {
    runs.set(run.id, run)
    saved.add(run.id)
    // A run that had not ended when this server ended has no result.
    if (run.ended_at === null) change(run, { state: 'lost', reason: 'restart', ended_at: now() })
  }
  let nextId = Math.max(store.value<number>(nextIdKey) ?? 1, ...lastOf(runs.keys()).map((id) => id + 1))

  function change(run: TaskRun, values: Partial<TaskRun>): void {
    Object.assign(run, values)
    changed.add(run)
    writer.schedule()
  }

  function remove(run: TaskRun): void {
    runs.delete(run.id)
    changed.delete(run)
    unsavedOutputs.delete(run.id)
    liveOutputs.delete(run.id)
    if (saved.delete(run.id)) removed.add(run.id)
    writer.schedule()
  }

  function applyLimits(): void {
    const excess = beyondLimits([...runs.values()], limits)
    for (const run of excess.runs) remove(run)
    for (const run of excess.outputs) change(run, { output_deleted: true })
  }

  function write(): void {
    applyLimits()
    const withoutOutput = [...changed].filter(({ output_deleted }) => output_deleted).map(({ id }) => id)
    for (const id of withoutOutput) unsavedOutputs.delete(id)
    try {
      store.transaction(() => {
        if (removed.size > 0) table.remove([...removed])
        if (removed.size + withoutOutput.length > 0) outputs.remove([...removed, ...withoutOutput])
        for (const run of changed) saved.has(run.id) ? table.update(run.id, run) : table.insert(run)
        for (const [id, output] of unsavedOutputs) outputs.insert({ id, output })
        store.setValue(nextIdKey, nextId)
      })
    } catch (error) {
      dropUnsavedOutputs()
      throw error
    }
    for (const { id } of changed) saved.add(id)
    for (const set of [changed, removed, unsavedOutputs]) set.clear()
  }

  /** While the disk is full, the oldest output goes before it fills the memory. */
  function dropUnsavedOutputs(): void {
    const waiting = [...unsavedOutputs.keys()].flatMap((id) => runs.get(id) ?? [])
    let bytes = waiting.reduce((sum, run) => sum + run.output_bytes, 0)
    for (const run of waiting) {
      if (bytes <= limits.unsavedOutputBytes) return
      bytes -= run.output_bytes
      unsavedOutputs.delete(run.id)
      run.output_deleted = true
    }
  }

  const latestFirst = (belongs: (run: TaskRun) => boolean) => [...runs.values()].filter(belongs).reverse()

  return {
    begin(execution, servers) {
      const execution_id = nextId
      return servers.map(({ id: server_id, name: server_name, isOffline }) => {
        const run: TaskRun = {
          ...{ ...nothingYet, ...execution, execution_id, server_id, server_name },
          id: nextId++,
          ...(isOffline && { state: 'offline', ended_at: execution.started_at }),
        }
        runs.set(run.id, run)
        change(run, {})
        return run
      })
    },
    setLiveOutput: (run, read) => void liveOutputs.set(run.id, read),
    end(run, { output, ...end }, at) {
      if (!runs.has(run.id)) return
      liveOutputs.delete(run.id)
      if (output) unsavedOutputs.set(run.id, output)
      change(run, { ...end, ended_at: at, output_bytes: Buffer.byteLength(output) })
    },
    get: (id) => runs.get(id),
    output: ({ id }) => liveOutputs.get(id)?.() ?? unsavedOutputs.get(id) ?? outputs.get(id)?.output ?? '',
    ofTask: (task) => latestFirst(({ task_id }) => task_id === task),
    ofServer: (server) => latestFirst(({ server_id }) => server_id === server),
    keepTasks(exists) {
      for (const run of runs.values()) if (!exists(run.task_id)) remove(run)
    },
    flush: writer.flush,
  }
}

const runTable = {
  name: 'task_run',
  columns: [
    { name: 'execution_id', type: 'INTEGER' },
    { name: 'task_id', type: 'INTEGER' },
    { name: 'owner_id', type: 'INTEGER' },
    { name: 'server_id', type: 'INTEGER' },
    { name: 'server_name', type: 'TEXT' },
    { name: 'cause', type: 'TEXT' },
    { name: 'state', type: 'TEXT' },
    { name: 'reason', type: 'TEXT' },
    { name: 'exit_code', type: 'INTEGER' },
    { name: 'started_at', type: 'INTEGER' },
    { name: 'ended_at', type: 'INTEGER' },
    { name: 'output_bytes', type: 'INTEGER' },
    { name: 'truncated', type: 'FLAG' },
    { name: 'output_deleted', type: 'FLAG' },
  ],
} as const

const nothingYet = {
  state: 'running',
  reason: null,
  exit_code: null,
  ended_at: null,
  output_bytes: 0,
  truncated: false,
  output_deleted: false,
} as const

const lastOf = (ids: Iterable<number>): number[] => [...ids].slice(-1)

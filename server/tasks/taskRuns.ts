import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import { createCountedRuns, type TaskRun, type TaskRunEnd, type TaskRunLimits, taskRunLimits } from './taskRun.ts'

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
  /** Writes what is still in memory. */
  flush(): void
}

/**
 * What is written at once, so that an execution on ten thousand servers holds others up for some milliseconds at a time:
 * rows, and the bytes of their output.
 */
const partOfWrite = { rows: 500, outputBytes: 1024 * 1024 } as const

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
  const runs = new Map<number, TaskRun>()
  const counted = createCountedRuns(limits)
  const saved = new Set<number>()
  const changed = new Set<TaskRun>()
  /** What has to be deleted from the disk: the bytes of its output, by id. */
  const removed = new Map<number, number>()
  const unsavedOutputs = new Map<number, string>()
  const liveOutputs = new Map<number, () => string>()
  const writer = writeBehind(write, onFailure, { isLeft: () => removed.size + changed.size > 0 })
  let nextId = store.value<number>(nextIdKey) ?? 1
  for (const run of table.all()) {
    runs.set(run.id, run)
    saved.add(run.id)
    // A run that had not ended when this server ended has no result.
    if (run.ended_at === null) change(run, { state: 'lost', reason: 'restart', ended_at: now() })
    counted.add(run)
    nextId = Math.max(nextId, run.id + 1)
  }
  applyLimits()

  function change(run: TaskRun, values: Partial<TaskRun>): void {
    Object.assign(run, values)
    changed.add(run)
    writer.schedule()
  }

  function remove(run: TaskRun): void {
    runs.delete(run.id)
    counted.remove(run)
    changed.delete(run)
    unsavedOutputs.delete(run.id)
    liveOutputs.delete(run.id)
    if (saved.delete(run.id)) removed.set(run.id, run.output_bytes)
    writer.schedule()
  }

  function applyLimits(): void {
    counted.applyLimits({ run: remove, output: deleteOutput })
  }

  function deleteOutput(run: TaskRun): void {
    counted.outputDeleted(run)
    unsavedOutputs.delete(run.id)
    change(run, { output_deleted: true })
  }

  function write(): void {
    const removedNow = partOf(removed, ([, bytes]) => bytes).map(([id]) => id)
    // Deleting comes first: it makes room.
    const changedNow = removedNow.length < removed.size ? [] : partOf(changed, ({ output_bytes }) => output_bytes)
    const withoutOutput = changedNow.filter(({ output_deleted }) => output_deleted).map(({ id }) => id)
    try {
      store.transaction(() => {
        if (removedNow.length > 0) table.remove(removedNow)
        if (removedNow.length + withoutOutput.length > 0) outputs.remove([...removedNow, ...withoutOutput])
        for (const run of changedNow) {
          saved.has(run.id) ? table.update(run.id, run) : table.insert(run)
          const output = unsavedOutputs.get(run.id)
          if (output !== undefined) outputs.insert({ id: run.id, output })
        }
        store.setValue(nextIdKey, nextId)
      })
    } catch (error) {
      dropUnsavedOutputs()
      throw error
    }
    for (const id of removedNow) removed.delete(id)
    for (const run of changedNow) {
      changed.delete(run)
      saved.add(run.id)
      unsavedOutputs.delete(run.id)
    }
  }

  /** While the disk is full, the oldest output goes before it fills the memory. */
  function dropUnsavedOutputs(): void {
    const waiting = [...unsavedOutputs.keys()].flatMap((id) => runs.get(id) ?? [])
    let bytes = waiting.reduce((sum, run) => sum + run.output_bytes, 0)
    for (const run of waiting) {
      if (bytes <= limits.unsavedOutputBytes) return
      bytes -= run.output_bytes
      deleteOutput(run)
    }
  }

  return {
    begin(execution, servers) {
      const execution_id = nextId
      const begun = servers.map(({ id: server_id, name: server_name, isOffline }) => {
        const run: TaskRun = {
          ...nothingYet,
          ...execution,
          execution_id,
          server_id,
          server_name,
          id: nextId++,
          ...(isOffline && { state: 'offline', ended_at: execution.started_at }),
        }
        runs.set(run.id, run)
        counted.add(run)
        change(run, {})
        return run
      })
      applyLimits()
      return begun
    },
    setLiveOutput: (run, read) => void liveOutputs.set(run.id, read),
    end(run, { output, ...end }, at) {
      if (!runs.has(run.id)) return
      liveOutputs.delete(run.id)
      if (output) unsavedOutputs.set(run.id, output)
      change(run, { ...end, ended_at: at, output_bytes: Buffer.byteLength(output) })
      counted.ended(run)
      applyLimits()
    },
    get: (id) => runs.get(id),
    output: ({ id }) => liveOutputs.get(id)?.() ?? unsavedOutputs.get(id) ?? outputs.get(id)?.output ?? '',
    ofTask: (task) => [...counted.ofTask(task)].reverse(),
    ofServer: (server) => [...counted.ofServer(server)].reverse(),
    keepTasks(exists) {
      for (const task of counted.tasks()) {
        if (exists(task)) continue
        for (const run of counted.ofTask(task)) remove(run)
      }
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

/** The first of these rows: as many as are written at once. */
function partOf<Row>(rows: Iterable<Row>, outputBytesOf: (row: Row) => number): Row[] {
  const part: Row[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += outputBytesOf(row)
    if (part.length === partOfWrite.rows || (part.length > 0 && bytes > partOfWrite.outputBytes)) break
    part.push(row)
  }
  return part
}

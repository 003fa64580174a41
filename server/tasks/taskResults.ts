import type { TaskResult } from '../../src/schemas/endpoints/taskResult.ts'
import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import type { RunResult } from '../machines/hosts/host.ts'

export type { TaskResult }

/** What the last run of each task did on each server, saved for restarts. */
export interface TaskResults {
  /** A new run replaces the results of the one before. */
  begin(task: number): void
  set(task: number, result: TaskResult): void
  /** The most urgent results of a task, and how many there are. */
  of(task: number): { total: number; results: TaskResult[] }
  /** Deletes the results of tasks that no longer exist. */
  keepTasks(exists: (task: number) => boolean): void
  /** Writes what is still in memory. */
  flush(): void
}

/** Characters of output for each server, and for all servers of a task together. */
export const outputLimits = { each: 1000, all: 250_000 } as const
/** Servers with a result of one task. Those of a task that only runs where an alarm was raised add up. */
const maxServers = 10_000
/** Results in one reply: of thousands nobody reads more. */
const maxShown = 500

interface ResultRow {
  id: number
  task_id: number
  /** `TaskResult[]` as JSON. */
  results: string
}

export function openTaskResults(store: Store, onFailure: (error: unknown) => void): TaskResults {
  const columns = [
    { name: 'task_id', type: 'INTEGER', unique: true },
    { name: 'results', type: 'TEXT' },
  ] as const
  const { saved, save } = keyedRows<ResultRow, number>(
    store,
    { name: 'task_result', columns },
    ({ task_id }) => task_id,
  )
  const byTask = new Map([...saved].map(([task, { results }]) => [task, readSaved(results)]))
  const changed = new Set<number>()
  const writer = writeBehind(write, onFailure)

  function write(): void {
    save(
      [...changed].map((task) => {
        const results = byTask.get(task)
        return [task, results && { task_id: task, results: JSON.stringify([...results.values()]) }] as const
      }),
    )
    changed.clear()
  }

  function markChanged(task: number): void {
    changed.add(task)
    writer.schedule()
  }

  return {
    begin(task) {
      byTask.set(task, new Map())
      markChanged(task)
    },
    set(task, { output = '', ...result }) {
      const results = byTask.get(task) ?? new Map<number, TaskResult>()
      // Again at the end, so that the oldest is first.
      results.delete(result.server_id)
      const [oldest] = results.keys()
      if (results.size >= maxServers && oldest !== undefined) results.delete(oldest)
      const length = Math.min(outputLimits.each, Math.floor(outputLimits.all / (results.size + 1)))
      results.set(result.server_id, { ...result, ...(output && { output: output.slice(-length) }) })
      byTask.set(task, results)
      markChanged(task)
    },
    of(task) {
      const results = [...(byTask.get(task)?.values() ?? [])]
      return { total: results.length, results: results.sort(byUrgency).slice(0, maxShown) }
    },
    keepTasks(exists) {
      for (const task of byTask.keys()) {
        if (exists(task)) continue
        byTask.delete(task)
        markChanged(task)
      }
    },
    flush: writer.flush,
  }
}

/** What a run leaves as its result. */
export function resultOf(result: RunResult): Pick<TaskResult, 'state' | 'reason' | 'exit_code' | 'output'> {
  const output = result.output.trim()
  if (result.ended === 'lost') return { state: 'lost', output }
  if (result.ended === 'aborted') return { state: 'failed', reason: 'killed', output }
  if (result.ended !== 'exited') {
    return { state: 'failed', reason: result.ended === 'timeout' ? 'timeout' : 'not_started', output }
  }
  if (result.exitCode === 0) return { state: 'succeeded', output }
  if (result.exitCode === null) return { state: 'failed', reason: 'killed', output }
  return { state: 'failed', reason: 'exit_code', exit_code: result.exitCode, output }
}

/** A run that was not over when this server ended has no result. */
function readSaved(text: string): Map<number, TaskResult> {
  const results = JSON.parse(text) as TaskResult[]
  return new Map(
    results.map((result) => [
      result.server_id,
      result.state === 'running' ? { ...result, state: 'lost', reason: 'restart' } : result,
    ]),
  )
}

const urgency = ['failed', 'lost', 'offline', 'running', 'succeeded']

const byUrgency = (one: TaskResult, other: TaskResult) =>
  urgency.indexOf(one.state) - urgency.indexOf(other.state) || one.server_id - other.server_id

import { describe, expect, it, vi } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { type TaskRun, type TaskRunLimits, taskRunLimits } from '../../../server/tasks/taskRun.ts'
import { openTaskRuns } from '../../../server/tasks/taskRuns.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const begun = { task_id: 1, owner_id: 1, cause: 'manual', started_at: 0 } as const
const succeeded = { state: 'succeeded', reason: null, exit_code: null, truncated: false } as const

/** Runs that are opened apart from a server. */
function openRuns(limits: Partial<TaskRunLimits> = {}, store: Store = openStore(':memory:')) {
  const runs = openTaskRuns(store, {
    onFailure: (error) => {
      throw error
    },
    now: () => 9000,
    limits: { ...taskRunLimits, ...limits },
  })
  /** One run on one server. */
  function add(task_id: number, output: string, owner_id = 1) {
    const [run] = runs.begin({ ...begun, task_id, owner_id }, [{ id: 1, name: 'a', isOffline: false }])
    if (!run) throw new Error('there is no run')
    runs.end(run, { ...succeeded, output }, 1000)
    runs.flush()
    return run
  }
  return { ...runs, add, store }
}

describe('what is stored of runs', () => {
  it('survives a restart; what was running then is lost', () => {
    const { begin, end, flush, store } = openRuns()
    const [done, running] = begin(begun, [
      { id: 1, name: 'a', isOffline: false },
      { id: 2, name: 'b', isOffline: false },
    ])
    if (done) end(done, { ...succeeded, output: 'all good' }, 1000)
    expect(running?.state).toBe('running')
    flush()
    const reopened = openRuns({}, store)
    expect(reopened.ofTask(1)).toMatchObject([
      { id: 2, state: 'lost', reason: 'restart', ended_at: 9000 },
      { id: 1, state: 'succeeded', server_name: 'a', ended_at: 1000 },
    ])
    const first = reopened.get(1)
    expect(first && reopened.output(first)).toBe('all good')
  })

  it('is in a backup', () => {
    const folder = temporaryFolder()
    const { add, store } = openRuns({}, openStore(`${folder}/wheelhouse.db`))
    add(1, 'all good')
    store.backup(`${folder}/copy.db`)
    store.close()
    const copy = openRuns({}, openStore(`${folder}/copy.db`))
    const run = copy.get(1)
    expect(run && copy.output(run)).toBe('all good')
  })

  it('loses the oldest output of a task first when there is too much of it, not the run', () => {
    const { add, output, ofTask } = openRuns({ taskOutputBytes: 10 })
    const runs = ['aaaa', 'bbbb', 'cccc'].map((text) => add(1, text))
    const other = add(2, 'dddddddd')
    expect(runs.map(output)).toEqual(['', 'bbbb', 'cccc'])
    expect(output(other)).toBe('dddddddd')
    expect(ofTask(1).map(({ output_deleted }) => output_deleted)).toEqual([false, false, true])
  })

  it('loses the oldest output of the person with the most when all have too much', () => {
    const { add, output } = openRuns({ allOutputBytes: 12 })
    const few = add(1, 'mine', 1)
    const many = ['aaaa', 'bbbb', 'cccc'].map((text, index) => add(2 + index, text, 2))
    expect(output(few)).toBe('mine')
    expect(many.map(output)).toEqual(['', 'bbbb', 'cccc'])
  })

  it('loses the oldest runs of the person with the most when there are too many', () => {
    const { add, get } = openRuns({ runs: 3 })
    const few = add(1, '', 1)
    const many = [2, 3, 4].map((task) => add(task, '', 2))
    expect(get(few.id)).toBeDefined()
    expect(many.map(({ id }) => get(id) !== undefined)).toEqual([false, true, true])
  })

  it('keeps runs that have not ended, whatever the limits are', () => {
    const { begin, flush, ofTask, add } = openRuns({ executions: 1, runs: 1 })
    begin(begun, [{ id: 1, name: 'a', isOffline: false }])
    add(1, '')
    add(1, '')
    flush()
    expect(ofTask(1).map(({ state }) => state)).toEqual(['succeeded', 'running'])
  })

  it('is as many after the deletion of a task, however they were written', () => {
    const { begin, end, flush, keepTasks, store } = openRuns()
    const servers = Array.from({ length: 1200 }, (_, index) => ({ id: index + 1, name: 'a', isOffline: false }))
    for (const run of begin(begun, servers)) end(run, { ...succeeded, output: 'x'.repeat(2000) }, 1000)
    begin({ ...begun, task_id: 2 }, [{ id: 1, name: 'a', isOffline: true }])
    flush()
    const rows = (name: string) => store.table({ name, columns: [] }).count()
    expect([rows('task_run'), rows('task_output')]).toEqual([1201, 1200])
    keepTasks((id) => id === 2)
    flush()
    expect([rows('task_run'), rows('task_output')]).toEqual([1, 0])
  })

  it('is not looked at when a further run begins and ends, however many there are', () => {
    const { add, store } = openRuns()
    for (let task = 1; task <= 200; task++) for (let count = 0; count < 50; count++) add(task, '', task % 7)
    const table = store.table<TaskRun>({ name: 'task_run', columns: [] })
    let looks = 0
    const stored = table.all()
    const look = (run: TaskRun, name: string | symbol) => {
      looks++
      return Reflect.get(run, name)
    }
    table.all = () => stored.map((run) => new Proxy(run, { get: look }))
    const many = openRuns({ runs: stored.length }, store)
    expect(stored).toHaveLength(10_000)
    expect(looks).toBeGreaterThan(stored.length)
    looks = 0
    for (let count = 0; count < 10; count++) many.add(1, 'hi', 1)
    // The execution that each pushes out is taken off the counts, and nothing else is asked for anything.
    expect(looks).toBeLessThan(10 * 30)
  })

  it('is written in parts, so that an execution on thousands of servers holds nobody up', async () => {
    vi.useFakeTimers()
    const { begin, store } = openRuns()
    const transaction = vi.spyOn(store, 'transaction')
    begin(
      begun,
      Array.from({ length: 1200 }, (_, index) => ({ id: index + 1, name: 'a', isOffline: true })),
    )
    await vi.advanceTimersByTimeAsync(1000)
    const rows = () => store.table({ name: 'task_run', columns: [] }).count()
    expect([transaction.mock.calls.length, rows()]).toEqual([1, 500])
    await vi.advanceTimersByTimeAsync(100)
    expect([transaction.mock.calls.length, rows()]).toEqual([3, 1200])
  })

  it('waits for a full disk to have space again', () => {
    const store = openStore(':memory:')
    const failures: unknown[] = []
    const runs = openTaskRuns(store, { onFailure: (error) => failures.push(error) })
    const { transaction } = store
    store.transaction = () => {
      throw new Error('database or disk is full')
    }
    const [run] = runs.begin(begun, [{ id: 1, name: 'a', isOffline: false }])
    if (run) runs.end(run, { ...succeeded, output: 'all good' }, 1000)
    runs.flush()
    expect(failures).toHaveLength(1)
    expect(run && runs.output(run)).toBe('all good')
    store.transaction = transaction
    runs.flush()
    expect(openTaskRuns(store, { onFailure: vi.fn() }).ofTask(1)).toMatchObject([{ state: 'succeeded' }])
  })
})

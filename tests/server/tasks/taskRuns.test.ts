import { describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { RunResult } from '../../../server/machines/hosts/host.ts'
import { outputBytesOfEach, taskRunLimits } from '../../../server/tasks/taskRun.ts'
import { openTaskRuns } from '../../../server/tasks/taskRuns.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { serverShare } from '../../../src/schemas/serverShare.ts'
import { admin, member } from '../../support/console/dataApp.ts'
import { type TaskFixture, threeServers } from '../../support/server/fixtures/threeServers.ts'

const onDemand = { name: 'restart', task_type: 1, command: 'restart', cover: 0 }
const exited = (output: string, exitCode = 0): RunResult => ({ exitCode, ended: 'exited', output, truncated: false })

interface WireRun {
  id: number
  execution_id: number
  server_id: number
  state: string
  [name: string]: unknown
}

async function runsOf({ call }: TaskFixture, query = '', person = admin): Promise<{ total?: number; runs: WireRun[] }> {
  const { body } = await call('GET', `cron/1/runs${query}`, undefined, person)
  const { data } = body as { data: { value?: WireRun[]; pagination: { total?: number } } }
  return { total: data.pagination.total, runs: data.value ?? [] }
}

async function outputOf({ call }: TaskFixture, id: number): Promise<string> {
  const { body } = await call('GET', `wheelhouse/task-runs/${id}`)
  return (body as { data: { output: string } }).data.output
}

/** Runs the task 1 and waits for its end. */
async function run({ call, tasks }: TaskFixture, person = admin) {
  const reply = await call('POST', 'cron/1/manual', undefined, person)
  await tasks.idle()
  return reply.body
}

const begun = { task_id: 1, owner_id: 1, cause: 'manual', started_at: 0 } as const

describe('the runs of a task', () => {
  it('have start, length, exit code and output for each server, failed ones first', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 1 })
    const [one, two, three] = fixture.hosts
    one.answer = async () => exited('done\n')
    two.answer = async () => {
      fixture.clock.now += 4000
      return exited('no space left\n', 3)
    }
    three.disconnect()
    expect(await run(fixture)).toEqual({ success: true, data: { execution_id: 1, started: 2, offline: 1 } })
    const same = { execution_id: 1, cron_id: 1, cron_name: 'restart', cause: 'manual', server_name: 'pleasant-pug' }
    const started_at = '2026-11-21T12:00:00Z'
    expect(await runsOf(fixture)).toEqual({
      total: 3,
      runs: [
        {
          ...same,
          id: 2,
          server_id: 2,
          started_at,
          ended_at: '2026-11-21T12:00:04Z',
          state: 'failed',
          reason: 'exit_code',
          exit_code: 3,
          output_bytes: 13,
        },
        { ...same, id: 3, server_id: 3, state: 'offline', started_at, ended_at: started_at },
        {
          ...same,
          id: 1,
          server_id: 1,
          state: 'succeeded',
          started_at,
          ended_at: expect.any(String),
          output_bytes: 4,
        },
      ],
    })
    expect(await outputOf(fixture, 2)).toBe('no space left')
    expect(await outputOf(fixture, 3)).toBe('')
  })

  it('come page by page, of one server and in one state when asked for', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1, 2] })
    fixture.hosts[1].answer = async () => exited('', 1)
    for (let count = 0; count < 3; count++) await run(fixture)
    const ids = async (query: string) => (await runsOf(fixture, query)).runs.map(({ id }) => id)
    expect(await ids('')).toEqual([6, 5, 4, 3, 2, 1])
    expect(await ids('?offset=1&limit=2')).toEqual([5, 4])
    expect(await ids('?server=1')).toEqual([5, 3, 1])
    expect(await ids('?server=2&state=failed&limit=1')).toEqual([6])
    expect(await runsOf(fixture, '?state=running')).toEqual({ total: undefined, runs: [] })
  })

  it('say what started them', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, task_type: 0, scheduler: '0 * * * * *', servers: [1] })
    fixture.tasks.tick()
    fixture.clock.now += 60_000
    fixture.hosts[0].report({ at: new Date(fixture.clock.now) })
    fixture.tasks.tick()
    await fixture.tasks.idle()
    fixture.tasks.trigger([1], entityTable(fixture.store, servers).get(1))
    await fixture.tasks.idle()
    await run(fixture)
    expect((await runsOf(fixture)).runs.map(({ cause }) => cause)).toEqual(['manual', 'trigger', 'schedule'])
  })

  it('show the output while the command runs, where the machine sends it', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1] })
    let output = ''
    let end = () => {}
    fixture.hosts[0].run = (_command, { onStart }) => {
      onStart?.(() => output)
      return new Promise((resolve) => {
        end = () => resolve(exited(`${output}end\n`))
      })
    }
    await fixture.call('POST', 'cron/1/manual')
    output = 'one\n'
    expect((await runsOf(fixture)).runs).toMatchObject([{ state: 'running' }])
    expect((await runsOf(fixture)).runs[0]).not.toHaveProperty('ended_at')
    expect(await outputOf(fixture, 1)).toBe('one\n')
    output += 'two\n'
    expect(await outputOf(fixture, 1)).toBe('one\ntwo\n')
    end()
    await fixture.tasks.idle()
    expect(await outputOf(fixture, 1)).toBe('one\ntwo\nend')
  })

  it('have as much output of each as 16 MiB allow for all that are started together, 64 KiB at most', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1] })
    const asked = vi.spyOn(fixture.hosts[0], 'run')
    await run(fixture)
    expect(asked.mock.calls[0]?.[1].maxOutputBytes).toBe(64 * 1024)
    expect([256, 512, 16 * 1024 * 1024].map(outputBytesOfEach)).toEqual([64 * 1024, 32 * 1024, 1])
  })

  it('are the last fifty, however many servers each had', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1, 2] })
    for (let count = 0; count < taskRunLimits.executions + 5; count++) await run(fixture)
    await fixture.tasks.stop()
    const { total, runs } = await runsOf(fixture, '?limit=1000')
    expect(total).toBe(100)
    expect(runs.at(-1)).toMatchObject({ execution_id: 11 })
  })

  it('are deleted with the task, and nobody gets their ids again', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1] })
    await run(fixture)
    await fixture.call('POST', 'batch-delete/cron', [1])
    expect((await fixture.call('GET', 'cron/1/runs')).body).toEqual({ error: 'task id 1 does not exist' })
    expect((await fixture.call('GET', 'wheelhouse/task-runs/1')).body).toEqual({ error: 'run id 1 does not exist' })
    expect((await fixture.call('GET', 'server/1/runs')).body).toMatchObject({ data: { pagination: {} } })
    fixture.tasks.tick()
    await fixture.tasks.stop()
    expect(fixture.store.table({ name: 'task_run', columns: [] }).count()).toBe(0)
    expect(fixture.store.table({ name: 'task_output', columns: [] }).count()).toBe(0)
    const reopened = openTaskRuns(fixture.store, { onFailure: vi.fn() })
    const [next] = reopened.begin(begun, [{ id: 1, name: 'a', isOffline: true }])
    expect(next?.id).toBe(2)
  })

  it('cannot be asked for without a task or a run', async () => {
    const fixture = await threeServers()
    expect((await fixture.call('GET', 'cron/9/runs')).body).toEqual({ error: 'task id 9 does not exist' })
    expect((await fixture.call('GET', 'server/9/runs')).body).toEqual({ error: 'server not found' })
    expect((await fixture.call('GET', 'wheelhouse/task-runs/9')).body).toEqual({ error: 'run id 9 does not exist' })
  })
})

describe('the runs on a server', () => {
  it('are those of all tasks, the latest first', async () => {
    const fixture = await threeServers()
    for (const name of ['restart', 'back up']) await fixture.call('POST', 'cron', { ...onDemand, name, servers: [1] })
    for (const id of [1, 2, 1]) {
      await fixture.call('POST', `cron/${id}/manual`)
      await fixture.tasks.idle()
    }
    const { body } = await fixture.call('GET', 'server/1/runs?limit=2')
    expect(body).toMatchObject({
      data: {
        value: [
          { cron_id: 1, cron_name: 'restart' },
          { cron_id: 2, cron_name: 'back up' },
        ],
        pagination: { limit: 2, total: 3 },
      },
    })
  })

  it('are seen by those who see the server, whoever owns the task', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 1 })
    await run(fixture)
    const { runs } = await runsOf(fixture, '', member)
    expect(runs).toMatchObject([{ server_id: 3 }])
    const own = runs[0]?.id
    const get = async (path: string) => (await fixture.call('GET', path, undefined, member)).body
    expect(await get(`wheelhouse/task-runs/${own}`)).toMatchObject({ success: true })
    expect(await get('server/3/runs')).toMatchObject({ data: { pagination: { total: 1 } } })
    expect(await get('wheelhouse/task-runs/1')).toEqual({ error: 'permission denied' })
    expect(await get('server/1/runs')).toEqual({ error: 'permission denied' })
    expect(await get('cron/1/runs?server=1')).toMatchObject({ data: { pagination: {} } })
  })

  it('are seen, without their output, by those with whom it is shared', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1] })
    await run(fixture)
    const share = { name: 'night shift', user_id: admin.id, users: [member.id], servers: [1], server_groups: [] }
    entityTable(fixture.store, serverShare).insert(share)
    const get = async (path: string) => (await fixture.call('GET', path, undefined, member)).body
    expect(await get('server/1/runs')).toMatchObject({ data: { value: [{ id: 1, state: 'succeeded' }] } })
    expect(await get('cron/1/runs')).toMatchObject({ data: { value: [{ id: 1 }] } })
    expect(await get('wheelhouse/task-runs/1')).toEqual({ error: 'permission denied' })
  })

  it('are for administrators only once the server is deleted or belongs to somebody else', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await run(fixture, member)
    expect((await runsOf(fixture, '', member)).total).toBe(1)
    entityTable(fixture.store, servers).update(3, { user_id: admin.id })
    expect((await runsOf(fixture, '', member)).total).toBeUndefined()
    expect((await fixture.call('GET', 'wheelhouse/task-runs/1', undefined, member)).body).toEqual({
      error: 'permission denied',
    })
    await fixture.call('POST', 'batch-delete/server', [3])
    expect((await runsOf(fixture, '', member)).total).toBeUndefined()
    expect(await runsOf(fixture)).toMatchObject({ total: 1, runs: [{ server_id: 3, server_name: 'pleasant-pug' }] })
  })

  it('are not for a member who owns neither the task nor the server', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1] })
    await run(fixture)
    const { body } = await fixture.call('GET', 'cron/1/runs', undefined, member)
    expect(body).toEqual({ error: 'permission denied' })
  })
})

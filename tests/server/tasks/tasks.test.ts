import { afterEach, describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { maxRuns } from '../../../server/tasks/tasks.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { dataApp, member } from '../../support/console/dataApp.ts'
import { type TaskScene as Scene, threeServers } from '../../support/server/scenes/threeServers.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const everyMinute = { name: 'uptime', task_type: 0, scheduler: '0 * * * * *', command: 'uptime' }
const onDemand = { name: 'restart', task_type: 1, command: 'restart' }

const commandsOf = ({ hosts }: Scene) => hosts.map(({ commands }) => commands)

async function firstTask({ call }: Scene) {
  const { body } = await call('GET', 'cron')
  return (body as { data: Record<string, unknown>[] }).data[0]
}

async function pass(scene: Scene, seconds: number): Promise<void> {
  scene.clock.now += seconds * 1000
  for (const host of scene.hosts) host.tell({ at: new Date(scene.clock.now) })
  scene.tasks.tick()
  await scene.tasks.idle()
}

describe('a scheduled task', () => {
  it('runs once at its time on the listed servers', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...everyMinute, servers: [2], cover: 0 })
    await pass(scene, 0)
    await pass(scene, 59)
    expect(commandsOf(scene)).toEqual([[], [], []])
    await pass(scene, 1)
    await pass(scene, 1)
    expect(commandsOf(scene)).toEqual([[], ['uptime'], []])
  })

  it('shows time and result of its last run', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...everyMinute, servers: [1, 2], cover: 0 })
    await pass(scene, 0)
    expect(await firstTask(scene)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
    await pass(scene, 60)
    expect(await firstTask(scene)).toMatchObject({ last_executed_at: '2026-11-21T12:01:00Z', last_result: true })
    scene.hosts[1].answer = async () => ({ exitCode: 1, ended: 'exited', output: '', truncated: false })
    await pass(scene, 60)
    const task = await firstTask(scene)
    expect(task).toMatchObject({ last_executed_at: '2026-11-21T12:02:00Z' })
    expect(task).not.toHaveProperty('last_result')
  })

  it('does not start again while it is still running', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...everyMinute, servers: [1], cover: 0 })
    let end = () => {}
    scene.hosts[0].answer = () =>
      new Promise((resolve) => {
        end = () => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })
      })
    scene.tasks.tick()
    for (const _ of [1, 2]) {
      scene.clock.now += 60_000
      scene.hosts[0].tell({ at: new Date(scene.clock.now) })
      scene.tasks.tick()
    }
    expect(scene.hosts[0].commands).toEqual(['uptime'])
    end()
    await scene.tasks.idle()
  })

  it('does not run on offline servers', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...everyMinute, servers: [1], cover: 0 })
    scene.tasks.tick()
    scene.clock.now += 60_000
    scene.tasks.tick()
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], []])
    expect(await firstTask(scene)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
  })

  it('is killed when the server stops, without saving a result', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, servers: [1], cover: 0 })
    scene.hosts[0].answer = (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () =>
          resolve({ exitCode: null, ended: 'aborted', output: '', truncated: false }),
        )
      })
    await scene.call('POST', 'cron/1/manual')
    await scene.tasks.stop()
    expect(await firstTask(scene)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
  })
})

describe('a task that is run now', () => {
  it('runs on all servers except the listed ones', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, servers: [1], cover: 1 })
    expect(await scene.call('POST', 'cron/1/manual')).toEqual({
      status: 200,
      body: { success: true, data: { execution_id: 1, started: 2, offline: 0 } },
    })
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], ['restart'], ['restart']])
  })

  it('runs nowhere when it only runs on the server of an alert', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    expect((await scene.call('POST', 'cron/1/manual')).body).toEqual({
      success: true,
      data: { started: 0, offline: 0 },
    })
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], []])
  })

  it("of a member runs only on the member's own servers", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await scene.call('POST', 'cron/1/manual', undefined, member)
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], ['restart']])
  })

  it("of a member runs only on the member's own servers, also when an admin starts it", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await scene.call('POST', 'cron/1/manual')
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], ['restart']])
  })

  it('is refused while it runs ten times, and runs again once a run has ended', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, servers: [1], cover: 0 })
    const ends: (() => void)[] = []
    scene.hosts[0].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    for (let run = 1; run <= maxRuns.ofTask; run++) {
      expect((await scene.call('POST', 'cron/1/manual')).body).toMatchObject({ success: true })
    }
    expect((await scene.call('POST', 'cron/1/manual')).body).toEqual({
      error: 'this task is running 10 times already: wait until a run has ended',
    })
    ends[0]?.()
    await vi.waitFor(async () =>
      expect((await scene.call('POST', 'cron/1/manual')).body).toMatchObject({ success: true }),
    )
    for (const end of ends) end()
    await scene.tasks.idle()
  })

  it('is refused while a thousand runs of its member have not ended; those of others go on', async () => {
    const scene = await threeServers()
    const alerted = { ...onDemand, cover: 2 }
    const table = entityTable(scene.store, cron)
    const ids = Array.from({ length: maxRuns.ofMember }, () => table.insert({ ...alerted, user_id: member.id }))
    const mine = table.insert({ ...onDemand, servers: [3], cover: 0, user_id: member.id })
    const ofAdmin = table.insert({ ...onDemand, servers: [1], cover: 0, user_id: 1 })
    const ends: (() => void)[] = []
    scene.hosts[2].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    scene.tasks.trigger(ids, entityTable(scene.store, servers).get(3), member.id)
    expect((await scene.call('POST', `cron/${mine}/manual`, undefined, member)).body).toEqual({
      error: "1000 runs of this member's tasks have not ended yet: wait until some have",
    })
    expect((await scene.call('POST', `cron/${ofAdmin}/manual`)).body).toMatchObject({ success: true })
    for (const end of ends) end()
    await scene.tasks.idle()
  })

  it('cannot be started by GET, which any page could send', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 1 })
    expect((await scene.call('GET', 'cron/1/manual')).status).toBe(404)
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], []])
  })
})

describe('a triggered task', () => {
  const server = (scene: Scene, id: number) => entityTable(scene.store, servers).get(id)

  it('runs only on the server of the alert when it covers only that', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    scene.tasks.trigger([1, 99], server(scene, 2))
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], ['restart'], []])
  })

  it('runs on its covered servers otherwise', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, servers: [3], cover: 0 })
    scene.tasks.trigger([1], server(scene, 2))
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], ['restart']])
  })

  it("of a member runs only on the member's own servers, also when it covers the server of the alert", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 }, member)
    scene.tasks.trigger([1], server(scene, 1))
    scene.tasks.trigger([1], server(scene, 3))
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], ['restart']])
  })

  it("does not run for a member's rule that lists somebody else's task", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    scene.tasks.trigger([1], server(scene, 3), member.id)
    await scene.tasks.idle()
    expect(commandsOf(scene)).toEqual([[], [], []])
  })

  it('does not start again while it runs on the same server, but does on another', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    const ends: (() => void)[] = []
    scene.hosts[0].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    for (const id of [1, 1, 2]) scene.tasks.trigger([1], server(scene, id))
    expect(commandsOf(scene)).toEqual([['restart'], ['restart'], []])
    for (const end of ends) end()
    await scene.tasks.idle()
    scene.tasks.trigger([1], server(scene, 1))
    expect(commandsOf(scene)).toEqual([['restart', 'restart'], ['restart'], []])
    for (const end of ends) end()
    await scene.tasks.idle()
  })
})

describe('the timer of tasks', () => {
  let stop = async () => {}
  afterEach(() => stop())

  it('runs a task that is due every second', async () => {
    const data = await dataApp()
    stop = () => data.tasks.stop()
    const host = createTestHost()
    data.machines.add(host)
    host.tell()
    await data.call('POST', 'cron', { ...everyMinute, scheduler: '* * * * * *', servers: [1] })
    data.tasks.start()
    await expect.poll(() => host.commands.length, { timeout: 5000 }).toBeGreaterThanOrEqual(2)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { createTestHost, type TestHost } from '../../support/server/testHost.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

interface Scene extends DataApp {
  clock: { now: number }
  hosts: [TestHost, TestHost, TestHost]
}

/** Machines 1, 2 and 3 are online; the third is the member's. */
async function threeServers(): Promise<Scene> {
  const clock = { now: noon }
  const data = await dataApp({ now: () => clock.now })
  const hosts: Scene['hosts'] = [
    createTestHost({ uuid: 'a' }),
    createTestHost({ uuid: 'b' }),
    createTestHost({ uuid: 'c' }),
  ]
  for (const host of hosts) {
    data.machines.add(host)
    host.tell({ at: new Date(noon) })
  }
  entityTable(data.store, servers).update(3, { user_id: member.id })
  return { ...data, clock, hosts }
}

const everyMinute = { name: 'uptime', task_type: 0, scheduler: '0 * * * * *', command: 'uptime' }
const onDemand = { name: 'restart', task_type: 1, command: 'restart' }

const wereAsked = ({ hosts }: Scene) => hosts.map(({ commands }) => commands)

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
  it('runs at its time on the servers it names, once', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...everyMinute, servers: [2], cover: 0 })
    await pass(scene, 0)
    await pass(scene, 59)
    expect(wereAsked(scene)).toEqual([[], [], []])
    await pass(scene, 1)
    await pass(scene, 1)
    expect(wereAsked(scene)).toEqual([[], ['uptime'], []])
  })

  it('tells when it ran last and how it went', async () => {
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

  it('is not joined by its next run while it is still running', async () => {
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

  it('does nothing on servers that are offline', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...everyMinute, servers: [1], cover: 0 })
    scene.tasks.tick()
    scene.clock.now += 60_000
    scene.tasks.tick()
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], []])
    expect(await firstTask(scene)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
  })

  it('stops with the server, and a run that is cut off leaves no result', async () => {
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
  it('runs on all servers but those it names', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, servers: [1], cover: 1 })
    expect(await scene.call('POST', 'cron/1/manual')).toEqual({ status: 200, body: { success: true } })
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], ['restart'], ['restart']])
  })

  it('runs nowhere when only an alert can say where', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    expect((await scene.call('POST', 'cron/1/manual')).body).toEqual({ success: true })
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], []])
  })

  it("touches a member's own servers only, whatever it covers", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await scene.call('POST', 'cron/1/manual', undefined, member)
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], ['restart']])
  })

  it("touches a member's own servers only, also when an admin runs it", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await scene.call('POST', 'cron/1/manual')
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], ['restart']])
  })

  it('cannot be run by the verb that any page could forge', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 1 })
    expect((await scene.call('GET', 'cron/1/manual')).status).toBe(404)
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], []])
  })
})

describe('a task that something triggers', () => {
  const server = (scene: Scene, id: number) => entityTable(scene.store, servers).get(id)

  it('runs on the alarmed server alone where it covers only that', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    scene.tasks.trigger([1, 99], server(scene, 2))
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], ['restart'], []])
  })

  it('runs on what it covers otherwise, whichever server is alarmed', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, servers: [3], cover: 0 })
    scene.tasks.trigger([1], server(scene, 2))
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], ['restart']])
  })

  it("touches a member's own servers only, also on the alarmed one", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 }, member)
    scene.tasks.trigger([1], server(scene, 1))
    scene.tasks.trigger([1], server(scene, 3))
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], ['restart']])
  })

  it("does not run for a member's rule that names a task of somebody else", async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    scene.tasks.trigger([1], server(scene, 3), member.id)
    await scene.tasks.idle()
    expect(wereAsked(scene)).toEqual([[], [], []])
  })

  it('is not joined by its next run on the same server, but by one on another', async () => {
    const scene = await threeServers()
    await scene.call('POST', 'cron', { ...onDemand, cover: 2 })
    const ends: (() => void)[] = []
    scene.hosts[0].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    for (const id of [1, 1, 2]) scene.tasks.trigger([1], server(scene, id))
    expect(wereAsked(scene)).toEqual([['restart'], ['restart'], []])
    for (const end of ends) end()
    await scene.tasks.idle()
    scene.tasks.trigger([1], server(scene, 1))
    expect(wereAsked(scene)).toEqual([['restart', 'restart'], ['restart'], []])
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

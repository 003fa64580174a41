import { afterEach, describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { maxRuns } from '../../../server/tasks/tasks.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { dataApp, member } from '../../support/console/dataApp.ts'
import { type TaskFixture as Fixture, threeServers } from '../../support/server/fixtures/threeServers.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const everyMinute = { name: 'uptime', task_type: 0, scheduler: '0 * * * * *', command: 'uptime' }
const onDemand = { name: 'restart', task_type: 1, command: 'restart' }

const commandsOf = ({ hosts }: Fixture) => hosts.map(({ commands }) => commands)

async function firstTask({ call }: Fixture) {
  const { body } = await call('GET', 'cron')
  return (body as { data: Record<string, unknown>[] }).data[0]
}

async function pass(fixture: Fixture, seconds: number): Promise<void> {
  fixture.clock.now += seconds * 1000
  for (const host of fixture.hosts) host.report({ at: new Date(fixture.clock.now) })
  fixture.tasks.tick()
  await fixture.tasks.idle()
}

describe('a scheduled task', () => {
  it('runs once at its time on the listed servers', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...everyMinute, servers: [2], cover: 0 })
    await pass(fixture, 0)
    await pass(fixture, 59)
    expect(commandsOf(fixture)).toEqual([[], [], []])
    await pass(fixture, 1)
    await pass(fixture, 1)
    expect(commandsOf(fixture)).toEqual([[], ['uptime'], []])
  })

  it('shows time and result of its last run', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...everyMinute, servers: [1, 2], cover: 0 })
    await pass(fixture, 0)
    expect(await firstTask(fixture)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
    await pass(fixture, 60)
    expect(await firstTask(fixture)).toMatchObject({ last_executed_at: '2026-11-21T12:01:00Z', last_result: true })
    fixture.hosts[1].answer = async () => ({ exitCode: 1, ended: 'exited', output: '', truncated: false })
    await pass(fixture, 60)
    const task = await firstTask(fixture)
    expect(task).toMatchObject({ last_executed_at: '2026-11-21T12:02:00Z' })
    expect(task).not.toHaveProperty('last_result')
  })

  it('does not start again while it is still running', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...everyMinute, servers: [1], cover: 0 })
    let end = () => {}
    fixture.hosts[0].answer = () =>
      new Promise((resolve) => {
        end = () => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })
      })
    fixture.tasks.tick()
    for (const _ of [1, 2]) {
      fixture.clock.now += 60_000
      fixture.hosts[0].report({ at: new Date(fixture.clock.now) })
      fixture.tasks.tick()
      await fixture.settled()
    }
    expect(fixture.hosts[0].commands).toEqual(['uptime'])
    end()
    await fixture.tasks.idle()
  })

  it('does not run on offline servers', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...everyMinute, servers: [1], cover: 0 })
    fixture.tasks.tick()
    fixture.clock.now += 60_000
    fixture.tasks.tick()
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], []])
    expect(await firstTask(fixture)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
  })

  it('is killed when the server stops, without saving a result', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1], cover: 0 })
    fixture.hosts[0].answer = (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () =>
          resolve({ exitCode: null, ended: 'aborted', output: '', truncated: false }),
        )
      })
    await fixture.call('POST', 'cron/1/manual')
    await fixture.tasks.stop()
    expect(await firstTask(fixture)).toMatchObject({ last_executed_at: '0001-01-01T00:00:00Z' })
  })
})

describe('a task that is run now', () => {
  it('runs on all servers except the listed ones', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1], cover: 1 })
    expect(await fixture.call('POST', 'cron/1/manual')).toEqual({
      status: 200,
      body: { success: true, data: { execution_id: 1, started: 2, offline: 0 } },
    })
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], ['restart'], ['restart']])
  })

  it('runs nowhere when it only runs on the server of an alert', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 2 })
    expect((await fixture.call('POST', 'cron/1/manual')).body).toEqual({
      success: true,
      data: { started: 0, offline: 0 },
    })
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], []])
  })

  it("of a member runs only on the member's own servers", async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await fixture.call('POST', 'cron/1/manual', undefined, member)
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], ['restart']])
  })

  it("of a member runs only on the member's own servers, also when an admin starts it", async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 1 }, member)
    await fixture.call('POST', 'cron/1/manual')
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], ['restart']])
  })

  it('is refused while it runs ten times, and runs again once a run has ended', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [1], cover: 0 })
    const ends: (() => void)[] = []
    fixture.hosts[0].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    for (let run = 1; run <= maxRuns.ofTask; run++) {
      expect((await fixture.call('POST', 'cron/1/manual')).body).toMatchObject({ success: true })
    }
    expect((await fixture.call('POST', 'cron/1/manual')).body).toEqual({
      error: 'this task is running 10 times already: wait until a run has ended',
    })
    ends[0]?.()
    await vi.waitFor(async () =>
      expect((await fixture.call('POST', 'cron/1/manual')).body).toMatchObject({ success: true }),
    )
    for (const end of ends) end()
    await fixture.tasks.idle()
  })

  it('is refused while a thousand runs of its member have not ended; those of others go on', async () => {
    const fixture = await threeServers()
    const alerted = { ...onDemand, cover: 2 }
    const table = entityTable(fixture.store, cron)
    const ids = Array.from({ length: maxRuns.ofMember }, () => table.insert({ ...alerted, user_id: member.id }))
    const mine = table.insert({ ...onDemand, servers: [3], cover: 0, user_id: member.id })
    const ofAdmin = table.insert({ ...onDemand, servers: [1], cover: 0, user_id: 1 })
    const ends: (() => void)[] = []
    fixture.hosts[2].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    fixture.tasks.trigger(ids, entityTable(fixture.store, servers).get(3), member.id)
    await fixture.settled()
    expect((await fixture.call('POST', `cron/${mine}/manual`, undefined, member)).body).toEqual({
      error: "1000 runs of this member's tasks have not ended yet: wait until some have",
    })
    expect((await fixture.call('POST', `cron/${ofAdmin}/manual`)).body).toMatchObject({ success: true })
    for (const end of ends) end()
    await fixture.tasks.idle()
  })

  it('cannot be started by GET, which any page could send', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 1 })
    expect((await fixture.call('GET', 'cron/1/manual')).status).toBe(404)
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], []])
  })
})

describe('a triggered task', () => {
  const server = (fixture: Fixture, id: number) => entityTable(fixture.store, servers).get(id)

  it('runs only on the server of the alert when it covers only that', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 2 })
    fixture.tasks.trigger([1, 99], server(fixture, 2))
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], ['restart'], []])
  })

  it('runs on its covered servers otherwise', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, servers: [3], cover: 0 })
    fixture.tasks.trigger([1], server(fixture, 2))
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], ['restart']])
  })

  it("of a member runs only on the member's own servers, also when it covers the server of the alert", async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 2 }, member)
    fixture.tasks.trigger([1], server(fixture, 1))
    fixture.tasks.trigger([1], server(fixture, 3))
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], ['restart']])
  })

  it("does not run for a member's rule that lists somebody else's task", async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 2 })
    fixture.tasks.trigger([1], server(fixture, 3), member.id)
    await fixture.tasks.idle()
    expect(commandsOf(fixture)).toEqual([[], [], []])
  })

  it('does not start again while it runs on the same server, but does on another', async () => {
    const fixture = await threeServers()
    await fixture.call('POST', 'cron', { ...onDemand, cover: 2 })
    const ends: (() => void)[] = []
    fixture.hosts[0].answer = () =>
      new Promise((resolve) => ends.push(() => resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })))
    for (const id of [1, 1, 2]) fixture.tasks.trigger([1], server(fixture, id))
    await fixture.settled()
    expect(commandsOf(fixture)).toEqual([['restart'], ['restart'], []])
    for (const end of ends) end()
    await fixture.tasks.idle()
    fixture.tasks.trigger([1], server(fixture, 1))
    await fixture.settled()
    expect(commandsOf(fixture)).toEqual([['restart', 'restart'], ['restart'], []])
    for (const end of ends) end()
    await fixture.tasks.idle()
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
    host.report()
    await data.call('POST', 'cron', { ...everyMinute, scheduler: '* * * * * *', servers: [1] })
    data.tasks.start()
    await expect.poll(() => host.commands.length).toBeGreaterThanOrEqual(2)
  })
})

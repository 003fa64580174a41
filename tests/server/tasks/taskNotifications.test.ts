import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RunResult } from '../../../server/machines/hosts/host.ts'
import { dataApp } from '../../support/console/dataApp.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const exited: RunResult = { exitCode: 0, ended: 'exited', output: '', truncated: false }

/** A notifier and two machines, of which the second is offline. */
async function fixture(options: Parameters<typeof dataApp>[0] = {}, answer?: Parameters<typeof createReceiver>[0]) {
  const receiver = await createReceiver(answer)
  const data = await dataApp(options)
  closing.push(receiver.close, () => void data.notifications.stop())
  const body = { request_method: 2, request_type: 1, request_body: '{"m":"#NEZHA#","s":"#SERVER.NAME#"}' }
  await data.call('POST', 'notification', { ...body, name: 'n', url: receiver.origin, skip_check: true })
  await data.call('POST', 'notification-group', { name: 'g', notifications: [1] })
  const [host, away] = [createTestHost({ uuid: 'a', name: 'calm-ox' }), createTestHost({ uuid: 'b', name: 'far-ox' })]
  for (const machine of [host, away]) data.machines.add(machine)
  host.report()
  away.report({ at: new Date(Date.now() - 60_000) })

  /** Runs a task. @returns the messages of its notifications */
  async function run(task: object, answer: Partial<RunResult> = {}): Promise<string[]> {
    host.answer = async () => ({ ...exited, ...answer })
    const form = { name: 'back up', task_type: 1, command: 'x', cover: 0, servers: [1], notification_group_id: 1 }
    const { body } = await data.call('POST', 'cron', { ...form, ...task })
    await data.call('POST', `cron/${(body as { data: number }).data}/manual`)
    await data.tasks.idle()
    // One notifier gets its notifications in order, so this one arrives last.
    data.notifications.send({ groupId: 1, message: 'end' })
    const messages = () => receiver.deliveries.map((delivery) => JSON.parse(delivery.body).m as string)
    while (!messages().includes('end')) await new Promise((resolve) => setTimeout(resolve, 5))
    return messages().slice(0, -1)
  }
  return { run, receiver, ...data }
}

describe('a task', () => {
  it('that cannot run because its server is offline sends the notification of real servers', async () => {
    const { run, receiver } = await fixture()
    expect(await run({ servers: [2] })).toEqual([
      '[Task failed] back up: server far-ox is offline and cannot execute the task',
    ])
    expect(JSON.parse(receiver.deliveries[0]?.body ?? '').s).toBe('far-ox')
  })

  it('that failed and then succeeded is told of in that order, also where the receiver puts off the failure', async () => {
    let isReady = false
    const accepted: string[] = []
    const { run, call, tasks, notifications } = await fixture({}, (reply, { body }) => {
      const { m } = JSON.parse(body) as { m: string }
      if (!isReady && m.startsWith('[Task failed]')) return void reply.writeHead(429, { 'retry-after': '1' }).end()
      accepted.push(m.split(':')[0] ?? '')
      reply.end()
    })
    const answer = { exitCode: 1 }
    await run({ push_successful: true }, answer)
    answer.exitCode = 0
    await call('POST', 'cron/1/manual')
    await tasks.idle()
    notifications.send({ groupId: 1, message: 'another one' })
    await vi.waitFor(() => expect(accepted).toContain('another one'))
    isReady = true
    await vi.waitFor(() => expect(accepted).toHaveLength(4))
    expect(accepted).toEqual(['end', 'another one', '[Task failed] back up', '[Task succeeded] back up'])
  })

  it('whose result never came says so', async () => {
    const { run } = await fixture()
    const output = 'The agent disconnected.'
    expect(await run({}, { exitCode: null, ended: 'lost', output })).toEqual([
      `[Task failed] back up: server calm-ox: the command gave no result\n${output}`,
    ])
  })

  it('whose servers are offline sends one notification for more than five of them', async () => {
    const { run, machines } = await fixture()
    for (let number = 1; number <= 6; number++) {
      const host = createTestHost({ uuid: `away-${number}`, name: `away-${number}` })
      machines.add(host)
      host.report({ at: new Date(Date.now() - 60_000) })
    }
    expect(await run({ cover: 1, servers: [1] })).toEqual([
      '[Task failed] back up: 7 servers are offline and cannot execute the task: far-ox, away-1, away-2, away-3, away-4 and 2 more',
    ])
  })

  it('that fails sends its exit code and the end of its output', async () => {
    const { run, deliveries } = await fixture()
    const output = `${'x'.repeat(2000)}\nNo space left "on" device\n`
    expect(await run({}, { exitCode: 2, output })).toEqual([
      `[Task failed] back up: server calm-ox: the command ended with 2\n…${output.trim().slice(-1000)}`,
    ])
    // Output may contain secrets, so the log only has the first line.
    expect(deliveries.page(0, 5).rows.at(-1)).toMatchObject({
      message: '[Task failed] back up: server calm-ox: the command ended with 2',
    })
  })

  it.each([
    [{ exitCode: null, ended: 'timeout' }, 'took too long'],
    [{ exitCode: null, ended: 'failed', output: 'no shell' }, 'could not start\nno shell'],
  ] as const)('that ends with %j sends another text', async (answer, words) => {
    const { run } = await fixture()
    expect(await run({}, answer)).toEqual([`[Task failed] back up: server calm-ox: the command ${words}`])
  })

  it('that succeeds sends no notification by default', async () => {
    const { run } = await fixture()
    expect(await run({}, { output: 'done' })).toEqual([])
  })

  it('that succeeds sends a notification with push_successful', async () => {
    const { run } = await fixture()
    expect(await run({ push_successful: true }, { output: 'done' })).toEqual([
      '[Task succeeded] back up: server calm-ox\ndone',
    ])
  })

  it('ends its notifications with the address of the run, where the server knows the address people use', async () => {
    const { run, deliveries } = await fixture({ publicUrl: new URL('https://console.example.org') })
    const runs = 'https://console.example.org/dashboard/cron/1/runs'
    expect(await run({ servers: [1, 2] }, { exitCode: 2, output: 'disk full' })).toEqual([
      `[Task failed] back up: server far-ox is offline and cannot execute the task\n${runs}?run=2`,
      `[Task failed] back up: server calm-ox: the command ended with 2\ndisk full\n${runs}?run=1`,
    ])
    expect(deliveries.page(0, 5).rows.at(-1)).toMatchObject({
      message: '[Task failed] back up: server far-ox is offline and cannot execute the task',
    })
  })

  it('whose servers are offline leads to the runs of all of them', async () => {
    const { run, machines, call } = await fixture({ publicUrl: new URL('http://10.0.0.5:8008') })
    for (let number = 1; number <= 6; number++) {
      const host = createTestHost({ uuid: `away-${number}` })
      machines.add(host)
      host.report({ at: new Date(Date.now() - 60_000) })
    }
    const [message = ''] = await run({ cover: 1, servers: [1] })
    const [, address = ''] = message.split('\n')
    expect(address).toBe('http://10.0.0.5:8008/dashboard/cron/1/runs?run=1')
    const { body } = await call('GET', 'cron/1/runs')
    expect(body).toMatchObject({
      data: { pagination: { total: 7 }, value: [{ id: 1, state: 'offline' }, {}, {}, {}, {}, {}, {}] },
    })
  })

  it('that is killed by the stop of the server sends no notification', async () => {
    const { run } = await fixture()
    expect(await run({}, { exitCode: null, ended: 'aborted' })).toEqual([])
  })

  it('without a notifier group sends no notification', async () => {
    const { run } = await fixture()
    expect(await run({ notification_group_id: 0 }, { exitCode: 1 })).toEqual([])
  })
})

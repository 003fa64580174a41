import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { ExecOrder, ExecResult } from '../../../server/machines/hosts/operations.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { addHost } from '../../support/server/mcpServer.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

interface Process {
  pid: number
  command: string
  started: string
}

interface Answer {
  data?: { items: Process[]; reason?: string; cause?: string; detail?: string; text?: string }
  error?: string
}

async function fixture() {
  const server = await testServer({ machines: createMachines })
  onTestFinished(() => server.app.close())
  const host = addHost(server)
  const { id } = entityTable(server.store, serverEntity).all()[0] ?? { id: 0 }
  const admin = await signedIn(server)
  const processes = async (browser = admin) => (await browser.get(`wheelhouse/servers/${id}/processes`)).body as Answer
  return { server, host, id, admin, processes }
}

/** A process of this machine that does nothing. */
function sleeper() {
  const child = spawn('sleep', ['300'])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const result = (fields: Partial<ExecResult>): ExecResult => ({
  exit_code: 0,
  stdout: '',
  stderr: '',
  duration_ms: 1,
  ...fields,
})

describe('the processes of a machine', () => {
  it('are those that run there', async () => {
    const { processes } = await fixture()
    const child = sleeper()
    const { data } = await processes()
    expect(data?.items.find(({ pid }) => pid === child.pid)).toMatchObject({
      command: 'sleep 300',
      ppid: process.pid,
      started: expect.stringMatching(/^\d+$/),
    })
  })

  it('get signals, which the audit log notes', async () => {
    const { processes, admin, id } = await fixture()
    const child = sleeper()
    const started = (await processes()).data?.items.find(({ pid }) => pid === child.pid)?.started
    const path = `wheelhouse/servers/${id}/processes/${child.pid}/signal`
    const refused = await admin.call('POST', path, { body: { signal: 'TERM', started: '1' } })
    expect(refused.body).toMatchObject({ error: 'The machine said: this process has ended' })
    const ended = once(child, 'exit')
    expect((await admin.call('POST', path, { body: { signal: 'TERM', started } })).body).toMatchObject({
      success: true,
    })
    expect(await ended).toEqual([null, 'SIGTERM'])
    const [line] = ((await admin.get('wheelhouse/audit')).body as { data: { value: object[] } }).data.value
    expect(line).toMatchObject({ action: 'process.signal', detail: { pid: String(child.pid), signal: 'TERM' } })
    // It is asked again at once.
    expect((await processes()).data?.items.some(({ pid }) => pid === child.pid)).toBe(false)
  })

  it('are looked into from the first one on, which nobody ends', async () => {
    const { admin, id, host } = await fixture()
    const asked: string[] = []
    const { exec } = host.operations
    host.operations.exec = (order, signal) => {
      asked.push(order.args?.at(-1) ?? '')
      return exec(order, signal)
    }
    const look = (pid: string) => admin.get(`wheelhouse/servers/${id}/processes/${pid}/files`)
    expect((await look('1')).body).toMatchObject({ success: true })
    expect((await look('1;id')).body).toEqual({ error: '1;id is not the id of a process' })
    expect(asked).toEqual(['1'])
  })

  it('get another priority', async () => {
    const { admin, id, processes } = await fixture()
    const child = sleeper()
    const path = `wheelhouse/servers/${id}/processes/${child.pid}/priority`
    expect((await admin.call('POST', path, { body: { nice: 7 } })).body).toMatchObject({ success: true })
    expect((await processes()).data?.items.find(({ pid }) => pid === child.pid)).toMatchObject({ nice: 7 })
  })

  it.each([
    ['1', { signal: 'TERM' }, '1 is not the id of a process'],
    ['-1', { signal: 'TERM' }, '-1 is not the id of a process'],
    ['12;reboot', { signal: 'TERM' }, '12;reboot is not the id of a process'],
    ['12', { signal: 'USR1' }, 'signal is not valid'],
    ['12', { signal: 'TERM', started: '1 || true' }, 'started is not valid'],
  ])('process %s with %o is refused before the machine hears of it', async (pid, body, message) => {
    const { admin, id, host } = await fixture()
    host.operations.exec = () => Promise.reject(new Error('must not be called'))
    const path = `wheelhouse/servers/${id}/processes/${encodeURIComponent(pid)}/signal`
    expect((await admin.call('POST', path, { body })).body).toMatchObject({ error: expect.stringContaining(message) })
  })

  it('are asked for once, however many look', async () => {
    const { processes, host, server } = await fixture()
    const orders: ExecOrder[] = []
    const exec = host.operations.exec
    host.operations.exec = (order, signal) => {
      orders.push(order)
      return exec(order, signal)
    }
    await Promise.all([processes(), processes(), processes()])
    await processes()
    expect(orders).toHaveLength(1)
    server.clock.now += 31_000
    host.report({ at: new Date(server.clock.now) })
    await processes()
    expect(orders).toHaveLength(2)
  })

  it('are for the owner of the server and for administrators, with the scopes of their tokens', async () => {
    const { server, id, processes } = await fixture()
    const member = await signedIn(server, 'member')
    expect(await processes(member)).toEqual({ error: 'permission denied' })
    const signal = `wheelhouse/servers/${id}/processes/999999/signal`
    expect((await member.call('POST', signal, { body: { signal: 'TERM' } })).body).toEqual({
      error: 'permission denied',
    })
    const reader = programWith(server, { scopes: ['nezha:server:read'], server_ids: [id] })
    expect((await reader.get(`wheelhouse/servers/${id}/processes`)).body).toMatchObject({ success: true })
    expect((await reader.call('POST', signal, { signal: 'TERM' })).body).toMatchObject({
      error: expect.stringContaining('nezha:server:exec'),
    })
    const elsewhere = programWith(server, { scopes: ['nezha:server:read'], server_ids: [id + 1] })
    expect((await elsewhere.get(`wheelhouse/servers/${id}/processes`)).body).toEqual({ error: 'permission denied' })
    entityTable(server.store, serverEntity).update(id, { user_id: 2 })
    expect((await processes(member)).data?.items.length).toBeGreaterThan(0)
  })
})

describe('a machine that does not say it says why', () => {
  it.each([
    ['commands_off', { error: 'agent disabled command execution' }, /disable_command_execute/],
    ['platform', { error: 'executable file not found' }, /no command/],
    ['timeout', { timed_out: true }, /in time/],
    ['failed', { exit_code: 2, stderr: 'ps: not allowed here\n' }, /not allowed here/],
  ] as const)('%s', async (cause, fields, reason) => {
    const { host, processes } = await fixture()
    host.operations.exec = async () => result(fields)
    expect((await processes()).data).toMatchObject({ items: [], cause, reason: expect.stringMatching(reason) })
  })

  it('offline, and Windows', async () => {
    const { host, processes } = await fixture()
    host.report({ host: { platform: 'Microsoft Windows 11 Pro' }, at: new Date(Date.parse('2026-11-21T00:00:00Z')) })
    expect((await processes()).data).toMatchObject({ cause: 'platform', detail: 'Microsoft Windows 11 Pro' })
    host.disconnect()
    expect((await processes()).data).toMatchObject({ items: [], cause: 'offline' })
  })

  it('with output that nobody knows, which is shown', async () => {
    const { host, processes } = await fixture()
    host.operations.exec = async () => result({ stdout: 'PID according to the Amiga\n' })
    expect((await processes()).data).toMatchObject({ items: [], text: 'PID according to the Amiga\n' })
  })
})

describe('an agent', () => {
  it('tells its processes from 2.1.0 on; an older one is to be updated', async () => {
    const server = await testAgentServer()
    const admin = await server.admin()
    const [now, old] = [await server.agent(), await server.agent({ version: '1.14.4' })]
    const read = async (agent: typeof now) =>
      ((await admin.get(`wheelhouse/servers/${server.rowOf(agent)?.id}/processes`)).body as Answer).data
    expect((await read(now))?.items.some(({ pid }) => pid === process.pid)).toBe(true)
    expect(await read(old)).toMatchObject({ items: [], cause: 'agent_version', detail: '1.14.4' })
  })
})

import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { taskTypes } from '../../../server/machines/hosts/agent/agentConnection.ts'
import type { Host } from '../../../server/machines/hosts/host.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import type { TaskMessage, TaskResultMessage } from '../../support/agent/agentMessages.ts'
import { startAgentServer } from '../../support/agent/agentServer.ts'
import type { AgentVersion } from '../../support/agent/agentVersions.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'

/** An agent that does nothing by itself, and the machine that the server makes of it. */
async function machine({ version = '2.3.3' } = {}) {
  const server = await startAgentServer()
  const calls = server.calls()
  const tasks = calls.stream('RequestTask')
  const received: TaskMessage[] = []
  // A keepalive comes when its time has come, on a busy machine before the first order.
  tasks.onMessage((task) => task.type !== taskTypes.keepalive && received.push(task))
  await calls.unary('ReportSystemInfo2', { version, boot_time: 1 })
  const states = calls.stream('ReportSystemState')
  const reported = new Promise((resolve) => states.onMessage(resolve))
  states.send({ cpu: 1 })
  await reported
  const [row] = entityTable(server.store, servers).all()
  const host = row && server.machines.connected(row)
  if (!host) throw new Error('the agent is not connected')
  const answer = (result: TaskResultMessage) => tasks.send(result)
  return { server, calls, tasks, received, answer, host }
}

const limits = { timeoutMs: 5000, maxOutputBytes: 100 }
const check = { timeoutMs: 5000, allowPrivate: true }
const streamId = expect.stringMatching(/^[\da-f-]{36}$/)
const id = expect.any(Number)
const { signal } = new AbortController()

describe('what an agent is sent (docs/contract/AGENT.md#6-task-types)', () => {
  it.each<[string, (host: Host) => unknown, object]>([
    [
      'a page',
      (host) => host.probe({ type: 'http', target: 'https://a/' }, check),
      { id, type: 1, data: 'https://a/' },
    ],
    ['a ping', (host) => host.probe({ type: 'icmp', target: '::1' }, check), { id, type: 2, data: '::1' }],
    ['a port', (host) => host.probe({ type: 'tcp', target: 'a:1' }, check), { id, type: 3, data: 'a:1' }],
    ['a command', (host) => host.run('id\n', limits), { id, type: 4, data: 'id\n' }],
    ['a terminal', (host) => host.openShell({ rows: 1, cols: 2 }), { type: 8, data: { StreamID: streamId } }],
    ['NAT', (host) => host.connect('a:80', signal), { type: 9, data: { StreamID: streamId, Host: 'a:80' } }],
    ['files', (host) => host.files.list(Buffer.from('/')), { type: 11, data: { StreamID: streamId } }],
    ['reading settings', (host) => host.config(), { id, type: 12 }],
    [
      'settings, as they were written',
      (host) => host.applyConfig('{ "gpu":true}'),
      { id, type: 13, data: '{ "gpu":true}' },
    ],
    ['a secret', (host) => host.changeSecret?.('s'), { id, type: 14, data: { client_secret: 's' } }],
  ])('for %s', async (_title, order, expected) => {
    const { host, received } = await machine()
    Promise.resolve(order(host)).catch(() => {})
    await expect.poll(() => received.length).toBe(1)
    const [task] = received
    const isJson = task?.type === 14 || 'StreamID' in Object(parsed(task?.data))
    expect({ ...task, ...(isJson && { data: parsed(task?.data) }) }).toEqual(expected)
  })

  it.each([
    ['it follows them', { successful: true, data: '{"disable_force_update":false}' }, true],
    ['its settings cannot be read', { data: '此 Agent 已禁止命令执行' }, true],
    ['it follows none', { successful: true, data: '{"disable_force_update":true}' }, false],
  ])('for an update depends on its settings: %s', async (_title, settings, isSent) => {
    const { host, received, answer } = await machine()
    const outcome = host.orderUpdate().then(
      () => 'sent',
      ({ message }: Error) => message,
    )
    await expect.poll(() => received.length).toBe(1)
    answer({ id: received[0]?.id, type: 12, ...settings })
    expect(await outcome).toBe(isSent ? 'sent' : 'the agent follows no orders to update (disable_force_update)')
    if (isSent) await expect.poll(() => received.map(({ type }) => type)).toEqual([12, 6])
  })

  it('for an update is its settings alone when the session of who orders it ends meanwhile', async () => {
    const { host, received, answer } = await machine()
    const outcome = host.orderUpdate(() => {
      throw new Error('signed out')
    })
    await expect.poll(() => received.length).toBe(1)
    answer({ id: received[0]?.id, type: 12, successful: true, data: '{}' })
    await expect(outcome).rejects.toThrow('signed out')
    expect(received.map(({ type }) => type)).not.toContain(taskTypes.update)
  })

  it('for an update before version 1.7.0, which does not report its settings, is the order alone', async () => {
    const { host, received } = await machine({ version: '1.6.9' })
    await host.orderUpdate()
    await expect.poll(() => received).toEqual([{ type: 6 }])
  })

  it('has the types that agents take as orders, and no other (0, 5, 10)', () => {
    const sent = [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    expect(Object.values(taskTypes).sort((a, b) => a - b)).toEqual(sent)
  })

  it.each([
    ['reading settings', (host: Host) => host.config()],
    ['settings', (host: Host) => host.applyConfig('{}')],
  ] as const)('is nothing for %s before version 1.7.0, which would not answer', async (_title, order) => {
    const { host, received } = await machine({ version: '1.6.9' })
    await expect(order(host)).rejects.toThrow('agent 1.6.9 is too old for this: it needs version 1.7.0')
    expect(received).toEqual([])
  })
})

function parsed(data = ''): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

describe('results', () => {
  it('that nobody asked for, of any type, change nothing and reach nobody who asks later', async () => {
    const { host, received, answer, tasks } = await machine()
    for (let type = 0; type <= 25; type++) answer({ id: 1, type, data: 'unasked', successful: true })
    const config = host.config()
    await expect.poll(() => received.length).toBe(1)
    const [task] = received
    for (const type of [4, 13, 99]) answer({ id: task?.id, type, data: 'of another type', successful: true })
    answer({ type: 12, data: 'without the id', successful: true })
    answer({ id: task?.id, type: 12, data: '{"own":1}', successful: true })
    answer({ id: task?.id, type: 12, data: 'twice', successful: true })
    expect(await config).toBe('{"own":1}')
    expect(tasks.hasEnded).toBe(false)
  })

  it('of 5 MB arrive, which real servers refuse; those beyond 16 MiB end the stream, and the command is unknown', async () => {
    const { host, received, answer, tasks } = await machine()
    const large = host.run('a', limits)
    await expect.poll(() => received.length).toBe(1)
    answer({ id: received[0]?.id, type: 4, data: `${'y'.repeat(5_000_000)}end`, successful: true })
    expect(await large).toMatchObject({ ended: 'exited', truncated: true, output: expect.stringMatching(/y{97}end$/) })
    const larger = host.run('b', limits)
    await expect.poll(() => received.length).toBe(2)
    answer({ id: received[1]?.id, type: 4, data: 'y'.repeat(17 * 1024 * 1024), successful: true })
    expect(await larger).toMatchObject({ ended: 'lost' })
    expect(await tasks.status).toMatchObject({ code: 8 })
  })
})

describe('an agent that has everything switched off', () => {
  const off = { disable_command_execute: true, disable_send_query: true, disable_force_update: true }
  const commandsOff = 'commands are switched off on this machine (disable_command_execute)'

  it.each<AgentVersion>(['2.3.3', '1.14.4', '1.9.7'])('of version %s says so for each', async (version) => {
    const server = await testAgentServer()
    const agent = await server.agent({ version, settings: off })
    const row = server.rowOf(agent)
    const host = row && server.app.machines.connected(row)
    if (!host) throw new Error('the agent is not connected')
    for (const type of ['http', 'icmp', 'tcp'] as const)
      expect(await host.probe({ type, target: '127.0.0.1:1' }, check)).toMatchObject({ outcome: 'not permitted' })
    expect(await host.run('id', limits)).toMatchObject({ ended: 'failed', output: commandsOff })
    await expect(host.config()).rejects.toThrow(commandsOff)
    await expect(host.applyConfig('{}')).rejects.toThrow(commandsOff)
    // With commands off it does not report its settings, so the order goes out.
    await expect(host.orderUpdate()).resolves.toBeUndefined()
    await Promise.all([
      expect(host.openShell({ rows: 1, cols: 2 })).rejects.toMatchObject({ reason: 'disabled' }),
      expect(host.files.list(Buffer.from('/'))).rejects.toThrow(),
    ])
    expect(server.isConnected(agent)).toBe(true)
  })
})

describe('settings (docs/contract/AGENT.md#91-configuration-m)', () => {
  it.each([
    ['{}', undefined],
    ['null', undefined],
    ['{"report_delay":0}', undefined],
    ['zzz', "invalid character 'z' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type model.AgentConfig'],
    ['{"report_delay":9}', 'report-delay ranges from 1-4'],
    ['{"custom_ip_api":["ftp://x"]}', 'custom_ip_api entry "ftp://x" must use http or https scheme'],
    [
      '{"client_secret":"ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"}',
      'ApplyConfig rejected: client_secret rotation must use TaskTypeServerTransferApply',
    ],
  ])(
    '%s: agents accept it, or refuse it with the reason, which those before 2.0.4 do not give: %s',
    async (text, reason) => {
      const server = await testAgentServer()
      for (const version of ['2.3.3', '1.14.4'] as const) {
        const row = server.rowOf(await server.agent({ version, timeScale: 0.2 }))
        const host = row && server.app.machines.connected(row)
        if (!host) throw new Error('the agent is not connected')
        const applied = await host.applyConfig(text).catch(({ message }: Error) => message)
        if (!reason) expect(applied).toEqual({ reconnects: true })
        else if (version === '2.3.3') expect(applied).toBe(reason)
        else expect(applied).toContain('did not take the settings')
        if (!reason) await expect(host.config()).rejects.toThrow('another reload is in process')
        else expect(JSON.parse(await host.config())).toMatchObject({ report_delay: 3 })
      }
    },
  )
})

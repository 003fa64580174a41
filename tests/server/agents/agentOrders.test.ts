import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestAgent } from '../../support/agent/testAgent.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'
import type { Browser } from '../../support/console/browser.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'

type Reply = { data?: Record<string, unknown>; error?: string; success?: boolean }

const bodyOf = async (reply: Promise<{ body: unknown }>) => (await reply).body as Reply

async function fixture() {
  const server = await testAgentServer()
  const admin = await server.admin()
  const idOf = (agent: TestAgent) => server.rowOf(agent)?.id as number
  return {
    ...server,
    admin,
    idOf,
    config: (agent: TestAgent) => bodyOf(admin.get(`server/config/${idOf(agent)}`)),
    setConfig: (agents: TestAgent[], config: string) =>
      bodyOf(admin.call('POST', 'server/config', { body: { servers: agents.map(idOf), config } })),
    async runTask(command: string, agents: TestAgent[], by: Browser = admin) {
      const form = { name: 'task', task_type: 1, cover: 0, servers: agents.map(idOf), command }
      const { data: id } = (await by.call('POST', 'cron', { body: form })).body as { data: number }
      await by.call('POST', `cron/${id}/manual`)
      await server.app.tasks.idle()
      const { data } = (await by.get(`cron/${id}/runs`)).body as {
        data: { value: { id: number; server_id: number }[] }
      }
      const runs = data.value.toSorted((run, next) => run.server_id - next.server_id)
      const replies = await Promise.all(runs.map((run) => by.get(`wheelhouse/task-runs/${run.id}`)))
      return replies.map(({ body }) => (body as { data: object }).data)
    },
  }
}

describe('settings of agents', () => {
  it('are read, changed, and in force when the agent is back; until then it says that it reloads', async () => {
    const { agent, config, setConfig, idOf, isConnected } = await fixture()
    const one = await agent()
    expect(JSON.parse(String((await config(one)).data))).toMatchObject({ uuid: one.uuid, report_delay: 3 })
    expect(await setConfig([one], '{"report_delay":2}')).toEqual({
      success: true,
      data: { success: [idOf(one)], reconnecting: [idOf(one)] },
    })
    expect(await config(one)).toEqual({ error: 'get server config failed: another reload is in process' })
    await expect.poll(() => one.settings.report_delay).toBe(2)
    await expect.poll(() => isConnected(one)).toBe(true)
    await expect.poll(async () => JSON.parse(String((await config(one)).data ?? '{}')).report_delay).toBe(2)
  })

  it('that one of several refuses are named with its reason; the others have them', async () => {
    const { agent, setConfig, idOf } = await fixture()
    const [good, locked, old] = [
      await agent(),
      await agent({ settings: { disable_command_execute: true } }),
      await agent({ version: '1.14.4', timeScale: 1 }),
    ]
    expect(await setConfig([good, locked, old], '{"gpu":true}')).toEqual({
      success: true,
      data: {
        success: [idOf(good), idOf(old)],
        reconnecting: [idOf(good), idOf(old)],
        failure: [idOf(locked)],
        reasons: { [idOf(locked)]: 'commands are switched off on this machine (disable_command_execute)' },
      },
    })
    expect(await setConfig([good], '{"report_delay":9}')).toMatchObject({
      data: { reasons: { [idOf(good)]: 'report-delay ranges from 1-4' } },
    })
  })

  it('go to the request that asked: two at once never get the answers of each other', async () => {
    const { agent, config } = await fixture()
    const agents = [await agent(), await agent()]
    const replies = await Promise.all([...agents, ...agents].map(config))
    expect(replies.map(({ data }) => JSON.parse(String(data)).uuid)).toEqual(
      [...agents, ...agents].map(({ uuid }) => uuid),
    )
  })

  it('show nobody the secret of the agent’s owner, and keep it when they are saved as they were shown', async () => {
    const server = await fixture()
    const { agent, config, setConfig, idOf } = server
    const [one, other] = [await agent(), await agent()]
    const secret = one.settings.client_secret
    expect(secret.length).toBeGreaterThan(8)
    const token = programWith(server, { scopes: ['nezha:server:write'], server_ids: [idOf(one)] })
    const shown = [String((await config(one)).data), (await token.get(`server/config/${idOf(one)}`)).text]
    for (const text of shown) {
      expect(text).toContain('client_secret')
      expect(text).not.toContain(secret)
    }
    const settings = { ...(JSON.parse(shown[0] ?? '') as object), report_delay: 2 }
    expect(await setConfig([one], JSON.stringify(settings))).toMatchObject({ data: { success: [idOf(one)] } })
    expect(await setConfig([other], '{"client_secret":"","gpu":true}')).toMatchObject({
      data: { success: [idOf(other)] },
    })
    await expect.poll(() => one.settings.report_delay).toBe(2)
    expect([one, other].map(({ settings }) => settings.client_secret)).toEqual([secret, secret])
  })

  it('do not lead an agent elsewhere by a token, which its secret would go along to', async () => {
    const server = await fixture()
    const { agent, idOf } = server
    const one = await agent()
    const token = programWith(server, { scopes: ['nezha:server:write'], server_ids: [idOf(one)] })
    const save = async (settings: object) => {
      const body = { servers: [idOf(one)], config: JSON.stringify(settings) }
      return (await token.call('POST', 'server/config', body)).body
    }
    const elsewhere = 'evil.example:443'
    // Agents take the long s for an s.
    for (const moved of [{ server: elsewhere }, { SERVER: elsewhere }, { ſerver: elsewhere }, { insecure_tls: true }]) {
      const reason = `an API token cannot change where an agent connects to, or as whom: leave out ${Object.keys(moved)}`
      expect(await save({ ...moved, gpu: true })).toMatchObject({ data: { reasons: { [idOf(one)]: reason } } })
    }
    expect(await save({ server: one.settings.server, tls: false, gpu: true })).toMatchObject({
      data: { success: [idOf(one)] },
    })
  })

  it('of somebody else’s agent are not shown or changed, and members change those of their own', async () => {
    const { agent, member, idOf } = await fixture()
    const [foreign, own] = [await agent(), await agent({ owner: 2 })]
    const someone = await member()
    expect(await bodyOf(someone.get(`server/config/${idOf(foreign)}`))).toEqual({ error: 'permission denied' })
    const change = (one: TestAgent) =>
      bodyOf(someone.call('POST', 'server/config', { body: { servers: [idOf(one)], config: '{"gpu":true}' } }))
    expect(await change(foreign)).toEqual({ error: 'permission denied' })
    expect(await change(own)).toMatchObject({ data: { success: [idOf(own)] } })
  })
})

describe('a task on agents', () => {
  it('has the result of each, with the exit code and the output', async () => {
    const { agent, runTask, idOf } = await fixture()
    const [one, other, locked] = [
      await agent(),
      await agent({ version: '1.9.7' }),
      await agent({ settings: { disable_command_execute: true } }),
    ]
    const results = await runTask('echo out; exit 3', [one, other, locked])
    expect(results).toMatchObject([
      { server_id: idOf(one), state: 'failed', exit_code: 3, output: 'out' },
      { server_id: idOf(other), state: 'failed', exit_code: 3, output: 'out' },
      {
        server_id: idOf(locked),
        state: 'failed',
        reason: 'not_started',
        output: expect.stringContaining('disable_command_execute'),
      },
    ])
    expect(await runTask('kill -9 $$', [one])).toMatchObject([{ state: 'failed', reason: 'killed' }])
    expect(await runTask('echo fine', [one])).toMatchObject([{ state: 'succeeded', output: 'fine' }])
  })

  it('whose output is no text says that the agent disconnected, and why it may have', async () => {
    const { agent, runTask, isConnected } = await fixture()
    const one = await agent()
    expect(await runTask("printf 'ok\\377'", [one])).toMatchObject([
      { state: 'lost', output: expect.stringContaining('not valid UTF-8 text') },
    ])
    await expect.poll(() => isConnected(one)).toBe(true)
    expect(await runTask('echo back', [one])).toMatchObject([{ state: 'succeeded', output: 'back' }])
  })
})

describe('a service that agents check', () => {
  it('has a separate result from each of them', async () => {
    const { agent, admin, app, idOf, clock } = await fixture()
    const web = createServer((request, reply) => reply.writeHead(request.url === '/ok' ? 200 : 503).end())
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void web.close())
    const target = `http://127.0.0.1:${(web.address() as AddressInfo).port}/down`
    const [one, blind] = [await agent(), await agent({ settings: { disable_send_query: true } })]
    await admin.call('POST', 'service', { body: { name: 'web', type: 1, target, duration: 30, cover: 0 } })
    app.services.checker.tick()
    clock.now += 100
    app.services.checker.tick()
    await app.services.checker.idle()
    expect(app.services.checker.problemOf(1)).toBeDefined()
    await app.services.recorder.save()
    const { data } = (await admin.get('service/1/history')).body as { data: { servers: object[] } }
    expect(data.servers).toMatchObject([
      { server_id: idOf(one), stats: { total_down: 1 } },
      { server_id: idOf(blind), stats: { total_down: 0, not_permitted: 1 } },
    ])
    const { data: overview } = (await admin.get('service')).body as { data: { services: Record<string, object> } }
    expect(overview.services[1]).toMatchObject({ state: 'down', current_down: 1 })
  })
})

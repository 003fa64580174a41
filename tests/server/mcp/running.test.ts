import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type McpProgram, mcpMachines, mcpProgram, turnMcp } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const failed = (text: string) => ({ content: [{ type: 'text', text }], isError: true })

/** A program that runs for minutes, and has begun. */
async function fixture(where: 'host' | 'agent' = 'host', { asOperator = false } = {}) {
  const server = await mcpMachines()
  const agent = where === 'agent' ? await server.agent() : undefined
  const server_id = agent ? (server.rowOf(agent)?.id as number) : server.idOfHost
  const scope = { groups: [], servers: [server_id] }
  if (asOperator) server.app.auth.roles.assign(2, [{ role: 'operator', scope }])
  const program = mcpProgram(server, asOperator ? { user_id: 2 } : {})
  const pidFile = join(temporaryFolder(), randomUUID())
  const call = program.tool('server.exec', {
    server_id,
    cmd: 'sh',
    args: ['-c', `echo $$ > ${pidFile}.part; mv ${pidFile}.part ${pidFile}; exec sleep 250`],
    timeout_seconds: 280,
  })
  const pid = () => {
    try {
      return Number(readFileSync(pidFile, 'utf8'))
    } catch {
      return 0
    }
  }
  await expect.poll(pid).toBeGreaterThan(0)
  const isRunning = () => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid()}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  return { server, agent, server_id, program, call, isRunning }
}

describe('a call under way ends', () => {
  it('when MCP is turned off; the program is killed', async () => {
    const { server, call, isRunning } = await fixture()
    turnMcp(server, false)
    expect(await call).toEqual(failed('MCP is disabled by the dashboard administrator'))
    await expect.poll(isRunning).toBe(false)
  })

  it('when its token is deleted', async () => {
    const { server, call, program, isRunning } = await fixture()
    server.app.auth.apiTokens.remove(program.id)
    expect(await call).toEqual(failed('context canceled'))
    await expect.poll(isRunning).toBe(false)
  })

  it('when its token expires', async () => {
    const server = await mcpMachines()
    const program = mcpProgram(server, { expires_at: new Date(server.clock.now + 60_000).toISOString() })
    const started = join(temporaryFolder(), 'started')
    const call = program.tool('server.exec', {
      server_id: server.idOfHost,
      cmd: 'sh',
      args: ['-c', `touch ${started}; sleep 250`],
      timeout_seconds: 280,
    })
    await expect.poll(() => existsSync(started)).toBe(true)
    server.clock.now += 61_000
    expect(await call).toEqual(failed('context canceled'))
  })

  it('when its person is an operator of the server no longer', async () => {
    const { server, server_id, call, isRunning } = await fixture('host', { asOperator: true })
    server.app.auth.roles.assign(2, [{ role: 'viewer', scope: { groups: [], servers: [server_id] } }])
    expect(await call).toEqual(failed('permission denied'))
    await expect.poll(isRunning).toBe(false)
  })

  it('when its server gets another owner', async () => {
    const { server, server_id, call, isRunning } = await fixture()
    const admin = await server.admin()
    const reply = await admin.call('POST', 'batch-move/server', { body: { ids: [server_id], to_user: 2 } })
    expect(reply.body).toMatchObject({ success: true })
    expect(await call).toEqual(failed('permission denied'))
    await expect.poll(isRunning).toBe(false)
  })

  it('when its agent goes', async () => {
    const { agent, call } = await fixture('agent')
    await agent?.stop()
    expect(await call).toEqual(failed('agent offline'))
  })
})

describe('at the same time', () => {
  it('a token may have 8 calls under way and a person 16, and others have places left', async () => {
    const server = await mcpMachines()
    const folder = temporaryFolder()
    const start = (program: McpProgram, name: number) =>
      program.tool('server.exec', {
        server_id: server.idOfHost,
        cmd: 'sh',
        args: ['-c', `touch ${folder}/${name}; sleep 250`],
        timeout_seconds: 280,
      })
    const [one, two] = [mcpProgram(server), mcpProgram(server)]
    const calls = Array.from({ length: 16 }, (_, at) => start(at < 8 ? one : two, at))
    await expect.poll(() => calls.every((_, at) => existsSync(join(folder, String(at))))).toBe(true)
    const tooMany = (most: string) =>
      failed(`too many calls are running: at most ${most} at the same time; try again later`)
    expect(await start(one, 16)).toEqual(tooMany('8 of this token'))
    expect(await mcpProgram(server).tool('meta.whoami')).toEqual(tooMany('16 of one person'))
    expect(await mcpProgram(server, { user_id: 2 }).tool('meta.whoami')).toMatchObject({
      structuredContent: { user_id: 2 },
    })
    turnMcp(server, false)
    for (const call of calls) expect((await call).isError).toBe(true)
  })
})

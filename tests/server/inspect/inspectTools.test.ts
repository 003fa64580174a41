import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { questionTools } from '../../../server/mcp/tools/questionTools.ts'
import { mcpFailure, mcpMachines, mcpPrograms } from '../../support/server/mcpServer.ts'

it('a program with a token looks into a machine and ends a process there', async () => {
  const server = await mcpMachines()
  const server_id = server.idOfHost
  const { tool, value } = mcpPrograms(server)
  // No other process has such an argument; the number of a process may be a part of that of another one.
  const seconds = `1000000${process.pid}`
  const child = spawn('sleep', [seconds])
  onTestFinished(() => void child.kill('SIGKILL'))
  await vi.waitFor(async () => {
    const found = await value('server.inspect', { server_id, subject: 'processes', search: seconds })
    expect(found).toMatchObject({ total: 1, items: [{ pid: child.pid, command: `sleep ${seconds}` }] })
  })
  const ended = once(child, 'exit')
  const reader = mcpPrograms(server, { scopes: ['nezha:server:read'] })
  const order = { server_id, pid: child.pid, signal: 'TERM' }
  expect(await reader.tool('process.signal', order)).toEqual(mcpFailure('missing required scope: nezha:server:exec'))
  expect(await value('process.signal', order)).toEqual({ done: true })
  expect(await ended).toEqual([null, 'SIGTERM'])
  const again = await tool('process.signal', order)
  expect(again).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('The machine said: ') }] })
  const names = 'subject must be one of processes, containers'
  expect((await tool('server.inspect', { server_id, subject: 'weather' })).content[0].text).toContain(names)
})

it('a program that searches for a thousand words is told that these are too many', async () => {
  const server = await mcpMachines()
  const { tool } = mcpPrograms(server)
  const search = 'a '.repeat(1000)
  const answer = await tool('server.inspect', { server_id: server.idOfHost, subject: 'processes', search })
  expect(answer).toEqual(mcpFailure('search has at most 256 characters'))
})

it('a program asks servers the same, and gets who answers alike and who does not answer', async () => {
  const server = await mcpMachines()
  const { tool, value } = mcpPrograms(server)
  const server_ids = [server.idOfHost, 999]
  expect(await value('server.ask', { server_ids, kind: 'file', text: '/none/of/these' })).toEqual({
    answers: [{ text: '', is_absent: true, server_ids: [server.idOfHost] }],
    unanswered: [{ server_id: 999, reason: 'This server was deleted.' }],
  })
  expect(await tool('server.ask', { server_ids, kind: 'command', text: 'id' })).toEqual(
    mcpFailure('kind must be one of unit, package, process, file'),
  )
  const relative = await tool('server.ask', { server_ids, kind: 'file', text: 'etc/hosts' })
  expect(relative).toEqual(mcpFailure('etc/hosts is not a path from the root'))
  const { rows } = await server.app.audit.read(0, 20)
  expect(rows).toContainEqual(
    expect.objectContaining({
      action: 'mcp.server.ask',
      target: `server ${server.idOfHost}, 999`,
      detail: expect.objectContaining({ kind: 'file', text: '/none/of/these', count: 2, outcome: 'ok' }),
    }),
  )
})

it('a question of a program that cannot be looked at any more ends no more than itself', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const error = vi.fn()
  const unreadable = () => {
    throw new Error('the database cannot be read')
  }
  const server_ids = [1]
  const questions = {
    ask: () => ({ id: 'one', names: [] }),
    look: unreadable,
    end: unreadable,
    ended: () => new Promise<void>(() => {}),
    stop: () => {},
  }
  const [ask] = questionTools({ questions, personNow: () => undefined, log: { error } })
  const controller = new AbortController()
  const context = { caller: {} as never, signal: controller.signal, note: () => {}, endWhen: () => {} }
  void ask?.call({ server_ids, kind: 'unit', text: 'nginx' }, context)
  await vi.advanceTimersByTimeAsync(10_000)
  controller.abort()
  expect(error).toHaveBeenCalledTimes(2)
})

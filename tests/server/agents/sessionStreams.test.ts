import { describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import type { AgentCalls } from '../../support/agent/agentCalls.ts'
import { type AgentServer, startAgentServer, testUuid } from '../../support/agent/agentServer.ts'

const magic = Buffer.from([0xff, 0x05, 0xff, 0x05])

/** A server with an agent that reports and was asked for a terminal, which it has not opened yet. */
async function askedForTerminal() {
  const server = await startAgentServer()
  const agent = server.calls()
  const tasks = agent.stream('RequestTask')
  const asked = Promise.withResolvers<string>()
  tasks.onMessage(({ type, data = '' }) => type === 8 && asked.resolve(JSON.parse(data).StreamID))
  const states = agent.stream('ReportSystemState')
  const reported = new Promise((resolve) => states.onMessage(resolve))
  states.send({ cpu: 1 })
  await reported
  const [row] = entityTable(server.store, servers).find({ uuid: testUuid })
  await expect.poll(() => row && server.machines.connected(row)).toBeDefined()
  const opening = row && server.machines.connected(row)?.openShell({ rows: 24, cols: 80 })
  if (!opening) throw new Error('the agent is not connected')
  return { server, agent, opening, id: await asked.promise }
}

/** Opens a stream whose first frame has this in it. */
function attach(agent: AgentCalls, first: Uint8Array) {
  const stream = agent.stream('IOStream')
  const frames: string[] = []
  stream.onMessage(({ data }) => frames.push(Buffer.from(data ?? []).toString('latin1')))
  stream.send({ data: first })
  return { stream, frames, send: (text: string) => stream.send(text ? { data: Buffer.from(text) } : {}) }
}

const first = (id: string) => Buffer.concat([magic, Buffer.from(id)])

const foreign = (server: AgentServer) =>
  server.calls({ 'client-secret': server.secretOf(2), 'client-uuid': testUuid.replace('1', '2') })

describe('a stream of an agent is refused (docs/contract/AGENT.md#8-iostream-sessions-m)', () => {
  it.each([
    ['without the magic bytes', (id: string) => Buffer.from(id)],
    ['with half of the magic bytes', () => magic.subarray(0, 2)],
    ['with other magic bytes', (id: string) => Buffer.concat([Buffer.from([0xff, 0x05, 0xff, 0x06]), Buffer.from(id)])],
    ['with an empty first frame', () => Buffer.alloc(0)],
    ['with an empty id', () => first('')],
    ['with an id that nobody made', () => first('00000000-0000-4000-8000-000000000000')],
    ['with a part of the id', (id: string) => first(id.slice(0, -1))],
    ['with more than the id', (id: string) => first(`${id}0`)],
    ['with an id of 1 MiB', () => first('x'.repeat(1024 * 1024))],
  ])('%s, and the session still waits for the right one', async (_title, firstFrame) => {
    const { agent, opening, id } = await askedForTerminal()
    expect(await attach(agent, firstFrame(id)).stream.status).toMatchObject({ code: 2, details: 'invalid stream id' })
    attach(agent, first(id))
    await expect(opening).resolves.toBeDefined()
  })

  it('from another agent, also one of the same user, and the session still waits', async () => {
    const { server, agent, opening, id } = await askedForTerminal()
    const sibling = server.calls({ 'client-secret': server.secretOf(1), 'client-uuid': testUuid.replace('1', '3') })
    for (const other of [foreign(server), sibling])
      expect(await attach(other, first(id)).stream.status).toMatchObject({
        code: 2,
        details: 'stream not authorized for agent',
      })
    attach(agent, first(id))
    await expect(opening).resolves.toBeDefined()
  })

  it('when the session has one already, which goes on', async () => {
    const { server, agent, opening, id } = await askedForTerminal()
    const one = attach(agent, first(id))
    const shell = await opening
    for (const other of [agent, foreign(server)])
      expect(await attach(other, first(id)).stream.status).toMatchObject({
        code: 2,
        details: 'agent stream already connected',
      })
    const output: string[] = []
    shell.onData((bytes) => output.push(Buffer.from(bytes).toString()))
    one.send('goes on')
    await expect.poll(() => output).toEqual(['goes on'])
  })

  it('when the session is over', async () => {
    const { agent, opening, id } = await askedForTerminal()
    const one = attach(agent, first(id))
    await (await opening).kill()
    await one.stream.status
    expect(await attach(agent, first(id)).stream.status).toMatchObject({ code: 2, details: 'invalid stream id' })
  })

  it('when it has not said within ten seconds which one it is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const server = await startAgentServer()
    const agent = server.calls()
    const silent = agent.stream('IOStream')
    silent.onMessage(() => {})
    await vi.waitFor(() => expect(server.machines.idOf(testUuid)).toBeDefined())
    await vi.advanceTimersByTimeAsync(9_900)
    expect(silent.hasEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    expect(await silent.status).toMatchObject({ code: 2, details: 'no stream id' })
  })
})

describe('a session over a stream', () => {
  it('keeps what the agent sends before anybody listens, frame by frame, without the empty ones', async () => {
    const { agent, opening, id } = await askedForTerminal()
    const one = attach(agent, first(id))
    for (const text of ['', 'a', '', '', 'b', `c${'x'.repeat(1_048_600)}`, '']) one.send(text)
    const shell = await opening
    const output: string[] = []
    shell.onData((bytes) => output.push(Buffer.from(bytes).toString()))
    one.send('d')
    await expect.poll(() => output.length).toBe(4)
    expect(output.map((text) => text[0]).join('')).toBe('abcd')
    expect(output[2]).toHaveLength(1_048_601)
  })

  it('sends input and size as the agent reads them', async () => {
    const { agent, opening, id } = await askedForTerminal()
    const { frames } = attach(agent, first(id))
    const shell = await opening
    shell.write(Buffer.from('ls\r'))
    shell.resize({ rows: 40, cols: 120 })
    await expect.poll(() => frames.length).toBe(3)
    expect(frames.map((text) => text[0])).toEqual(['\u0001', '\u0000', '\u0001'])
    expect(frames[1]).toBe('\u0000ls\r')
    expect(JSON.parse(frames[2]?.slice(1) ?? '')).toEqual({ Rows: 40, Cols: 120 })
  })

  it('gets an empty frame every 30 seconds from this side', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { agent, opening, id } = await askedForTerminal()
    const { frames } = attach(agent, first(id))
    await opening
    const empty = () => frames.filter((text) => text === '').length
    await vi.advanceTimersByTimeAsync(29_000)
    expect(empty()).toBe(0)
    for (const count of [1, 2]) {
      await vi.advanceTimersByTimeAsync(30_000)
      await vi.waitFor(() => expect(empty()).toBe(count))
    }
  })

  it.each([
    ['half-closes', 'halfClose'],
    ['half-closes and resets', 'both'],
    ['resets', 'cancel'],
  ] as const)('ends when the agent %s it, after the last frame', async (_title, how) => {
    const { agent, opening, id } = await askedForTerminal()
    const one = attach(agent, first(id))
    const shell = await opening
    const received: string[] = []
    shell.onData((bytes) => received.push(Buffer.from(bytes).toString()))
    shell.onExit(() => received.push('end'))
    one.send('last words')
    if (how === 'cancel') await expect.poll(() => received).toEqual(['last words'])
    if (how !== 'cancel') one.stream.halfClose()
    if (how !== 'halfClose') one.stream.cancel()
    await expect.poll(() => received).toEqual(['last words', 'end'])
    if (how === 'halfClose') expect(await one.stream.status).toMatchObject({ code: 0 })
  })

  it('ends with OK when the browser goes, so that the agent ends its shell', async () => {
    const { agent, opening, id } = await askedForTerminal()
    const one = attach(agent, first(id))
    await (await opening).kill()
    expect(await one.stream.status).toMatchObject({ code: 0 })
  })
})

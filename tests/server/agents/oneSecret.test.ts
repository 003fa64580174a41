import { type ClientHttp2Session, type ClientHttp2Stream, type ClientSessionOptions, connect } from 'node:http2'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { frameMessage, prefixBytes } from '../../../server/agents/grpc/messageReader.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { encodeMessage, pathOf, type Rpc } from '../../support/agent/agentMessages.ts'
import { type AgentServer, startAgentServer, testUuid } from '../../support/agent/agentServer.ts'

const MiB = 1024 * 1024

const uuidOf = (index: number) => `${String(index).padStart(8, '0')}-1234-4234-8234-123456789abc`

/** A connection of an agent that keeps to no rules. */
function connection({ port }: AgentServer, options?: ClientSessionOptions): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1000, ...options })
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return session
}

/** A call on it, and the status that it ends with. */
function call(session: ClientHttp2Session, rpc: Rpc, { secret, uuid = testUuid }: { secret: string; uuid?: string }) {
  const stream = session.request({
    ':method': 'POST',
    ':path': pathOf(rpc),
    'content-type': 'application/grpc',
    te: 'trailers',
    client_secret: secret,
    client_uuid: uuid,
  })
  stream.on('error', () => {})
  stream.resume()
  const status = new Promise<{ code: string; details: string }>((resolve) => {
    const take = (headers: Record<string, unknown>) => {
      if (headers['grpc-status'] === undefined) return
      resolve({
        code: String(headers['grpc-status']),
        details: decodeURIComponent(String(headers['grpc-message'] ?? '')),
      })
    }
    stream.on('response', take)
    stream.on('trailers', take)
  })
  let isOver = false
  void status.then(() => {
    isOver = true
  })
  return { stream, status, isOver: () => isOver }
}

/** What announces a message of so many bytes. */
const announcement = (length: number) => {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(length, 1)
  return prefix
}

const report = frameMessage(encodeMessage('State', { cpu: 5 }))

/** Receipts that have come. */
function receiptsOf(stream: ClientHttp2Stream): () => number {
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  return () => bytes / 7
}

/** Whether an agent with this secret and an open stream still gets the receipt of its next report. */
async function isServed(agent: { stream: ClientHttp2Stream }, receipts: () => number): Promise<void> {
  const before = receipts()
  agent.stream.write(report)
  await vi.waitFor(() => expect(receipts()).toBe(before + 1))
}

describe('a message of an agent', () => {
  it.each([
    ['ReportSystemInfo', 64 * 1024],
    ['ReportSystemInfo2', 64 * 1024],
    ['ReportGeoIP', 64 * 1024],
    ['ReportSystemState', 64 * 1024],
    ['IOStream', 4 * MiB],
    ['RequestTask', 16 * MiB],
  ] as const)('of %s ends the call when more than %i bytes are announced', async (rpc, most) => {
    const server = await startAgentServer()
    const session = connection(server)
    const [good, bad] = [0, 1].map((more) => {
      const made = call(session, rpc, { secret: server.secretOf(1) })
      made.stream.write(announcement(most + more))
      return made
    })
    expect(await bad?.status).toMatchObject({ code: '8', details: expect.stringContaining('larger than max') })
    expect(good?.isOver()).toBe(false)
  })

  it('that was announced and does not come ends the call, and so does one that never begins', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = await startAgentServer()
    const session = connection(server)
    const secret = server.secretOf(1)
    await new Promise((resolve) => session.once('remoteSettings', resolve))
    const half = call(session, 'ReportSystemInfo2', { secret })
    const none = call(session, 'ReportGeoIP', { secret })
    const result = call(session, 'RequestTask', { secret })
    half.stream.write(announcement(100))
    result.stream.write(announcement(MiB))
    /** Seconds until the calls are over, with time for the connection in each of them. */
    async function secondsUntil(calls: { isOver(): boolean }[]): Promise<number> {
      let seconds = 0
      for (; seconds < 60 && !calls.every(({ isOver }) => isOver()); seconds++) {
        await vi.advanceTimersByTimeAsync(1000)
        await new Promise<void>((resolve) => session.ping(() => resolve()))
      }
      return seconds
    }
    expect(await secondsUntil([half, none])).toBeGreaterThanOrEqual(10)
    expect(await none.status).toMatchObject({ details: 'no message for too long' })
    expect(result.isOver()).toBe(false)
    // A long one has the time that a slow line takes for it.
    expect(await secondsUntil([result])).toBeGreaterThan(10)
    expect(await result.status).toEqual({ code: '8', details: 'a message took too long to arrive' })
  })
})

describe('an agent that reports without waiting for receipts', () => {
  it('is read a few times a second, and gets a receipt for each report', async () => {
    const server = await startAgentServer()
    const states = call(connection(server), 'ReportSystemState', { secret: server.secretOf(1) })
    const receipts = receiptsOf(states.stream)
    const began = performance.now()
    for (let sent = 0; sent < 64; sent++) states.stream.write(report)
    await vi.waitFor(() => expect(receipts()).toBe(64))
    expect(performance.now() - began).toBeGreaterThan(600)
    states.stream.end()
    expect(await states.status).toMatchObject({ code: '0' })
  })

  it('and sends thousands of them is ended, while an agent with the same secret goes on', async () => {
    const server = await startAgentServer()
    const secret = server.secretOf(1)
    const good = call(connection(server), 'ReportSystemState', { secret, uuid: uuidOf(1) })
    const receipts = receiptsOf(good.stream)
    await isServed(good, receipts)
    const received = vi.spyOn(server.machines, 'idOf')
    const flood = call(connection(server), 'ReportSystemState', { secret })
    flood.stream.write(Buffer.concat(Array.from({ length: 100_000 }, () => report)))
    await isServed(good, receipts)
    expect(await flood.status).toEqual({ code: '8', details: 'messages come faster than any agent sends them' })
    // Those of the first moments; each of them looks for its machine.
    expect(received.mock.calls.length).toBeLessThan(100)
    await isServed(good, receipts)
  })

  it('is ended when it leaves its receipts unread', async () => {
    const server = await startAgentServer()
    const session = connection(server, { settings: { initialWindowSize: 0 } })
    const states = call(session, 'ReportSystemState', { secret: server.secretOf(1) })
    for (let sent = 0; sent < 200; sent++) states.stream.write(report)
    const [row] = await vi.waitFor(async () => {
      const rows = entityTable(server.store, servers).all()
      expect(rows.map((one) => server.machines.connected(one) !== undefined)).toEqual([true])
      return rows
    })
    await vi.waitFor(() => expect(row && server.machines.connected(row)).toBeUndefined())
  })
})

describe('an agent that reads no orders', () => {
  /** An agent that reports, and whose window for orders is closed. */
  async function deaf() {
    const server = await startAgentServer()
    const secret = server.secretOf(1)
    const states = call(connection(server), 'ReportSystemState', { secret })
    await isServed(states, receiptsOf(states.stream))
    const session = connection(server, { settings: { initialWindowSize: 0 } })
    const tasks = call(session, 'RequestTask', { secret })
    const [row] = entityTable(server.store, servers).find({ uuid: testUuid })
    if (!row) throw new Error('there is no row')
    const machine = () => server.machines.connected(row)
    const order = (command: string, waitMs = 60_000) =>
      machine()?.run(command, { timeoutMs: 0, maxOutputBytes: 100, signal: AbortSignal.timeout(waitMs) })
    // Its stream is open once an order does not fail at once.
    await vi.waitFor(async () => expect(await order('x', 30)).toMatchObject({ ended: 'aborted' }))
    return { session, tasks, order }
  }

  it('is disconnected at some MiB of them', async () => {
    const { order } = await deaf()
    const runs = Array.from({ length: 10 }, () => order('x'.repeat(MiB)))
    // Those that were on their way, and those that the agent was not sent any more.
    expect(new Set((await Promise.all(runs)).map((result) => result?.ended))).toEqual(new Set(['lost', 'failed']))
  })

  it('gets none, when it reads again, for which nobody waits any more', async () => {
    const { session, tasks, order } = await deaf()
    const [first, over, last] = [order('a'.repeat(MiB)), order('b'.repeat(MiB), 50), order('c'.repeat(MiB))]
    await over
    let text = ''
    tasks.stream.setEncoding('latin1')
    tasks.stream.on('data', (chunk: string) => {
      text += chunk
    })
    session.settings({ initialWindowSize: 8 * MiB })
    await vi.waitFor(() => expect(text.length).toBeGreaterThan(2 * MiB))
    expect([text.includes('aaaa'), text.includes('bbbb'), text.includes('cccc')]).toEqual([true, false, true])
    tasks.stream.destroy()
    await Promise.all([first, last])
  })
})

it('results that nobody asked for are no sign of life: an agent that sends only those is ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await startAgentServer()
  const tasks = call(connection(server), 'RequestTask', { secret: server.secretOf(1) })
  await vi.waitFor(() => expect(server.machines.idOf(testUuid)).toBeDefined())
  for (let minute = 1; minute <= 4 && !tasks.isOver(); minute++) {
    server.clock.now += 20_000
    for (const [id, type] of [
      [0, 4],
      [5, 4],
      [5, 7],
    ])
      tasks.stream.write(frameMessage(encodeMessage('TaskResult', { id, type, successful: true })))
    await vi.advanceTimersByTimeAsync(20_000)
  }
  expect(await tasks.status).toMatchObject({ code: '2', details: 'no answer to a keepalive for too long' })
})

describe('all agents with one secret', () => {
  it('register at a rate: who is told to wait is let in later, and those of other users do not notice', async () => {
    const server = await startAgentServer()
    const sessions = Array.from({ length: 4 }, () => connection(server))
    const register = (index: number, userId = 1) => {
      const session = sessions[index % sessions.length] as ClientHttp2Session
      const info = call(session, 'ReportSystemInfo2', { secret: server.secretOf(userId), uuid: uuidOf(index) })
      info.stream.end(frameMessage(Buffer.alloc(0)))
      return info.status
    }
    const statuses: { code: string; details: string }[] = []
    for (let first = 0; first < 700; first += 100)
      statuses.push(...(await Promise.all(Array.from({ length: 100 }, (_, at) => register(first + at)))))
    const refused = statuses.filter(({ code }) => code === '8')
    expect(refused.length).toBeGreaterThan(0)
    expect(statuses.length - refused.length).toBeGreaterThanOrEqual(500)
    expect(refused[0]?.details).toBe(
      'too many registrations with this secret: at most 500 at once and 5 a second; this agent is let in when it tries again',
    )
    expect(server.logged).toEqual([
      expect.stringMatching(/^Registrations of agents with one secret are refused: 500 at/),
    ])
    // Known agents go on, and those of somebody else register.
    expect(await register(0)).toMatchObject({ code: '0' })
    expect(await register(9000, 2)).toMatchObject({ code: '0' })
    await vi.waitFor(async () => expect(await register(699)).toMatchObject({ code: '0' }))
  })

  it('have so many calls open at a time, and there is room again when some have ended', async () => {
    const server = await startAgentServer()
    const open = (userId: number) => {
      const sessions = Array.from({ length: 3 }, () => connection(server))
      return Array.from({ length: 600 }, (_, index) =>
        call(sessions[index % 3] as ClientHttp2Session, 'IOStream', { secret: server.secretOf(userId) }),
      )
    }
    const calls = open(1)
    await vi.waitFor(() => expect(calls.filter(({ isOver }) => isOver()).length).toBeGreaterThan(50))
    const [refused] = calls.filter(({ isOver }) => isOver())
    expect(await refused?.status).toEqual({
      code: '8',
      details: 'too many calls with this secret: some have to end first',
    })
    const info = (userId: number, uuid: string) => {
      const made = call(connection(server), 'ReportSystemInfo2', { secret: server.secretOf(userId), uuid })
      made.stream.end(frameMessage(Buffer.alloc(0)))
      return made.status
    }
    expect(await info(1, testUuid)).toMatchObject({ code: '8' })
    expect(await info(2, uuidOf(2))).toMatchObject({ code: '0' })
    for (const { stream } of calls) stream.close()
    await vi.waitFor(async () => expect(await info(1, testUuid)).toMatchObject({ code: '0' }))
  })
})

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAgentStreams } from '../../../../server/machines/hosts/agent/agentStreams.ts'
import { connectThroughAgent } from '../../../../server/machines/hosts/agent/agentTunnel.ts'
import { ConnectError } from '../../../../server/machines/hosts/host.ts'
import { FakeAgentConnection, recordedFrames } from '../../../support/fakes/fakeAgentStreams.ts'

afterEach(() => void vi.useRealTimers())

async function connect() {
  const connection = new FakeAgentConnection()
  const streams = createAgentStreams({ connection, readConfig: async () => '{}' })
  const tunnel = await connectThroughAgent(streams, '127.0.0.1:7002', new AbortController().signal)
  tunnel.on('error', () => {})
  return { tunnel, stream: await connection.last() }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a connection through an agent', () => {
  it('is task 9 with the target, and both ways carries bytes as they are', async () => {
    const { tunnel, stream } = await connect()
    expect(stream).toMatchObject({ type: 9, data: { Host: '127.0.0.1:7002' } })
    tunnel.write('ping')
    stream.send('pong')
    expect(String((await once(tunnel, 'data'))[0])).toBe('pong')
    expect(stream.received.map(String)).toEqual(['ping'])
  })

  it('delivers the reply that a real agent sent, without the text EOF behind it', async () => {
    const { tunnel, stream } = await connect()
    const up = recordedFrames('nat-get').filter(({ dir }) => dir === 'up')
    expect(up.at(-1)?.bytes.toString()).toBe('EOF')
    for (const { bytes } of up) stream.send(bytes)
    stream.endByAgent()
    const text = await textOf(tunnel)
    expect(text).toMatch(/^HTTP\/1.1 200 OK/)
    expect(text).toMatch(/hello\n$/)
    await vi.waitFor(() => expect([tunnel.closed, stream.hasEnded]).toEqual([true, true]))
  })

  it('keeps the text EOF of a service that goes on, or that says nothing after it for a while', async () => {
    const { tunnel, stream } = await connect()
    const received: string[] = []
    tunnel.on('data', (chunk) => received.push(String(chunk)))
    stream.send('EOF')
    stream.send('more')
    stream.send('EOF')
    await vi.waitFor(() => expect(received.join('|')).toBe('EOF|more|EOF'))
    stream.send('EOF')
    stream.send('EOF')
    stream.endByAgent()
    await once(tunnel, 'close')
    expect(received.join('|')).toBe('EOF|more|EOF|EOF')
  })

  it('without a single byte is one to a service that cannot be reached', async () => {
    const { tunnel, stream } = await connect()
    const failed = once(tunnel, 'error')
    stream.endByAgent()
    const [error] = await failed
    expect(error).toBeInstanceOf(ConnectError)
    expect(error.message).toBe('The service behind this name cannot be reached.')
  })

  it('that the service breaks off is broken, not complete', async () => {
    const { tunnel, stream } = await connect()
    stream.send('half of the rep')
    stream.send('read tcp 127.0.0.1:40510->127.0.0.1:7002: read: connection reset by peer')
    stream.endByAgent()
    await expect(textOf(tunnel)).rejects.toThrow('connection reset by peer')
  })

  it('asks the agent to wait while the visitor does not read, and the visitor while the agent does not', async () => {
    const { tunnel, stream } = await connect()
    for (let count = 0; count < 20; count++) stream.send(Buffer.alloc(10_240))
    expect(stream.isPaused).toBe(true)
    stream.isBlocked = true
    let isWritten = false
    tunnel.write(Buffer.alloc(600_000), () => {
      isWritten = true
    })
    expect(stream.received.map(({ length }) => length)).toEqual([262_144, 262_144, 75_712])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isWritten).toBe(false)
    stream.drain()
    await vi.waitFor(() => expect(isWritten).toBe(true))
    tunnel.resume()
    await vi.waitFor(() => expect(stream.isPaused).toBe(false))
  })

  it('ends a second after the visitor has closed one direction, and after the last byte of the service', async () => {
    const { tunnel, stream } = await connect()
    vi.useFakeTimers()
    tunnel.end()
    await vi.advanceTimersByTimeAsync(900)
    stream.send('the rest')
    const text = textOf(tunnel)
    await vi.advanceTimersByTimeAsync(900)
    expect(stream.hasEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(stream.hasEnded).toBe(true)
    expect(await text).toBe('the rest')
  })

  it('ends the agent’s side when it is closed, also while a write waits', async () => {
    const one = await connect()
    one.tunnel.destroy()
    expect(one.stream.hasEnded).toBe(true)
    const other = await connect()
    other.stream.isBlocked = true
    other.tunnel.write('x')
    other.stream.send('y')
    other.stream.endByAgent()
    other.tunnel.resume()
    await vi.waitFor(() => expect(other.tunnel.closed).toBe(true))
  })

  it('carries a request of Node’s own client and its reply', async () => {
    const { tunnel, stream } = await connect()
    const outgoing = request({
      path: '/echo?a=1',
      headers: { host: 'nat.example.org' },
      createConnection: () => tunnel,
    })
    outgoing.end()
    const replied = once(outgoing, 'response') as Promise<[IncomingMessage]>
    await vi.waitFor(() => expect(String(stream.received[0])).toMatch(/^GET \/echo\?a=1 HTTP\/1.1\r\n/))
    for (const { dir, bytes } of recordedFrames('nat-get')) if (dir === 'up') stream.send(bytes)
    stream.endByAgent()
    const [reply] = await replied
    expect(await textOf(reply)).toBe('hello\n')
  })
})

describe('a connection that an agent is not asked for', () => {
  it.each([
    ['not a target', /must be a host and a port/],
    ['127.0.0.1:0', /must be a host and a port/],
    ['169.254.169.254:80', /not allowed/],
    ['[::ffff:169.254.169.254]:80', /not allowed/],
  ])('is one to %s', async (target, message) => {
    const connection = new FakeAgentConnection()
    const streams = createAgentStreams({ connection, readConfig: async () => '{}' })
    await expect(connectThroughAgent(streams, target, new AbortController().signal)).rejects.toThrow(message)
    expect(connection.streams).toEqual([])
  })
})

describe('a connection that an agent does not make', () => {
  it.each([
    ['silent', '{"disable_nat":true}', 'The server behind this name does not forward.'],
    ['silent', '{}', /^The server behind this name does not answer\./],
    ['gone', '{}', /is not connected/],
  ] as const)('is told in words: %s with %s', async (answer, config, message) => {
    vi.useFakeTimers()
    const connection = new FakeAgentConnection()
    connection.answer = answer
    const streams = createAgentStreams({ connection, readConfig: async () => config })
    const failure = connectThroughAgent(streams, '127.0.0.1:1', new AbortController().signal).catch((error) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    const error = await failure
    expect(error).toBeInstanceOf(ConnectError)
    expect(error.message).toMatch(message)
  })
})

import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import { nat } from '../../../../src/schemas/nat.ts'
import { type ServerWithAgent, startServerWithAgent } from '../../../support/server/fixtures/serverWithAgent.ts'
import { forwardedName, openRequest, sendRequest, startService } from '../../../support/server/natServer.ts'

const MiB = 1024 * 1024
const block = Buffer.alloc(64 * 1024, 'x')

/** Waits until a number grows no more. */
async function standstill(read: () => number): Promise<void> {
  for (let before = -1; read() !== before; await new Promise((resolve) => setTimeout(resolve, 500))) before = read()
}

/** Forwards the name of the tests through the agent. */
async function forward(
  target: number,
  options: Parameters<typeof startServerWithAgent>[0] = {},
): Promise<ServerWithAgent> {
  const server = await startServerWithAgent(options)
  entityTable(server.store, nat).insert({
    name: 'n',
    enabled: true,
    server_id: 1,
    host: `127.0.0.1:${target}`,
    domain: forwardedName,
    user_id: 1,
  })
  await vi.waitFor(() => expect(server.agent.receipts).toBeGreaterThan(0))
  return server
}

async function bodyOf(reply: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a service behind an agent', () => {
  it.each(['2.3.3', '1.9.7'] as const)(
    'of version %s gets the request without cookies of the console, and its reply arrives',
    async (version) => {
      const service = await startService((_request, reply) => reply.writeHead(201, { 'x-test': 'a' }).end('hello'))
      const { port } = await forward(service.port, { version })
      const reply = await sendRequest(port, { path: '/a?b=1', headers: { cookie: 'nz-jwt=secret; own=1; nz-csrf=x' } })
      expect(reply).toMatchObject({ status: 201, text: 'hello', headers: { 'x-test': 'a' } })
      const [received] = service.requests
      expect(received).toMatchObject({
        url: '/a?b=1',
        headers: { host: forwardedName, cookie: 'own=1', connection: 'close', 'x-forwarded-for': '127.0.0.1' },
      })
    },
  )

  it('may end its reply by closing, and no text of the agent follows', async () => {
    const service = await startService((_request, reply) => {
      reply.useChunkedEncodingByDefault = false
      reply.write('until the end')
      setTimeout(() => reply.end(), 50)
    })
    const { port } = await forward(service.port)
    expect((await sendRequest(port)).text).toBe('until the end')
  })

  it('gets the next request of a visitor who keeps the connection, each by a tunnel of its own', async () => {
    const service = await startService((incoming, reply) => void reply.end(incoming.url))
    const { port } = await forward(service.port)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set()
    for (const path of ['/first', '/second', '/third']) {
      const outgoing = request({ host: '127.0.0.1', port, path, agent, headers: { host: forwardedName } })
      outgoing.on('socket', (socket) => sockets.add(socket))
      outgoing.end()
      const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
      expect(await bodyOf(reply)).toBe(path)
    }
    agent.destroy()
    expect(sockets.size).toBe(1)
    expect(new Set(service.requests.map(({ socket }) => socket)).size).toBe(3)
  })

  it('gets bodies of any size, chunked or with a length, and sends as much back', async () => {
    const service = await startService((incoming, reply) => void incoming.pipe(reply))
    const { port } = await forward(service.port)
    const body = 'x'.repeat(3_000_000)
    const length = { 'content-length': String(body.length) }
    for (const headers of [length, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const reply = await sendRequest(port, { method: 'POST', headers, body })
      expect(reply.text.length).toBe(body.length)
    }
  })

  it('is reached by WebSockets, and their ends reach both sides', async () => {
    const service = await startService()
    const sockets = new WebSocketServer({ server: service.server })
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
    const { port } = await forward(service.port)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { host: forwardedName } })
    await once(socket, 'open')
    for (const text of ['ping', 'EOF', 'x'.repeat(1_000_000)]) {
      socket.send(text)
      expect(String((await once(socket, 'message'))[0])).toBe(text)
    }
    const [atService] = sockets.clients
    const closed = once(atService as WebSocket, 'close')
    socket.terminate()
    await closed
    sockets.close()
  })

  it('is not reached when it does not listen, and the visitor reads so', async () => {
    const { port } = await forward(1)
    const reply = await sendRequest(port)
    expect(reply.status).toBe(502)
    expect(reply.text).toContain('The service behind this name cannot be reached.')
  })

  it('is not reached when the agent does not forward, and the visitor reads so', async () => {
    const service = await startService()
    const { port } = await forward(service.port, { settings: { disable_nat: true } })
    const reply = await sendRequest(port)
    expect(reply.status).toBe(502)
    expect(reply.text).toContain('The server behind this name does not forward.')
    expect(service.requests).toEqual([])
  })

  it('is cut off from visitors when the agent stops', async () => {
    const service = await startService((_request, reply) => void reply.write('begin'))
    const { port, agent } = await forward(service.port)
    const outgoing = openRequest(port)
    outgoing.end()
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body = bodyOf(reply)
    body.catch(() => {})
    await vi.waitFor(() => expect(service.requests).toHaveLength(1))
    await agent.stop()
    await expect(body).rejects.toThrow('aborted')
  })

  it('serves more visitors at once than an agent has streams: the others wait for their turn', async () => {
    const service = await startService((_request, reply) => void setTimeout(() => reply.end('ok'), 30))
    const { port } = await forward(service.port)
    const replies = await Promise.all(Array.from({ length: 120 }, () => sendRequest(port)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 ok']))
  })

  it('that does not read makes the visitor wait, and a visitor who does not read makes it wait', async () => {
    let offered = 0
    const service = await startService((incoming, reply) => {
      if (incoming.method === 'POST') return
      const more = () => {
        while (offered < 200 * MiB) {
          offered += block.length
          if (!reply.write(block)) return void reply.once('drain', more)
        }
      }
      more()
    })
    const { port } = await forward(service.port)
    const outgoing = openRequest(port, { method: 'POST' })
    outgoing.on('error', () => {})
    let sent = 0
    const send = () => {
      while (sent < 200 * MiB && !outgoing.destroyed) {
        sent += block.length
        if (!outgoing.write(block)) return void outgoing.once('drain', send)
      }
    }
    send()
    const reading = connect(port, '127.0.0.1', () => reading.write(`GET / HTTP/1.1\r\nHost: ${forwardedName}\r\n\r\n`))
    await once(reading, 'readable')
    await standstill(() => sent + offered)
    // The buffers of the system, of two streams and of the test agent.
    expect(sent).toBeLessThan(40 * MiB)
    expect(offered).toBeLessThan(40 * MiB)
    outgoing.destroy()
    reading.destroy()
  })

  it('is informed when a visitor closes the connection', async () => {
    const service = await startService(() => {})
    const { port } = await forward(service.port)
    const visitor = connect(port, '127.0.0.1', () => visitor.write(`GET / HTTP/1.1\r\nHost: ${forwardedName}\r\n\r\n`))
    await vi.waitFor(() => expect(service.requests).toHaveLength(1))
    const closed = once((service.requests[0] as IncomingMessage).socket, 'close')
    visitor.destroy()
    await closed
  })
})

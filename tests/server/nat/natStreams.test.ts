import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  forwardedName,
  openRequest,
  sendRequest,
  startNatServer,
  startService,
} from '../../support/server/natServer.ts'

const MiB = 1024 * 1024
const block = Buffer.alloc(64 * 1024, 'x')

/** Writes with backpressure, up to so many bytes. @returns a function with the number of written bytes */
function pour(target: NodeJS.WritableStream & { destroyed?: boolean }, total: number): () => number {
  let sent = 0
  const more = () => {
    while (sent < total && !target.destroyed) {
      sent += block.length
      if (!target.write(block)) return void target.once('drain', more)
    }
    if (!target.destroyed) target.end()
  }
  more()
  return () => sent
}

/** Waits until no more bytes are accepted. */
async function standstill(sent: () => number): Promise<void> {
  for (let before = -1; sent() !== before; ) {
    before = sent()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

async function countBytes(stream: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const chunk of stream) count += chunk.length
  return count
}

const replyOf = async (outgoing: ReturnType<typeof openRequest>) =>
  ((await once(outgoing, 'response')) as [IncomingMessage])[0]

describe('forwarded data', () => {
  it('waits for a slow visitor', async () => {
    let sent = () => 0
    const { port: target } = await startService((_request, reply) => {
      sent = pour(reply, 200 * MiB)
    })
    const { port } = await startNatServer({ target })
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(`GET / HTTP/1.1\r\nhost: ${forwardedName}\r\n\r\n`)
    await once(socket, 'readable')
    socket.pause()
    await standstill(sent)
    // The system's own buffers of the two connections.
    expect(sent()).toBeLessThan(30 * MiB)
    socket.destroy()
  })

  it('waits for a slow service', async () => {
    const { port: target } = await startService(() => {})
    const { port } = await startNatServer({ target })
    const outgoing = openRequest(port, { method: 'POST' })
    outgoing.on('error', () => {})
    const sent = pour(outgoing, 200 * MiB)
    await standstill(sent)
    expect(sent()).toBeLessThan(30 * MiB)
    outgoing.destroy()
  })

  it('arrives piece by piece, as in an event stream', async () => {
    let write = (_text: string) => {}
    const { port: target } = await startService((_request, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.flushHeaders()
      write = (text) => void reply.write(text)
    })
    const { port } = await startNatServer({ target })
    const outgoing = openRequest(port)
    outgoing.end()
    const reply = await replyOf(outgoing)
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      write(text)
      expect(String((await once(reply, 'data'))[0])).toBe(text)
    }
    outgoing.destroy()
  })

  it('may take longer than a request to the console', async () => {
    const service = await startService(async (request, reply) => reply.end(String(await countBytes(request))))
    const { port } = await startNatServer({ target: service.port, requestTimeoutMs: 1000 })
    const outgoing = openRequest(port, { method: 'POST' })
    outgoing.write('12345')
    await expect.poll(() => service.requests).toHaveLength(1)
    const toConsole = openRequest(port, { host: '127.0.0.1', path: '/api/v1/login', method: 'POST' })
    toConsole.write('{')
    // One to the console that began later has ended.
    expect((await replyOf(toConsole)).statusCode).toBe(408)
    outgoing.end('67890')
    let text = ''
    for await (const chunk of await replyOf(outgoing)) text += chunk
    expect(text).toBe('10')
  })
})

describe('a service with invalid replies', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  it.each([
    ['nothing but noise', '\u0000\u0001noise\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['control characters behind the status', 'HTTP/1.1 200 \u0001\u007f\r\ncontent-length: 0\r\n\r\n'],
    ['control characters in a header', `${head}x-a: \u0001\r\ncontent-length: 0\r\n\r\n`],
    ['a header without an end', `${head}x-a: ${'x'.repeat(100_000)}`],
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['another protocol that was not requested', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nx'],
    ['an answer shorter than it says', `${head}content-length: 10\r\n\r\nabc`],
    ['pieces that are none', `${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc`],
  ])('that sends %s causes an error for pages and sockets, and affects nobody else', async (_what, said) => {
    const service = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(said))
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    onTestFinished(() => void service.close())
    const { port: good } = await startService()
    const { port, profiles, logged } = await startNatServer({ target: (service.address() as AddressInfo).port })
    const outcome = await sendRequest(port).then(
      ({ status }) => status,
      () => 'broken',
    )
    expect([502, 'broken']).toContain(outcome)
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    const outgoing = openRequest(port, { headers: upgrade })
    outgoing.on('response', (reply) => reply.on('error', () => {}).resume())
    outgoing.on('upgrade', (_reply, socket) => socket.destroy())
    outgoing.on('error', () => {})
    outgoing.end()
    await new Promise((resolve) => outgoing.on('close', resolve))
    profiles.update(1, { host: `127.0.0.1:${good}` })
    expect((await sendRequest(port)).text).toBe('hello')
    expect(logged).toEqual([])
  })
})

describe('a broken connection', () => {
  it('to the service in the middle of a reply closes that to the visitor', async () => {
    const service = await startService((_request, reply) => void reply.write('a beginning'))
    const { port, logged } = await startNatServer({ target: service.port })
    const outgoing = openRequest(port)
    outgoing.end()
    const reply = await replyOf(outgoing)
    service.requests[0]?.socket.destroy()
    await expect(countBytes(reply)).rejects.toThrow(/aborted|hang up|reset/i)
    expect(logged).toEqual([])
  })

  it('to the visitor closes that to the service', async () => {
    let hasEnded = false
    const { port: target, requests } = await startService((_request, reply) => {
      reply.write('a beginning')
      reply.on('close', () => {
        hasEnded = true
      })
    })
    const { port } = await startNatServer({ target })
    const outgoing = openRequest(port)
    outgoing.on('error', () => {})
    outgoing.end()
    await replyOf(outgoing)
    outgoing.destroy()
    await expect.poll(() => hasEnded).toBe(true)
    expect(requests).toHaveLength(1)
  })

  it('follows when the profile of a download is deleted', async () => {
    const { port: target } = await startService((_request, reply) => void reply.write('a beginning'))
    const { port, profiles } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20 } } })
    const outgoing = openRequest(port)
    outgoing.end()
    const reply = await replyOf(outgoing)
    profiles.remove([1])
    await expect(countBytes(reply)).rejects.toThrow('aborted')
  })

  it('follows when a reply pauses for too long', async () => {
    const { port: target } = await startService((_request, reply) => void reply.write('a beginning'))
    const { port } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20, idleMs: 100 } } })
    await expect(sendRequest(port)).rejects.toThrow('aborted')
  })

  it('does not follow when the service replies before it has read the whole upload', async () => {
    const service = createServer((socket) => {
      socket.on('error', () => {})
      // Leaves the rest unread, and keeps the connection open until the reply has arrived.
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 8\r\n\r\ntoo much')
        setTimeout(() => socket.destroy(), 1000)
      })
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    onTestFinished(() => void service.close())
    const { port: target } = service.address() as AddressInfo
    const { port } = await startNatServer({ target, nat: { times: { drainMs: 300 } } })
    const outgoing = openRequest(port, { method: 'POST', headers: { connection: 'keep-alive' } })
    outgoing.on('error', () => {})
    pour(outgoing, 2000 * MiB)
    const reply = await replyOf(outgoing)
    let text = ''
    for await (const chunk of reply) text += chunk
    expect({ status: reply.statusCode, text }).toEqual({ status: 413, text: 'too much' })
    // The rest of the upload is only read for a limited time. A reset then is an end too; `once` would reject on it.
    await new Promise<void>((resolve) => outgoing.on('close', () => resolve()))
  })
})

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { natName, openVisit, startNatServer, startService, visit } from '../../support/server/natServer.ts'

const MiB = 1024 * 1024
const block = Buffer.alloc(64 * 1024, 'x')

/** Writes as much as the other end takes, up to so many bytes. @returns how many were taken so far */
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

/** Waits until nothing more is taken. */
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

const replyOf = async (outgoing: ReturnType<typeof openVisit>) =>
  ((await once(outgoing, 'response')) as [IncomingMessage])[0]

describe('what is sent through', () => {
  it('waits for a visitor who reads slowly', async () => {
    let sent = () => 0
    const { port: target } = await startService((_request, reply) => {
      sent = pour(reply, 200 * MiB)
    })
    const { port } = await startNatServer({ target })
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(`GET / HTTP/1.1\r\nhost: ${natName}\r\n\r\n`)
    await once(socket, 'readable')
    socket.pause()
    await standstill(sent)
    // What the system itself keeps for the two connections.
    expect(sent()).toBeLessThan(30 * MiB)
    socket.destroy()
  })

  it('waits for a service that reads slowly', async () => {
    const { port: target } = await startService(() => {})
    const { port } = await startNatServer({ target })
    const outgoing = openVisit(port, { method: 'POST' })
    outgoing.on('error', () => {})
    const sent = pour(outgoing, 200 * MiB)
    await standstill(sent)
    expect(sent()).toBeLessThan(30 * MiB)
    outgoing.destroy()
  })

  it('arrives piece by piece, as a stream of events does', async () => {
    let write = (_text: string) => {}
    const { port: target } = await startService((_request, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.flushHeaders()
      write = (text) => void reply.write(text)
    })
    const { port } = await startNatServer({ target })
    const outgoing = openVisit(port)
    outgoing.end()
    const reply = await replyOf(outgoing)
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      write(text)
      expect(String((await once(reply, 'data'))[0])).toBe(text)
    }
    outgoing.destroy()
  })

  it('may take longer than a request to the console may', async () => {
    const { port: target } = await startService(async (request, reply) => reply.end(String(await countBytes(request))))
    const { port } = await startNatServer({ target, patienceMs: 200 })
    const outgoing = openVisit(port, { method: 'POST' })
    for (let at = 0; at < 8; at++) {
      outgoing.write('12345')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    outgoing.end()
    let text = ''
    for await (const chunk of await replyOf(outgoing)) text += chunk
    expect(text).toBe('40')
  })
})

describe('a service that speaks HTTP badly', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  it.each([
    ['nothing but noise', '\u0000\u0001noise\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n'],
    ['a status of four figures', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['control characters behind the status', 'HTTP/1.1 200 \u0001\u007f\r\ncontent-length: 0\r\n\r\n'],
    ['control characters in a header', `${head}x-a: \u0001\r\ncontent-length: 0\r\n\r\n`],
    ['a header without an end', `${head}x-a: ${'x'.repeat(100_000)}`],
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['another protocol that nobody asked for', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nx'],
    ['an answer shorter than it says', `${head}content-length: 10\r\n\r\nabc`],
    ['pieces that are none', `${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc`],
  ])('and says %s ends as a failure, at pages and at sockets, and harms nobody else', async (_what, said) => {
    const service = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(said))
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    onTestFinished(() => void service.close())
    const { port: good } = await startService()
    const { port, profiles, logged } = await startNatServer({ target: (service.address() as AddressInfo).port })
    const outcome = await visit(port).then(
      ({ status }) => status,
      () => 'broken',
    )
    expect([502, 'broken']).toContain(outcome)
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    const outgoing = openVisit(port, { headers: upgrade })
    outgoing.on('response', (reply) => reply.on('error', () => {}).resume())
    outgoing.on('upgrade', (_reply, socket) => socket.destroy())
    outgoing.on('error', () => {})
    outgoing.end()
    await new Promise((resolve) => outgoing.on('close', resolve))
    profiles.update(1, { host: `127.0.0.1:${good}` })
    expect((await visit(port)).text).toBe('hello')
    expect(logged).toEqual([])
  })
})

describe('what breaks off', () => {
  it('at the service in the middle of an answer, does so at the visitor', async () => {
    const { port: target } = await startService((request, reply) => {
      reply.write('a beginning')
      setTimeout(() => request.socket.destroy(), 50)
    })
    const { port, logged } = await startNatServer({ target })
    await expect(visit(port)).rejects.toThrow(/aborted|hang up|reset/i)
    expect(logged).toEqual([])
  })

  it('at the visitor, does so at the service', async () => {
    let hasEnded = false
    const { port: target, asked } = await startService((_request, reply) => {
      reply.write('a beginning')
      reply.on('close', () => {
        hasEnded = true
      })
    })
    const { port } = await startNatServer({ target })
    const outgoing = openVisit(port)
    outgoing.on('error', () => {})
    outgoing.end()
    await replyOf(outgoing)
    outgoing.destroy()
    await expect.poll(() => hasEnded).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('is a download whose profile is deleted', async () => {
    const { port: target } = await startService((_request, reply) => void reply.write('a beginning'))
    const { port, profiles } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20 } } })
    const outgoing = openVisit(port)
    outgoing.end()
    const reply = await replyOf(outgoing)
    profiles.remove([1])
    await expect(countBytes(reply)).rejects.toThrow('aborted')
  })

  it('is an answer that stops in the middle for too long', async () => {
    const { port: target } = await startService((_request, reply) => void reply.write('a beginning'))
    const { port } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20, idleMs: 100 } } })
    await expect(visit(port)).rejects.toThrow('aborted')
  })

  it('is not an upload that the service answers before it has read all of it', async () => {
    const service = createServer((socket) => {
      socket.on('error', () => {})
      // Leaves the rest unread, and the connection open for long enough to be heard.
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
    const outgoing = openVisit(port, { method: 'POST', headers: { connection: 'keep-alive' } })
    outgoing.on('error', () => {})
    pour(outgoing, 2000 * MiB)
    const reply = await replyOf(outgoing)
    let text = ''
    for await (const chunk of reply) text += chunk
    expect({ status: reply.statusCode, text }).toEqual({ status: 413, text: 'too much' })
    // It is not listened to for ever.
    await once(outgoing, 'close')
  })
})

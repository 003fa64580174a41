import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { AppOptions } from '../../../server/app.ts'
import { buildGateway } from '../../../server/gateway/gateway.ts'
import { fakeUpstream } from '../../support/server/gatewayServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

type Options = Parameters<typeof testServer>[0]

async function listening(options?: Options): Promise<TestServer & { port: number }> {
  const server = await testServer(options)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  return { ...server, port: (server.app.server.address() as AddressInfo).port }
}

/** Open connections that say nothing. */
async function connections(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port }))
  for (const socket of sockets) socket.on('error', () => {})
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

/** A socket of the live stream: its status when it was refused, or that it is open. */
function live(port: number, headers: Record<string, string> = {}): Promise<{ socket: WebSocket; status: number }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/server`, { headers })
  onTestFinished(() => socket.terminate())
  return new Promise((resolve) => {
    socket.on('open', () => resolve({ socket, status: 101 }))
    socket.on('unexpected-response', (_, reply) => resolve({ socket, status: reply.statusCode ?? 0 }))
    socket.on('error', () => {})
  })
}

async function statuses(count: number, open: (at: number) => ReturnType<typeof live>): Promise<number[]> {
  const found: number[] = []
  for (let at = 0; at < count; at++) found.push((await open(at)).status)
  return found
}

const busy = /^HTTP\/1\.1 503 [\s\S]*retry-after: 60[\s\S]*\{"error":"too many connections of your address/

describe('connections', () => {
  const connectionLimits = { perKey: 10, total: 15, waiting: 0 }

  it('beyond the limit of an address are refused with a message, and there is room again when others have closed', async () => {
    const { port, logged } = await listening({ connectionLimits })
    const open = await connections(port, 10)
    const [refused] = (await connections(port, 1)) as [Socket]
    expect(String((await once(refused, 'data'))[0])).toMatch(busy)
    await once(refused, 'close')
    expect(logged).toEqual([expect.stringMatching(/10 are open from 127\.0\.0\.1, which is the limit/)])
    for (const socket of open) socket.destroy()
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/api/v1/setting`)).status).toBe(200))
  })

  it('beyond the limit wait for a place, and those who waited longest come first', async () => {
    const { port } = await listening({ connectionLimits: { perKey: 2, total: 15, waiting: 3, waitMs: 600_000 } })
    const open = await connections(port, 2)
    const [first, second] = (await connections(port, 2)) as [Socket, Socket]
    const replies: string[] = []
    for (const [name, socket] of Object.entries({ first, second })) {
      socket.on('data', (chunk) => replies.push(`${name}: ${String(chunk).slice(0, 12)}`))
      socket.write('GET /api/v1/setting HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    }
    open[0]?.destroy()
    await expect.poll(() => replies).toEqual(['first: HTTP/1.1 200'])
    first.destroy()
    await expect.poll(() => replies).toEqual(['first: HTTP/1.1 200', 'second: HTTP/1.1 200'])
  })

  it('beyond the limit wait for a moment only', async () => {
    const { port } = await listening({ connectionLimits: { perKey: 2, total: 15, waiting: 3, waitMs: 50 } })
    await connections(port, 2)
    const [refused] = (await connections(port, 1)) as [Socket]
    expect(String((await once(refused, 'data'))[0])).toMatch(busy)
  })

  it('of thousands of agents that come at once are all taken', async () => {
    const { port } = await listening({ connectionLimits: { perKey: 10, total: 15, waiting: 1000, waitMs: 600_000 } })
    const agents = await connections(port, 300)
    const settings = agents.map((agent) => once(agent, 'data') as Promise<[Buffer]>)
    for (const agent of agents) agent.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0')
    for (const [first] of await Promise.all(settings)) expect(first[3]).toBe(4)
  })

  it('of a proxy are those of many visitors: only the limit for all counts', async () => {
    const { port } = await listening({ connectionLimits, site: { web_real_ip_header: 'X-Real-IP' } })
    await connections(port, 14)
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/setting`, { headers: { 'x-real-ip': '192.0.2.1' } })
    expect(reply.status).toBe(200)
    const [, refused] = (await connections(port, 2)) as [Socket, Socket]
    expect(String((await once(refused, 'data'))[0])).toContain('too many connections of all visitors')
  })

  it('end with their reply while many are open, so that those of a crowd do not wait for another request', async () => {
    const { port } = await listening({ connectionLimits, site: { web_real_ip_header: 'X-Real-IP' } })
    const ends: boolean[] = []
    for (let at = 0; at < 20; at++) {
      const [socket] = (await connections(port, 1)) as [Socket]
      socket.write('GET /api/v1/setting HTTP/1.1\r\nhost: 127.0.0.1\r\nx-real-ip: 192.0.2.1\r\n\r\n')
      const reply = String((await once(socket, 'data'))[0])
      expect(reply).toMatch(/^HTTP\/1\.1 200 /)
      ends.push(/connection: close/i.test(reply))
      if (ends.at(-1)) await once(socket, 'close')
    }
    expect(ends).toEqual([...Array(7).fill(false), ...Array(13).fill(true)])
  })

  it('of agents do not count: their channel has limits of its own', async () => {
    const { port } = await listening({ connectionLimits })
    for (let at = 0; at < 30; at++) {
      const [agent] = (await connections(port, 1)) as [Socket]
      agent.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0')
      // The settings of HTTP/2, not a refusal.
      expect(((await once(agent, 'data')) as [Buffer])[0]?.[3]).toBe(4)
    }
  })

  it('are refused by the gateway as well, which does not count those of a trusted proxy', async () => {
    const { url } = await fakeUpstream((_, response) => response.end('{"success":true}'))
    const portOf = async (trustedProxies?: string[]) => {
      const app = await buildGateway({
        upstream: { url, timeoutMs: 5000 },
        log: { warn: () => {}, error: () => {} },
        settings: { host: '127.0.0.1', trustedProxies },
        dist: temporaryFolder(),
        connectionLimits,
      })
      onTestFinished(() => app.close())
      await app.listen({ host: '127.0.0.1', port: 0 })
      return (app.server.address() as AddressInfo).port
    }
    const port = await portOf()
    await connections(port, 10)
    const [refused] = (await connections(port, 1)) as [Socket]
    expect(String((await once(refused, 'data'))[0])).toMatch(busy)
    const trusting = await portOf(['127.0.0.1'])
    await connections(trusting, 12)
    expect((await fetch(`http://127.0.0.1:${trusting}/api/v1/profile`)).status).toBe(200)
  })
})

describe('sockets', () => {
  const socketLimits: AppOptions['socketLimits'] = { perPerson: 4, perAddress: 3, anonymous: 5 }

  it('of strangers are limited for an address, and those of people who have signed in are counted for themselves', async () => {
    const server = await listening({ socketLimits })
    expect(await statuses(5, () => live(server.port))).toEqual([101, 101, 101, 429, 429])
    const cookie = `nz-jwt=${(await signedIn(server)).cookies.get('nz-jwt')}`
    expect(await statuses(6, () => live(server.port, { cookie }))).toEqual([101, 101, 101, 101, 429, 429])
    expect(server.logged).toEqual([expect.stringMatching(/^Sockets of 127\.0\.0\.1 are refused: 3 are open/)])
    const reply = await fetch(`http://127.0.0.1:${server.port}/api/v1/server`, { headers: { cookie } })
    expect(await reply.json()).toMatchObject({ success: true })
  })

  it('are limited for visitors behind a proxy, an IPv6 network counting as one, and for all strangers together', async () => {
    const { port } = await listening({ socketLimits, site: { web_real_ip_header: 'X-Real-IP' } })
    const from = (address: string) => live(port, { 'x-real-ip': address })
    expect(await statuses(4, (at) => from(`2001:db8::${at}`))).toEqual([101, 101, 101, 429])
    expect(await statuses(3, (at) => from(`192.0.2.${at}`))).toEqual([101, 101, 503])
  })

  it('are opened at a rate from an address, those of somebody who has signed in for themselves', async () => {
    const opened = { burst: 3, perSecond: 0.001 }
    const server = await listening({ socketLimits: { perPerson: 9, perAddress: 9, anonymous: 9, opened } })
    const statusAndLeave = async (headers?: Record<string, string>) => {
      const { socket, status } = await live(server.port, headers)
      socket.terminate()
      return status
    }
    const found: number[] = []
    for (let at = 0; at < 5; at++) found.push(await statusAndLeave())
    expect(found).toEqual([101, 101, 101, 429, 429])
    const cookie = `nz-jwt=${(await signedIn(server)).cookies.get('nz-jwt')}`
    expect(await statusAndLeave({ cookie })).toBe(101)
    expect(server.logged).toEqual([
      expect.stringMatching(/^Sockets of 127\.0\.0\.1 are refused: 3 at once and 0\.001 a/),
    ])
  })

  it('make room when they close', async () => {
    const { port } = await listening({ socketLimits })
    const [first] = await Promise.all([live(port), live(port), live(port)])
    expect((await live(port)).status).toBe(429)
    first?.socket.terminate()
    await vi.waitFor(async () => expect((await live(port)).status).toBe(101))
  })

  it('through the gateway are limited for an address and in total', async () => {
    const upstream = await fakeUpstream((_, response) => response.end('{}'))
    upstream.server.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n')
    })
    const app = await buildGateway({
      upstream: { url: upstream.url, timeoutMs: 5000 },
      log: { warn: () => {}, error: () => {} },
      settings: { host: '127.0.0.1', trustedProxies: ['127.0.0.1'] },
      dist: temporaryFolder(),
      socketLimits: { perKey: 2, total: 3 },
    })
    onTestFinished(() => app.close())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    async function statusFrom(address: string): Promise<string> {
      const [socket] = (await connections(port, 1)) as [Socket]
      const head = `GET /api/v1/ws/server HTTP/1.1\r\nhost: 127.0.0.1\r\nx-real-ip: ${address}\r\n`
      socket.write(`${head}connection: upgrade\r\nupgrade: websocket\r\n\r\n`)
      return String((await once(socket, 'data'))[0]).slice(9, 12)
    }
    expect(await statusFrom('192.0.2.1')).toBe('101')
    expect(await statusFrom('192.0.2.1')).toBe('101')
    expect(await statusFrom('192.0.2.1')).toBe('429')
    expect(await statusFrom('192.0.2.2')).toBe('101')
    expect(await statusFrom('192.0.2.3')).toBe('503')
  })
})

describe('bodies that come slowly', () => {
  it('of one address are limited, and others and reading calls are not held up', async () => {
    const { port } = await listening({ site: { web_real_ip_header: 'X-Real-IP' } })
    const head = (address: string) =>
      `POST /api/v1/login HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-real-ip: ${address}\r\ncontent-length: 100\r\n\r\n{`
    const slow = await connections(port, 64)
    for (const socket of slow) socket.write(head('192.0.2.1'))
    // The server has read the heads once a later connection is answered.
    const reading = () => fetch(`http://127.0.0.1:${port}/api/v1/setting`, { headers: { 'x-real-ip': '192.0.2.1' } })
    expect((await reading()).status).toBe(200)
    const [late, other] = (await connections(port, 2)) as [Socket, Socket]
    late.write(head('192.0.2.1'))
    expect(String((await once(late, 'data'))[0])).toMatch(/^HTTP\/1\.1 429 [\s\S]*too many requests of yours/)
    other.write(`${head('192.0.2.2')}${' '.repeat(98)}}`)
    expect(String((await once(other, 'data'))[0])).toContain('{"error":"ApiErrorUnauthorized"}')
    for (const socket of slow) socket.destroy()
    await vi.waitFor(async () => {
      const [again] = (await connections(port, 1)) as [Socket]
      again.write(`${head('192.0.2.1')}${' '.repeat(98)}}`)
      expect(String((await once(again, 'data'))[0])).toContain('ApiErrorUnauthorized')
    })
  })
})

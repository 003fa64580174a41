import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const publicUrl = new URL('https://console.example.org')

describe('the Host header', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })

  const ask = async (host: string, settings?: Parameters<typeof testServer>[0]) =>
    (settings ? await testServer(settings) : server).browser().get('/api/v1/setting', { host })

  it.each(['localhost', 'localhost:8008', 'LOCALHOST:5173', '127.0.0.1', '127.0.0.1:1', '[::1]:8008', '[::1]'])(
    'may be %s',
    async (host) => expect((await ask(host)).status).toBe(200),
  )

  it.each(['evil.example', 'evil.example:8008', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', 'a b'])(
    'may not be %s, and the refusal names the remedy',
    async (host) => {
      const reply = await ask(host)
      expect(reply.status).toBe(403)
      expect(reply.body).toEqual({ error: expect.stringContaining('PUBLIC_URL') })
    },
  )

  it('may be that of the public URL, with the port of the proxy', async () => {
    const settings = { settings: { host: '127.0.0.1', publicUrl } }
    expect((await ask('console.example.org', settings)).status).toBe(200)
    expect((await ask('Console.Example.org:8008', settings)).status).toBe(200)
    expect((await ask('other.example.org', settings)).status).toBe(403)
  })

  it('may be the address it listens on', async () => {
    expect((await ask('192.168.1.5:8008', { settings: { host: '192.168.1.5' } })).status).toBe(200)
    expect((await ask('192.168.1.6:8008', { settings: { host: '192.168.1.5' } })).status).toBe(403)
  })

  it('may be any IP address when the server listens on all of them, but no name', async () => {
    for (const host of ['0.0.0.0', '::']) {
      expect((await ask('192.168.1.5:8008', { settings: { host } })).status).toBe(200)
      expect((await ask('[fd00::2]:8008', { settings: { host } })).status).toBe(200)
      expect((await ask('evil.example', { settings: { host } })).status).toBe(403)
    }
  })

  it('is checked for pages, too', async () => {
    const reply = await server.browser().get('/dashboard/', { host: 'evil.example' })
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('PUBLIC_URL')])
  })
})

describe('a page of another origin', () => {
  it.each([
    'https://evil.example',
    'http://127.0.0.1:3000',
    'null',
    'http://localhost:8008',
    'file://',
    'javascript:1',
  ])('%s can neither sign in, nor block its visitor by wrong passwords', async (origin) => {
    const server = await testServer()
    const body = { username: 'admin', password: 'wrong' }
    const reply = await server.browser().call('POST', 'login', { body, headers: { origin } })
    expect([reply.status, reply.body]).toEqual([403, { error: expect.stringMatching(/^ApiErrorForbidden: /) }])
    expect((await server.browser().get('setting')).status).toBe(200)
  })

  it('is not a page of our own origin, nor of the public URL', async () => {
    const server = await testServer({ settings: { host: '127.0.0.1', publicUrl } })
    const browser = await signedIn(server)
    for (const origin of ['http://127.0.0.1:8008', 'https://console.example.org']) {
      const reply = await browser.call('POST', 'server-group', { body: { name: 'g' }, headers: { origin } })
      expect(reply.body).toMatchObject({ success: true })
    }
  })
})

describe('a socket', () => {
  it('is refused to a page of another origin in the words of the contract', async () => {
    const address = await listening()
    expect(await open(address, { origin: 'https://evil.example' })).toEqual({ status: 403, text: 'Forbidden\n' })
    expect(await open(address, { origin: `http://localhost:${new URL(address).port}` })).toMatchObject({ status: 403 })
  })

  it('opens for our own page, and for programs without an Origin header', async () => {
    const address = await listening()
    const frame = { now: expect.any(Number), online: expect.any(Number) }
    expect(await open(address, { origin: address.replace('ws:', 'http:').replace(/\/api.*/, '') })).toMatchObject(frame)
    expect(await open(address, {})).toMatchObject(frame)
  })

  it('is refused for a foreign host name', async () => {
    const address = await listening()
    const refused = await open(address, { host: 'evil.example', origin: 'http://evil.example' })
    expect(refused).toMatchObject({ status: 403 })
  })

  it('does not delay the shutdown of the server', async () => {
    const server = await testServer()
    const socket = new WebSocket(await addressOf(server))
    await once(socket, 'message')
    const closed = once(socket, 'close')
    const start = performance.now()
    await server.app.close()
    expect(performance.now() - start).toBeLessThan(30_000)
    expect((await closed)[0]).toBe(1006)
  })

  async function addressOf({ app }: TestServer): Promise<string> {
    await app.listen({ host: '127.0.0.1', port: 0 })
    return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/ws/server`
  }

  async function listening(): Promise<string> {
    const server = await testServer()
    onTestFinished(() => server.app.close())
    return addressOf(server)
  }

  /** The first message, or the refusal. */
  function open(address: string, headers: Record<string, string>): Promise<unknown> {
    const socket = new WebSocket(address, { headers })
    return new Promise((resolve, reject) => {
      socket.on('message', (data) => {
        resolve(JSON.parse(String(data)))
        socket.terminate()
      })
      socket.on('unexpected-response', async (_request, response) => {
        const text = (await response.toArray()).join('')
        resolve({ status: response.statusCode, text })
      })
      socket.on('error', reject)
    })
  }
})

describe('every reply', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })

  it.each(['/api/v1/setting', '/api/v1/nope', '/dashboard/', '/'])(
    '%s carries the headers that guard the browser',
    async (path) => {
      const { headers } = await server.browser().get(path)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('same-origin')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
      expect(headers['permissions-policy']).toContain('camera=()')
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'self'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ]),
      )
      expect(policy).toContain("connect-src 'self' ws://127.0.0.1:8008 wss://127.0.0.1:8008")
    },
  )

  it('of the API is not cached', async () => {
    const { headers } = await server.browser().get('setting')
    expect(headers['cache-control']).toBe('no-store')
  })
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { duplexPair, pipeline } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createWaf } from '../../../server/auth/blocking/blockedAddresses.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { natName, startNatServer, startService, visit } from '../../support/server/natServer.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

describe('a forwarded host name', () => {
  it('leads to the service behind, whatever is asked for', async () => {
    const { port: target, asked } = await startService((request, reply) => {
      reply.writeHead(207, 'Much', { 'x-service': 'yes' }).end(`${request.method} ${request.url}`)
    })
    const { port } = await startNatServer({ target })
    for (const path of [
      '/',
      '/api/v1/setting',
      '/dashboard/',
      '/%zz?a=%00',
      '//two',
      `/${'x'.repeat(5000)}`,
      '/a\\b',
    ]) {
      const reply = await visit(port, { path })
      expect(reply).toMatchObject({ status: 207, text: `GET ${path}` })
      expect(reply.headers['x-service']).toBe('yes')
    }
    for (const method of ['POST', 'PROPFIND', 'DELETE', 'OPTIONS']) {
      expect(await visit(port, { method, path: '/it' })).toMatchObject({ status: 207, text: `${method} /it` })
    }
    expect((await visit(port, { method: 'OPTIONS', path: '*' })).text).toBe('OPTIONS *')
    expect((await visit(port, { path: `http://${natName}?q=1` })).text).toBe('GET /?q=1')
    expect(asked.length).toBe(13)
  })

  it('is the same with a port, in capitals, with a dot behind, and in the letters that people read', async () => {
    const { port: target } = await startService()
    const { port, profiles } = await startNatServer({ target })
    for (const host of [`${natName}:8443`, 'NAS.Example.ORG', `${natName}.`, `${natName}:`]) {
      expect(await visit(port, { host })).toMatchObject({ status: 200, text: 'hello' })
    }
    profiles.update(1, { domain: 'Bücher.example:8443' })
    expect(await visit(port, { host: 'xn--bcher-kva.example' })).toMatchObject({ status: 200, text: 'hello' })
    expect((await visit(port)).status).toBe(403)
  })

  it('gets pages without the policies of the console', async () => {
    const { port: target } = await startService()
    const { port } = await startNatServer({ target })
    const { headers } = await visit(port)
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'permissions-policy']) {
      expect(headers).not.toHaveProperty(name)
    }
    // It has no sign-in of ours to protect.
    const origin = { origin: 'https://elsewhere.example' }
    expect((await visit(port, { method: 'POST', headers: origin, body: '{}' })).status).toBe(200)
  })

  it('shares a connection with the console without either seeing the other', async () => {
    const { port: target } = await startService()
    const { port } = await startNatServer({ target })
    const socket = connect({ host: '127.0.0.1', port })
    const ask = (host: string, last = false) =>
      socket.write(`GET /x HTTP/1.1\r\nhost: ${host}\r\n${last ? 'connection: close\r\n' : ''}\r\n`)
    ask(natName)
    ask('elsewhere.example')
    ask(natName, true)
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text.match(/HTTP\/1\.1 \d+|hello|PUBLIC_URL/g)).toEqual([
      ...['HTTP/1.1 200', 'hello', 'HTTP/1.1 403', 'PUBLIC_URL', 'HTTP/1.1 200', 'hello'],
    ])
  })

  it('is one no more once the profile is off, renamed or deleted, and one again at once', async () => {
    const { port: target } = await startService()
    const { port, profiles } = await startNatServer({ target })
    const status = async () => (await visit(port)).status
    expect(await status()).toBe(200)
    profiles.update(1, { enabled: false })
    expect(await status()).toBe(403)
    profiles.update(1, { enabled: true, domain: 'other.example.org' })
    expect(await status()).toBe(403)
    profiles.update(1, { domain: natName })
    expect(await status()).toBe(200)
    profiles.remove([1])
    expect(await status()).toBe(403)
  })

  it('is never one of the console’s own, also where the profile was there first', async () => {
    const { port: target, asked } = await startService()
    const { port } = await startNatServer({
      target,
      profile: { domain: 'localhost' },
      settings: { host: '127.0.0.1', publicUrl: new URL('https://console.example.org') },
      site: {
        dashboard_host: 'board.example.org',
        reserved_hosts: 'kept.example.org',
        install_host: 'in.example.org:1',
      },
    }).then((started) => {
      for (const domain of ['127.0.0.1', '[::1]', 'console.example.org', 'board.example.org', 'kept.example.org']) {
        started.profiles.insert({
          name: 'n',
          enabled: true,
          server_id: 1,
          host: `127.0.0.1:${target}`,
          domain,
          user_id: 1,
        })
      }
      started.profiles.insert({
        name: 'n',
        enabled: true,
        server_id: 1,
        host: `127.0.0.1:${target}`,
        domain: 'in.example.org',
        user_id: 1,
      })
      return started
    })
    for (const host of ['localhost', '127.0.0.1:1', '[::1]', 'console.example.org']) {
      expect((await visit(port, { host, path: '/api/v1/setting' })).text).toContain('"success":true')
    }
    for (const host of ['board.example.org', 'kept.example.org', 'in.example.org']) {
      expect((await visit(port, { host })).status).toBe(403)
    }
    expect(asked).toEqual([])
  })

  it('is not given away when a profile is saved', async () => {
    const server = await testServer({
      settings: { host: '10.1.1.1', publicUrl: new URL('https://console.example.org') },
    })
    entityTable(server.store, servers).insert({ name: 'box', user_id: 0 })
    const browser = await signedIn(server)
    const save = async (domain: string) =>
      (await browser.call('POST', 'nat', { body: { name: 'n', server_id: 1, host: '127.0.0.1:80', domain } })).body
    for (const domain of ['LOCALHOST:8080', '127.0.0.1', 'console.example.org.', '10.1.1.1:1']) {
      expect(await save(domain)).toEqual({ error: 'permission denied' })
    }
    expect(await save(natName)).toMatchObject({ success: true })
  })

  it('leads nowhere for a member whose server it is not, nor for a user who is gone', async () => {
    const { port: target } = await startService()
    const { port, profiles, servers } = await startNatServer({ target, profile: { user_id: 2 } })
    expect(await visit(port)).toMatchObject({ status: 502, text: expect.stringContaining('not there any more') })
    servers.update(1, { user_id: 2 })
    expect((await visit(port)).status).toBe(200)
    profiles.update(1, { user_id: 99 })
    servers.update(1, { user_id: 99 })
    expect((await visit(port)).status).toBe(502)
  })

  it('keeps out addresses that the console keeps out', async () => {
    const { port: target, asked } = await startService()
    const { port, store } = await startNatServer({ target })
    createWaf(store, Date.now).block('127.0.0.1')
    expect(await visit(port)).toMatchObject({ status: 403, text: expect.stringContaining('blocked') })
    expect(asked).toEqual([])
  })
})

describe('a machine that is reached in another way than by a socket', () => {
  it('forwards as well, whatever its stream is made of', async () => {
    const { port: target, server: service } = await startService((request, reply) => void request.pipe(reply))
    new WebSocketServer({ server: service }).on('connection', (socket) => {
      socket.on('message', (data) => socket.send(`heard ${data}`))
    })
    const { port, host } = await startNatServer({ target: 1 })
    host.connect = async () => {
      const [near, far] = duplexPair()
      const socket = connect({ host: '127.0.0.1', port: target })
      pipeline(far, socket, far, () => {})
      return near
    }
    const body = 'x'.repeat(1_000_000)
    expect(await visit(port, { method: 'POST', body })).toMatchObject({ status: 200, text: body })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: natName } })
    socket.on('open', () => socket.send('this'))
    const [message] = await once(socket, 'message')
    expect(String(message)).toBe('heard this')
    socket.close()
    await once(socket, 'close')
  })
})

describe('why there is no answer', () => {
  it('is said when the service is not running', async () => {
    const { port: target, server } = await startService()
    await new Promise((done) => server.close(done))
    const { port } = await startNatServer({ target })
    const reply = await visit(port)
    expect(reply).toMatchObject({ status: 502, text: expect.stringContaining('is not running') })
    expect(reply.text).not.toContain('127.0.0.1')
    expect((await visit(port, { method: 'HEAD' })).text).toBe('')
  })

  it('is said when the server is not connected', async () => {
    const { port: target } = await startService()
    const { port, host } = await startNatServer({ target })
    host.tell({ at: new Date(0) })
    expect(await visit(port)).toMatchObject({ status: 502, text: expect.stringContaining('not connected') })
  })

  it.each([
    ['169.254.169.254:80', 'not allowed'],
    ['[::ffff:169.254.169.254]:80', 'not allowed'],
    ['nowhere.invalid:80', 'no such host'],
    ['not a target', 'must be a host and a port'],
    ['127.0.0.1:0', 'must be a host and a port'],
  ])('is said for the target %s', async (target, words) => {
    const { port } = await startNatServer({ target })
    expect(await visit(port)).toMatchObject({ status: 502, text: expect.stringContaining(words) })
  })

  it('is said by a machine whose settings forbid it', async () => {
    const { port: target } = await startService()
    const keeper = { read: () => '{"disable_nat":true}', write: () => {} }
    const { connect: connectThere } = createLocalHost({ uuid: 'u', version: '1', keeper })
    const { port, host } = await startNatServer({ target })
    host.connect = connectThere
    expect(await visit(port)).toMatchObject({ status: 502, text: expect.stringContaining('does not forward') })
  })

  it('is said when the service cannot be connected to in time', async () => {
    const { port, host } = await startNatServer({ target: 1, nat: { times: { connectMs: 50 } } })
    host.connect = (_target, signal) =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    expect(await visit(port)).toMatchObject({ status: 504, text: expect.stringContaining('does not answer in time') })
  })

  it('is said when the service says nothing in time', async () => {
    const { port: target } = await startService(() => {})
    const { port } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20, replyMs: 100 } } })
    expect(await visit(port)).toMatchObject({ status: 504, text: expect.stringContaining('does not answer in time') })
  })

  it('is said when the service breaks off before it answers', async () => {
    const { port: target } = await startService((request) => void request.socket.destroy())
    const { port } = await startNatServer({ target })
    expect(await visit(port)).toMatchObject({ status: 502, text: expect.stringContaining('broke the connection off') })
  })

  it('is said when a name leads back to this server', async () => {
    const { port, profiles } = await startNatServer({ target: 1 })
    profiles.update(1, { host: `127.0.0.1:${port}` })
    expect(await visit(port)).toMatchObject({ status: 508 })
  })

  it('is said when too many are there already, to those who come then', async () => {
    const held: (() => void)[] = []
    const { port: target } = await startService((_request, reply) => void held.push(() => reply.end('late')))
    const { port } = await startNatServer({ target, nat: { limits: { perProfile: 2 } } })
    const early = [visit(port), visit(port)]
    await expect.poll(() => held.length).toBe(2)
    expect(await visit(port)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    for (const finish of held.splice(0)) finish()
    expect((await Promise.all(early)).map(({ text }) => text)).toEqual(['late', 'late'])
    const next = visit(port)
    await expect.poll(() => held.length).toBe(1)
    held[0]?.()
    expect((await next).text).toBe('late')
  })
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { duplexPair, pipeline } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { forwardedName, sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'
import { enterAt } from '../../support/server/scenes/openSession.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

describe('a forwarded host name', () => {
  it('forwards all paths and methods to the service', async () => {
    const { port: target, requests } = await startService((request, reply) => {
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
      const reply = await sendRequest(port, { path })
      expect(reply).toMatchObject({ status: 207, text: `GET ${path}` })
      expect(reply.headers['x-service']).toBe('yes')
    }
    for (const method of ['POST', 'PROPFIND', 'DELETE', 'OPTIONS']) {
      expect(await sendRequest(port, { method, path: '/it' })).toMatchObject({ status: 207, text: `${method} /it` })
    }
    expect((await sendRequest(port, { method: 'OPTIONS', path: '*' })).text).toBe('OPTIONS *')
    expect((await sendRequest(port, { path: `http://${forwardedName}?q=1` })).text).toBe('GET /?q=1')
    expect(requests.length).toBe(13)
  })

  it('is the same with a port, in capitals, with a trailing dot, and as international name', async () => {
    const { port: target } = await startService()
    const { port, profiles } = await startNatServer({ target })
    for (const host of [`${forwardedName}:8443`, 'NAS.Example.ORG', `${forwardedName}.`, `${forwardedName}:`]) {
      expect(await sendRequest(port, { host })).toMatchObject({ status: 200, text: 'hello' })
    }
    profiles.update(1, { domain: 'Bücher.example:8443' })
    expect(await sendRequest(port, { host: 'xn--bcher-kva.example' })).toMatchObject({ status: 200, text: 'hello' })
    expect((await sendRequest(port)).status).toBe(403)
  })

  it('gets pages without the security headers of the console', async () => {
    const { port: target } = await startService()
    const { port } = await startNatServer({ target })
    const { headers } = await sendRequest(port)
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'permissions-policy']) {
      expect(headers).not.toHaveProperty(name)
    }
    // The origin check only protects the console's session.
    const origin = { origin: 'https://elsewhere.example' }
    expect((await sendRequest(port, { method: 'POST', headers: origin, body: '{}' })).status).toBe(200)
  })

  it('can share a connection with requests for the console', async () => {
    const { port: target } = await startService()
    const { port } = await startNatServer({ target })
    const socket = connect({ host: '127.0.0.1', port })
    const ask = (host: string, last = false) =>
      socket.write(`GET /x HTTP/1.1\r\nhost: ${host}\r\n${last ? 'connection: close\r\n' : ''}\r\n`)
    ask(forwardedName)
    ask('elsewhere.example')
    ask(forwardedName, true)
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text.match(/HTTP\/1\.1 \d+|hello|PUBLIC_URL/g)).toEqual([
      ...['HTTP/1.1 200', 'hello', 'HTTP/1.1 403', 'PUBLIC_URL', 'HTTP/1.1 200', 'hello'],
    ])
  })

  it('stops immediately when the profile is disabled, renamed or deleted, and starts again immediately', async () => {
    const { port: target } = await startService()
    const { port, profiles } = await startNatServer({ target })
    const status = async () => (await sendRequest(port)).status
    expect(await status()).toBe(200)
    profiles.update(1, { enabled: false })
    expect(await status()).toBe(403)
    profiles.update(1, { enabled: true, domain: 'other.example.org' })
    expect(await status()).toBe(403)
    profiles.update(1, { domain: forwardedName })
    expect(await status()).toBe(200)
    profiles.remove([1])
    expect(await status()).toBe(403)
  })

  it('is never one of the console’s own, also if the profile is older', async () => {
    const { port: target, requests } = await startService()
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
      expect((await sendRequest(port, { host, path: '/api/v1/setting' })).text).toContain('"success":true')
    }
    for (const host of ['board.example.org', 'kept.example.org', 'in.example.org']) {
      expect((await sendRequest(port, { host })).status).toBe(403)
    }
    expect(requests).toEqual([])
  })

  it('of the console is refused when a profile is saved', async () => {
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
    expect(await save(forwardedName)).toMatchObject({ success: true })
  })

  it('is not forwarded for a member who does not own the server, nor for a deleted user', async () => {
    const { port: target } = await startService()
    const { port, profiles, servers } = await startNatServer({ target, profile: { user_id: 2 } })
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining('not there any more') })
    servers.update(1, { user_id: 2 })
    expect((await sendRequest(port)).status).toBe(200)
    profiles.update(1, { user_id: 99 })
    servers.update(1, { user_id: 99 })
    expect((await sendRequest(port)).status).toBe(502)
  })

  it('stays with its first profile while that is paused: the visitors do not go to another one of the same name', async () => {
    const { port: target, requests } = await startService()
    const { port, profiles, servers } = await startNatServer({ target })
    servers.update(1, { user_id: 2 })
    profiles.insert({ ...profiles.get(1), id: undefined, domain: 'NAS.Example.org.', user_id: 2 })
    profiles.update(1, { enabled: false })
    expect((await sendRequest(port)).status).toBe(403)
    expect(requests).toEqual([])
  })

  it('refuses addresses that the console blocks', async () => {
    const { port: target, requests } = await startService()
    const { port, waf } = await startNatServer({ target })
    waf.block('127.0.0.1')
    expect(await sendRequest(port)).toMatchObject({ status: 403, text: expect.stringContaining('blocked') })
    expect(requests).toEqual([])
  })
})

describe('a machine with another kind of stream', () => {
  it('forwards requests and sockets as well', async () => {
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
    expect(await sendRequest(port, { method: 'POST', body })).toMatchObject({ status: 200, text: body })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: forwardedName } })
    socket.on('open', () => socket.send('this'))
    const [message] = await once(socket, 'message')
    expect(String(message)).toBe('heard this')
    socket.close()
    await once(socket, 'close')
  })
})

describe('an error page', () => {
  it('is shown when the service is not running', async () => {
    const { port: target, server } = await startService()
    await new Promise((done) => server.close(done))
    const { port } = await startNatServer({ target })
    const reply = await sendRequest(port)
    expect(reply).toMatchObject({ status: 502, text: expect.stringContaining('is not running') })
    expect(reply.text).not.toContain('127.0.0.1')
    expect((await sendRequest(port, { method: 'HEAD' })).text).toBe('')
  })

  it('is shown when the server is not connected', async () => {
    const { port: target } = await startService()
    const { port, host } = await startNatServer({ target })
    host.tell({ at: new Date(0) })
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining('not connected') })
  })

  it.each([
    ['169.254.169.254:80', 'not allowed'],
    ['[::ffff:169.254.169.254]:80', 'not allowed'],
    ['nowhere.invalid:80', 'no such host'],
    ['not a target', 'must be a host and a port'],
    ['127.0.0.1:0', 'must be a host and a port'],
  ])('is shown for the target %s', async (target, words) => {
    const { port } = await startNatServer({ target })
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining(words) })
  })

  it('is shown for a machine whose settings disable NAT', async () => {
    const { port: target } = await startService()
    const configStore = { read: () => '{"disable_nat":true}', write: () => {} }
    const { connect: connectThere } = createLocalHost({ uuid: 'u', version: '1', configStore })
    const { port, host } = await startNatServer({ target })
    host.connect = connectThere
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining('does not forward') })
  })

  it('is shown when the connection to the service takes too long', async () => {
    const { port, host } = await startNatServer({ target: 1, nat: { times: { connectMs: 50 } } })
    host.connect = (_target, signal) =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    expect(await sendRequest(port)).toMatchObject({
      status: 504,
      text: expect.stringContaining('does not answer in time'),
    })
  })

  it('is shown when the service does not reply in time', async () => {
    const { port: target } = await startService(() => {})
    const { port } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20, replyMs: 100 } } })
    expect(await sendRequest(port)).toMatchObject({
      status: 504,
      text: expect.stringContaining('does not answer in time'),
    })
  })

  it('is shown when the service closes the connection before it replies', async () => {
    const { port: target } = await startService((request) => void request.socket.destroy())
    const { port } = await startNatServer({ target })
    expect(await sendRequest(port)).toMatchObject({
      status: 502,
      text: expect.stringContaining('broke the connection off'),
    })
  })

  it('is shown when a name leads back to this server', async () => {
    const { port, profiles } = await startNatServer({ target: 1 })
    profiles.update(1, { host: `127.0.0.1:${port}` })
    expect(await sendRequest(port)).toMatchObject({ status: 508 })
  })

  it('is shown when there are too many open requests', async () => {
    const held: (() => void)[] = []
    const { port: target } = await startService((_request, reply) => void held.push(() => reply.end('late')))
    const { port } = await startNatServer({ target, nat: { limits: { perProfile: 2 } } })
    const early = [sendRequest(port), sendRequest(port)]
    await expect.poll(() => held.length).toBe(2)
    expect(await sendRequest(port)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    for (const finish of held.splice(0)) finish()
    expect((await Promise.all(early)).map(({ text }) => text)).toEqual(['late', 'late'])
    const next = sendRequest(port)
    await expect.poll(() => held.length).toBe(1)
    held[0]?.()
    expect((await next).text).toBe('late')
  })
})

describe('a host name that a member chooses', () => {
  async function startWithMember(settings = {}) {
    const { port: target } = await startService()
    const server = await startNatServer({ target, settings: { host: '127.0.0.1', ...settings } })
    server.servers.update(1, { user_id: 2 })
    server.profiles.remove([1])
    const browsers = { admin: await enterAt(server.app, 1), member: await enterAt(server.app, 2) }
    const body = { name: 'nas', enabled: true, server_id: 1, host: `127.0.0.1:${target}`, domain: forwardedName }
    const save = async (who: keyof typeof browsers, changes: object = {}, path = 'nat') =>
      (await browsers[who].call(path === 'nat' ? 'POST' : 'PATCH', path, { body: { ...body, ...changes } })).body
    const list = async () => ((await browsers.member.get('nat')).body as { data: object[] }).data
    const status = async (host = forwardedName) => (await sendRequest(server.port, { host })).status
    return { ...server, ...browsers, save, list, status }
  }
  const waits = { awaits_release: true }

  it('is served after an administrator has released it, and the list says what waits', async () => {
    const { admin, member, save, list, status } = await startWithMember()
    expect(await save('member')).toEqual({ success: true, data: 2 })
    expect(await list()).toEqual([expect.objectContaining(waits)])
    expect(await status()).toBe(403)
    expect((await member.call('POST', 'wheelhouse/nat/2/release')).body).toEqual({ error: 'permission denied' })
    expect((await admin.call('POST', 'wheelhouse/nat/9/release')).body).toEqual({
      error: 'profile id 9 does not exist',
    })
    expect((await admin.call('POST', 'wheelhouse/nat/2/release')).body).toEqual({ success: true })
    expect(await list()).toEqual([expect.not.objectContaining(waits)])
    expect(await status()).toBe(200)
  })

  it('stays released when its member changes something else, not when the name becomes another one', async () => {
    const { admin, save, list, status } = await startWithMember()
    await save('member')
    await admin.call('POST', 'wheelhouse/nat/2/release')
    await save('member', { name: 'mine', domain: 'NAS.example.org' }, 'nat/2')
    expect(await status()).toBe(200)
    await save('member', { domain: 'other.example.org' }, 'nat/2')
    expect(await list()).toEqual([expect.objectContaining(waits)])
    expect(await status('other.example.org')).toBe(403)
  })

  it('needs no release where an administrator saves it, or the start allows it', async () => {
    const strict = await startWithMember()
    await strict.save('admin')
    expect(await strict.status()).toBe(200)
    const open = await startWithMember({ allowUnreleasedNames: true })
    await open.save('member')
    expect(await open.status()).toBe(200)
  })

  it('cannot be one that another profile has, in any spelling, and is stored as browsers send it', async () => {
    const { save, list, profiles } = await startWithMember()
    await save('admin', { enabled: false })
    for (const domain of ['NAS.example.org', 'nas.example.org.', 'nas.example.org:8080', ' nas.EXAMPLE.org ']) {
      expect(await save('member', { domain })).toEqual({ error: 'database error' })
    }
    await save('member', { domain: 'Bücher.Example.' })
    expect(await list()).toEqual([expect.objectContaining({ domain: 'xn--bcher-kva.example' })])
    expect(profiles.count()).toBe(2)
  })
})

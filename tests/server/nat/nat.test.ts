import { once } from 'node:events'
import { connect } from 'node:net'
import { duplexPair, pipeline } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { forwardedName, sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'
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
      'HTTP/1.1 200',
      'hello',
      'HTTP/1.1 403',
      'PUBLIC_URL',
      'HTTP/1.1 200',
      'hello',
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

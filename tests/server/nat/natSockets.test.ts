import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { closedPort } from '../../support/fakes/rawServer.ts'
import { forwardedName, sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'

/** An echo service that closes the socket with a code after `bye`. */
async function startEcho() {
  const service = await startService()
  const sockets = new WebSocketServer({ server: service.server, perMessageDeflate: true })
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      if (String(data) === 'bye') socket.close(4001, 'as you like')
      else if (String(data) === 'die') socket.terminate()
      else socket.send(data, { binary: isBinary })
    })
  })
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
  })
  return { ...service, sockets }
}

function open(port: number, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/it?a=1`, ['own-protocol'], {
    headers: { host: forwardedName, ...headers },
  })
  socket.on('error', () => {})
  return socket
}

const codeOf = async (socket: WebSocket) => ((await once(socket, 'close')) as [number, Buffer])[0]

describe('a WebSocket by a forwarded name', () => {
  it('transfers texts and bytes, from any origin', async () => {
    const { port: target, sockets } = await startEcho()
    const { port } = await startNatServer({ target })
    const connected = once(sockets, 'connection')
    const socket = open(port, { origin: 'https://elsewhere.example', cookie: 'a=1; nz-jwt=secret' })
    await once(socket, 'open')
    const [, request] = await connected
    expect(request.url).toBe('/it?a=1')
    expect(request.headers).toMatchObject({ host: forwardedName, cookie: 'a=1', 'x-forwarded-for': '127.0.0.1' })
    expect(socket.extensions).toContain('permessage-deflate')
    socket.send('hello')
    expect(String((await once(socket, 'message'))[0])).toBe('hello')
    const bytes = Buffer.alloc(3_000_000, 'abc')
    socket.send(bytes)
    const [echoed, isBinary] = await once(socket, 'message')
    expect(isBinary).toBe(true)
    expect(bytes.equals(echoed as Buffer)).toBe(true)
    socket.send('bye')
    expect(await codeOf(socket)).toBe(4001)
  })

  it('is closed when the service closes it', async () => {
    const { port: target } = await startEcho()
    const { port } = await startNatServer({ target })
    const socket = open(port)
    await once(socket, 'open')
    socket.send('die')
    expect(await codeOf(socket)).toBe(1006)
  })

  it('that the service refuses gets the service’s reply', async () => {
    const { port: target, server } = await startService()
    server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 401 Unauthorized\r\nx-own: 1\r\ncontent-length: 3\r\n\r\nno!')
    })
    const { port } = await startNatServer({ target })
    const [, response] = await once(open(port), 'unexpected-response')
    expect(response).toMatchObject({ statusCode: 401, headers: { 'x-own': '1' } })
    let text = ''
    for await (const chunk of response) text += chunk
    expect(text).toBe('no!')
  })

  it('gets an error page when the service is not running', async () => {
    const { port } = await startNatServer({ target: await closedPort() })
    const [, response] = await once(open(port), 'unexpected-response')
    expect(response.statusCode).toBe(502)
  })

  it.each([
    ['its profile is deleted', ({ profiles }) => profiles.remove([1])],
    ['its profile is switched off', ({ profiles }) => profiles.update(1, { enabled: false })],
    ['its profile leads elsewhere', ({ profiles }) => profiles.update(1, { host: '127.0.0.1:1' })],
    ['the server becomes somebody else’s', ({ servers }) => servers.update(1, { user_id: 7 })],
    ['the visitor is blocked', ({ waf }) => waf.block('127.0.0.1')],
    ['this server stops', ({ stop }) => stop()],
  ] satisfies [string, (server: Awaited<ReturnType<typeof startNatServer>>) => unknown][])(
    'ends when %s',
    async (_why, happen) => {
      const { port: target, sockets } = await startEcho()
      const server = await startNatServer({ target, profile: { user_id: 2 }, nat: { times: { checkIntervalMs: 20 } } })
      server.servers.update(1, { user_id: 2 })
      const socket = open(server.port)
      await once(socket, 'open')
      await happen(server)
      expect(await codeOf(socket)).toBe(1006)
      await expect.poll(() => sockets.clients.size).toBe(0)
    },
  )

  it('may be idle for long while both ends are connected', async () => {
    const { port: target } = await startEcho()
    const times = { checkIntervalMs: 10, replyMs: 400, idleMs: 400 }
    const { port } = await startNatServer({ target, nat: { times } })
    const socket = open(port)
    await once(socket, 'open')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    socket.send('still there')
    expect(String((await once(socket, 'message'))[0])).toBe('still there')
    socket.terminate()
  })

  it('counts as an open request until it ends', async () => {
    const { port: target } = await startEcho()
    const { port } = await startNatServer({ target, nat: { limits: { perProfile: 1 } } })
    const socket = open(port)
    await once(socket, 'open')
    expect((await sendRequest(port)).status).toBe(503)
    socket.close()
    await once(socket, 'close')
    await expect.poll(async () => (await sendRequest(port)).status).toBe(200)
  })
})

describe('an upgrade to another protocol', () => {
  it('transfers all bytes, including those that came with the request', async () => {
    const { port: target, server } = await startService()
    server.on('upgrade', ({ headers }, socket, head) => {
      socket.write(`HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: ${headers.upgrade}\r\n\r\n`)
      socket.write(head)
      socket.pipe(socket)
    })
    const { port } = await startNatServer({ target })
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(`POST /attach HTTP/1.1\r\nhost: ${forwardedName}\r\nconnection: upgrade\r\nupgrade: tcp\r\n\r\nfirst`)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (text.endsWith('first')) socket.end(' second')
    })
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 101 Switching\r\n(.+\r\n)*upgrade: tcp\r\n\r\nfirst second$/i)
  })

  it('is not forwarded for another HTTP version or with a body', async () => {
    const { port: target, requests: connected } = await startService()
    const { port } = await startNatServer({ target })
    const h2c = { connection: 'upgrade, http2-settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    expect(await sendRequest(port, { headers: h2c })).toMatchObject({ status: 200, text: 'hello' })
    const withBody = { connection: 'upgrade', upgrade: 'other', 'content-length': '4' }
    expect(await sendRequest(port, { method: 'POST', headers: withBody, body: 'body' })).toMatchObject({ status: 200 })
    for (const { headers } of connected) expect(headers).not.toHaveProperty('upgrade')
  })
})

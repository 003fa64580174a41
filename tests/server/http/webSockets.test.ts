import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { registerWebSockets } from '../../../server/http/httpPlugin.ts'
import { password, testServer } from '../../support/server/testServer.ts'

/** A server with two sockets: `/large` takes 10 KiB, `/other` what is usual. */
async function twoSockets() {
  const app = fastify()
  await registerWebSockets(app)
  const handler = () => {}
  app.get('/large', { websocket: true, config: { messageLimit: 10 * 1024 } }, handler)
  app.get('/other', { websocket: true }, handler)
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  async function open(path: string): Promise<WebSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${path}`)
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    return socket
  }
  return { app, open }
}

it('each socket takes messages as large as its route says, whichever was opened last', async () => {
  const { open } = await twoSockets()
  const sockets = [await open('large'), await open('other'), await open('large')] as const
  const codes = sockets.map(async (socket) => (await once(socket, 'close'))[0] as number)
  for (const socket of sockets) socket.send(Buffer.alloc(1025))
  expect(await codes[1]).toBe(1009)
  for (const socket of [sockets[0], sockets[2]]) {
    socket.ping()
    await once(socket, 'pong')
    socket.send(Buffer.alloc(10 * 1024 + 1))
  }
  expect([await codes[0], await codes[2]]).toEqual([1009, 1009])
})

it('a client that sends pings and does not read costs no memory', async () => {
  const { app, open } = await twoSockets()
  const socket = await open('large')
  await vi.waitFor(() => expect(app.websocketServer.clients.size).toBe(1))
  const [served] = app.websocketServer.clients
  socket.pause()
  let pings = 0
  served?.on('ping', () => pings++)
  while (pings < 100_000) {
    for (let more = 0; more < 1000; more++) socket.ping(Buffer.alloc(125))
    await new Promise((done) => setImmediate(done))
  }
  expect(served?.bufferedAmount).toBeLessThan(200 * 1024)
})

it.each(['h2c', 'TLS/1.0', 'foo, bar'])(
  'a request that offers %s as well is answered as any other',
  async (upgrade) => {
    const { app } = await testServer()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    // As Java's client and `curl --http2` send it with whatever they ask.
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABkAAQAAP__' }
    const asked = request({ host: '127.0.0.1', port, path: '/api/v1/setting', headers }).end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    expect([reply.statusCode, await json(reply)]).toMatchObject([200, { success: true }])
    const body = JSON.stringify({ username: 'admin', password })
    const sent = request({ host: '127.0.0.1', port, path: '/api/v1/login', method: 'POST', headers }).end(body)
    expect(await json(((await once(sent, 'response')) as [IncomingMessage])[0])).toMatchObject({ success: true })
  },
)

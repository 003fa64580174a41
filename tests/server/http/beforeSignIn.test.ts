import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { testServer } from '../../support/server/testServer.ts'

const MiB = 1024 * 1024

async function listening() {
  const server = await testServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  return { app: server.app, port: (server.app.server.address() as AddressInfo).port }
}

function connected(port: number): Socket {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends a head that announces a body which never comes. @returns the head of the reply */
async function announceBody(port: number, line: string, length: number): Promise<string> {
  const socket = connected(port)
  socket.write(`${line} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: ${length}\r\n\r\n{`)
  const [reply] = (await once(socket, 'data')) as [Buffer]
  return String(reply)
}

describe('somebody without a session', () => {
  it.each([
    'POST /api/v1/nope',
    'POST /api/v2/login',
    'PUT /api/v1/login',
    'DELETE /api/v1/server/1',
    'POST /',
    'POST /dashboard/',
    'OPTIONS /api/v1/login',
  ])('is told at once that %s does not exist, before the body has come', async (line) => {
    const { port } = await listening()
    expect(await announceBody(port, line, 8 * MiB - 1)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it.each(['POST /api/v1/server-group', 'PATCH /api/v1/setting', 'POST /api/v1/wheelhouse/logout'])(
    'is refused at %s before the body has come',
    async (line) => {
      const { port } = await listening()
      expect(await announceBody(port, line, 1000)).toContain('{"error":"ApiErrorUnauthorized"}')
    },
  )

  it('can send 4 KiB to a sign-in, and 16 KiB to its second half: only these read a body of theirs', async () => {
    const { port } = await listening()
    for (const [path, limit] of [
      ['wheelhouse/sign-in/options', 4],
      ['wheelhouse/sign-in', 16],
    ] as const) {
      const refusal = new RegExp(`^HTTP/1\\.1 413 [\\s\\S]*at most ${limit} KiB`)
      expect(await announceBody(port, `POST /api/v1/${path}`, limit * 1024 + 1)).toMatch(refusal)
    }
    expect(await announceBody(port, 'POST /api/v1/login', 4097)).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 4 KiB/)
  })

  it.each([
    ['length', (body: string) => `content-length: ${body.length}\r\n\r\n${body}`],
    [
      'parts',
      (body: string) => `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('reads why a body is refused, though it still sends it by its %s: the connection goes on', async (_, sent) => {
    const { port } = await listening()
    const socket = connected(port)
    const host = `host: 127.0.0.1:${port}`
    let replies = ''
    socket.on('data', (data) => {
      replies += String(data)
    })
    const [head, ...rest] = sent('x'.repeat(MiB)).match(/[\s\S]{1,65536}/g) ?? []
    socket.write(`POST /api/v1/login HTTP/1.1\r\n${host}\r\n${head}`)
    await vi.waitFor(() => expect(replies).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 4 KiB/))
    expect(replies).not.toMatch(/^connection: close/im)
    for (const part of rest) socket.write(part)
    socket.write(`GET /api/v1/setting HTTP/1.1\r\n${host}\r\n\r\n`)
    await vi.waitFor(() => expect(replies).toContain('"success":true'))
  })

  it('is disconnected where it would send far too much', async () => {
    const { port } = await listening()
    expect(await announceBody(port, 'POST /api/v1/login', 33 * MiB)).toMatch(/^connection: close/im)
  })

  it.each([
    ['PATCH', '/api/v1/server-group/1/', 307],
    ['POST', '/api/v1/login/', 307],
  ])('is redirected from %s %s before the body has come', async (method, path, status) => {
    const { port } = await listening()
    expect(await announceBody(port, `${method} ${path}`, 1000)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})

describe('a viewer of the live stream', () => {
  async function viewer() {
    const { app, port } = await listening()
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/server`)
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    return { app, socket, port }
  }
  const codeOf = async (socket: WebSocket) => (await once(socket, 'close'))[0] as number

  it('may send 1 KiB, which means nothing, and is disconnected beyond', async () => {
    const { socket } = await viewer()
    socket.send(Buffer.alloc(1024))
    await once(socket, 'message')
    socket.send(Buffer.alloc(1025))
    expect(await codeOf(socket)).toBe(1009)
  })

  it('is disconnected at the announcement of a longer message, whole or in fragments', async () => {
    const { socket } = await viewer()
    for (let part = 0; part < 3; part++) socket.send(Buffer.alloc(400), { fin: false })
    expect(await codeOf(socket)).toBe(1009)
    const { port } = await listening()
    const raw = connected(port)
    const head = `GET /api/v1/ws/server HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n`
    raw.write(`${head}sec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`)
    expect(String((await once(raw, 'data'))[0])).toMatch(/^HTTP\/1\.1 101 /)
    // A masked binary message of 8 MiB less a byte, of which nothing has come yet.
    const announcement = Buffer.alloc(14)
    announcement.set([0x82, 0x80 | 127])
    announcement.writeBigUInt64BE(BigInt(8 * MiB - 1), 2)
    raw.write(announcement)
    await once(raw, 'close')
  })

  it('that floods the server with pings or messages is disconnected', async () => {
    for (const flood of ['ping', 'send'] as const) {
      const { socket } = await viewer()
      const closed = codeOf(socket)
      for (let sent = 0; sent < 1000 && socket.readyState === socket.OPEN; sent++) socket[flood](Buffer.alloc(100))
      expect(await closed).toBe(1006)
    }
  })

  it('gets an answer to a ping', async () => {
    const { socket } = await viewer()
    const pong = once(socket, 'pong')
    socket.ping('here')
    expect(String((await pong)[0])).toBe('here')
  })
})

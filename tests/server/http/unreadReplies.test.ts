import { EventEmitter, once } from 'node:events'
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AppOptions } from '../../../server/app.ts'
import { registerErrorHandler } from '../../../server/http/errorReplies.ts'
import { createRequestLimits, registerLongReplies } from '../../../server/http/requestLimits.ts'
import { startAgentServer } from '../../support/agent/agentServer.ts'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { fakeUpstream, startGateway } from '../../support/server/gatewayServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { password, testServer } from '../../support/server/testServer.ts'

const MiB = 1024 ** 2
const asset = '/dashboard/assets/large-abc.js'

/** A built console with one large file: longer than what the system takes of a reply that nobody reads. */
function distWith(bytes: number): string {
  const dist = temporaryFolder()
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'index.html'), '<!doctype html><script>1</script>')
  writeFileSync(join(dist, 'assets', 'large-abc.js'), Buffer.alloc(bytes, 'x'))
  return dist
}

async function listening(options: Parameters<typeof testServer>[0]) {
  const server = await testServer(options)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  return { ...server, port: (server.app.server.address() as AddressInfo).port }
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`

/** A connection that has sent this, and reads nothing unless it is told to. */
function sending(port: number, text: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const socket = connect({ host: '127.0.0.1', port, ...options })
  socket.on('error', () => {}).pause()
  onTestFinished(() => void socket.destroy())
  socket.write(text)
  return socket
}

/** Reads until the text of all replies has as many of these. */
async function readUntil(socket: Socket, pattern: RegExp, count: number): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1')
    if ((text.match(pattern) ?? []).length >= count) break
  }
  return text
}

/** Reads until the connection ends. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

/** An upstream that says which request it answers, and how many it had at a time. */
async function countingGateway(replyLimits?: AppOptions['replyLimits']) {
  let [open, most] = [0, 0]
  const upstream = await fakeUpstream((request, response) => {
    most = Math.max(most, ++open)
    setImmediate(() => {
      open--
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, data: request.url }))
    })
  })
  const gateway = await startGateway(upstream.url, { replyLimits })
  return { ...gateway, port: Number(new URL(gateway.address).port), upstream, most: () => most }
}

describe('requests that a client sends without waiting for the replies', () => {
  it('are answered in their order, one at a time', async () => {
    const { port, most } = await countingGateway()
    const paths = Array.from({ length: 30 }, (_, at) => `/api/v1/service/${at}/history`)
    const text = await readUntil(sending(port, paths.map((path) => get(path)).join('')), /"data":/g, 30)
    expect([...text.matchAll(/"data":"([^"]+)"/g)].map(([, path]) => path)).toEqual(paths)
    expect(most()).toBe(1)
  })

  it('may have bodies, and come while the one before is answered', async () => {
    const { port, logged } = await listening({})
    const body = JSON.stringify({ username: 'admin', password: 'wrong' })
    const post = `POST /api/v1/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const socket = sending(port, get('/api/v1/setting') + post)
    socket.write(get('/api/v1/openapi.json'))
    const text = await readUntil(socket, /HTTP\/1\.1 \d+/g, 3)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', expect.any(String)])
    expect(logged).toEqual([])
  })

  it('beyond 32 end their connection, in the gateway as well, and nobody else’s; the log says it once', async () => {
    const embedded = await listening({ replyLimits: { waiting: 32 } })
    const gateway = await countingGateway()
    for (const { port, logged } of [embedded, gateway]) {
      const sockets = Array.from({ length: 3 }, () => sending(port, get('/api/v1/setting').repeat(1000)))
      await Promise.all(sockets.map((socket) => readAll(socket)))
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/setting`)).status).toBe(200)
      expect(logged).toEqual([expect.stringMatching(/^A connection from 127\.0\.0\.1 was ended: it sent more than 32/)])
    }
    expect(gateway.upstream.asked.length).toBeLessThan(10)
  })

  it('begin no other protocol while a reply is under way', async () => {
    const upgrade = get('/api/v1/ws/server', 'connection: upgrade\r\nupgrade: websocket\r\n')
    const [embedded, gateway] = [await listening({}), await countingGateway()]
    for (const { port } of [embedded, gateway]) {
      const text = await readUntil(sending(port, get('/api/v1/setting') + upgrade), /HTTP\/1\.1 \d+/g, 2)
      expect(text).toMatch(/^HTTP\/1\.1 200 /)
      expect(text).not.toContain(' 101 ')
    }
    expect(gateway.upstream.asked.map(({ headers }) => headers.upgrade)).toEqual([undefined, undefined])
  })

  it('are not answered any more when the client has ended its side', async () => {
    const { port, app } = await listening({ dist: distWith(16 * MiB) })
    const socket = sending(port, get(asset).repeat(20), { allowHalfOpen: true })
    await vi.waitFor(() => expect(app.dispatch.connectionCount()).toBe(1))
    socket.end()
    const text = await readAll(socket)
    expect(text.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(3)
    await vi.waitFor(() => expect(app.dispatch.connectionCount()).toBe(0))
  })
})

/** A connection over HTTP/2 to a server with a file of 1 MiB. */
async function http2Session(settings: { initialWindowSize: number }, unreadMs: number): Promise<ClientHttp2Session> {
  const { port } = await startAgentServer({ dist: distWith(MiB), tls: certificateFiles(), replyLimits: { unreadMs } })
  const session = connectHttp2(`https://localhost:${port}`, { ca: selfSigned.cert, settings })
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return session
}

describe('a reply that nobody reads', () => {
  it('is ended after some time with its connection, and the log says so', async () => {
    const { port, app, logged } = await listening({ dist: distWith(16 * MiB), replyLimits: { unreadMs: 50 } })
    for (let at = 0; at < 5; at++) sending(port, get(asset).repeat(10))
    await vi.waitFor(() => expect(app.dispatch.connectionCount()).toBe(5))
    await vi.waitFor(() => expect(app.dispatch.connectionCount()).toBe(0))
    expect(logged).toEqual([expect.stringMatching(/^A reply to 127\.0\.0\.1 was ended: nothing of it was read/)])
  })

  it('keeps no file open', async () => {
    const dist = distWith(16 * MiB)
    const { port, app } = await listening({ dist })
    for (let at = 0; at < 40; at++) sending(port, get(asset))
    await vi.waitFor(() => expect(app.dispatch.connectionCount()).toBe(40))
    expect((await fetch(`http://127.0.0.1:${port}${asset}`, { method: 'HEAD' })).status).toBe(200)
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`).startsWith(dist)
        } catch {
          return false
        }
      })
    if (process.platform === 'linux') await vi.waitFor(() => expect(openFiles()).toEqual([]))
  })

  it('is ended over HTTP/2 too, alone: others of its connection go on', async () => {
    const session = await http2Session({ initialWindowSize: 0 }, 50)
    const unread = Array.from({ length: 50 }, () => session.request({ ':path': asset }).on('error', () => {}))
    await Promise.all(unread.map((stream) => once(stream.resume(), 'close')))
    expect(unread.map(({ rstCode }) => rstCode)).toEqual(unread.map(() => constants.NGHTTP2_CANCEL))
    const head = session.request({ ':path': asset, ':method': 'HEAD' })
    const [headers] = (await once(head, 'response')) as [Record<string, unknown>]
    expect(headers[':status']).toBe(200)
  })

  it('goes on for a slow reader, however long that takes', async () => {
    // A window of HTTP/2 is told apart in small steps; the system takes MiB of a reply over HTTP/1.1 at a time.
    const unreadMs = 60_000
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const session = await http2Session({ initialWindowSize: 64 * 1024 }, unreadMs)
    const stream = session.request({ ':path': asset })
    let received = 0
    let looks = 0
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length
      // Two windows have been read since the last look, the server has sent some of the second.
      if (received < (looks + 1) * 128 * 1024) return
      looks++
      vi.advanceTimersByTime(unreadMs)
    })
    await once(stream, 'close')
    expect(looks).toBe(8)
    expect([stream.rstCode, received]).toEqual([constants.NGHTTP2_NO_ERROR, MiB])
  })
})

describe('a reply over HTTP/1.1 to a reader who takes a little at a time', () => {
  it('goes on as long as they read what the system takes of it within the limit, by the embedded server and the gateway', async () => {
    // As 14 KiB a second are in five minutes. The system takes MiB of a reply, and says nothing until much of them is read.
    const replyLimits = { unreadMs: 2500 }
    const bytesPerMs = (4 * MiB) / replyLimits.unreadMs
    const length = 12 * MiB
    const embedded = await listening({ dist: distWith(length), replyLimits })
    const upstream = await fakeUpstream((_, response) => response.end(Buffer.alloc(length, 'x')))
    const gateway = await startGateway(upstream.url, { replyLimits })
    const read = async (port: number, path: string) => {
      const socket = sending(port, get(path, 'connection: close\r\n'))
      const ended = new Promise((resolve) => socket.once('close', resolve))
      const start = performance.now()
      let received = 0
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length
        const early = received / bytesPerMs - (performance.now() - start)
        if (early <= 0) return
        socket.pause()
        setTimeout(() => socket.resume(), early)
      })
      socket.resume()
      await ended
      return received
    }
    const ports = [embedded.port, Number(new URL(gateway.address).port)] as const
    const [own, forwarded] = await Promise.all([read(ports[0], asset), read(ports[1], '/api/v1/file')])
    expect([embedded.logged, gateway.logged]).toEqual([[], []])
    expect(own).toBeGreaterThan(length)
    expect(forwarded).toBeGreaterThan(length)
  })
})

describe('bytes that wait to be read', () => {
  /** Each reply from shared bytes counts as 128 KiB. */
  const replyLimits = { unreadBytes: MiB, unreadBytesOfStrangers: 1.5 * MiB }
  const statusOf = async (socket: Socket) => Number((await readUntil(socket, /HTTP\/1\.1 \d+/g, 1)).slice(9, 12))

  it('are limited for an address and for all strangers; who has signed in is counted apart', async () => {
    const site = { web_real_ip_header: 'X-Real-IP', custom_code: `<!--${'x'.repeat(100_000)}-->` }
    const server = await listening({ dist: distWith(16 * MiB), site, replyLimits })
    const { port, logged } = server
    const from = (address: string) => `x-real-ip: ${address}\r\n`
    const unread: Socket[] = []
    const open = async (address: string) => {
      const socket = sending(port, get(asset, from(address)))
      unread.push(socket)
      const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
      socket.pause()
      return Number(chunk.toString('latin1').slice(9, 12))
    }
    for (let at = 0; at < 8; at++) expect(await open(`2001:db8::${at}`)).toBe(200)
    expect(await open('2001:db8::9')).toBe(429)
    for (let at = 0; at < 4; at++) expect(await open('192.0.2.1')).toBe(200)
    expect(await open('192.0.2.1')).toBe(503)
    expect(logged).toEqual([expect.stringMatching(/^Replies to 2001:db8::\/64 are refused: 1 MiB of them/)])
    const refused = await fetch(`http://127.0.0.1:${port}${asset}`, { headers: { 'x-real-ip': '2001:db8::1' } })
    expect(await refused.json()).toEqual({ error: expect.stringContaining('that you have not read yet') })
    const names = ['etag', 'last-modified', 'content-encoding', 'retry-after', 'cache-control']
    expect(names.map((name) => refused.headers.get(name))).toEqual([null, null, null, '60', 'no-store'])
    const body = JSON.stringify({ username: 'admin', password })
    const headers = { 'x-real-ip': '2001:db8::1' }
    const signIn = await fetch(`http://127.0.0.1:${port}/api/v1/login`, { method: 'POST', headers, body })
    const cookie = signIn.headers.getSetCookie().join('; ')
    const settings = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/api/v1/setting`, { headers })).status
    expect([await settings(headers), await settings({ ...headers, cookie })]).toEqual([429, 200])
    for (const socket of unread) socket.destroy()
    await vi.waitFor(async () => expect(await statusOf(sending(port, get(asset, from('192.0.2.1'))))).toBe(200))
  })

  it.each(['HTTP/1.1', 'HTTP/2'])(
    'neither count nor keep their source for those of %s who left before their reply was made',
    async (version) => {
      const app = (version === 'HTTP/2' ? fastify({ http2: true }) : fastify()) as unknown as FastifyInstance
      onTestFinished(() => app.close())
      registerLongReplies(
        app,
        createRequestLimits(() => {}, undefined, replyLimits),
      )
      const long = Buffer.alloc(0.75 * MiB, 'x')
      let [asked, sent] = [0, 0]
      const left = new EventEmitter()
      app.decorateRequest('address', '192.0.2.1')
      app.addHook('onSend', async () => void sent++)
      const sources: Readable[] = []
      app.get('/late', async (_request, { raw }) => {
        const gone = once(raw, 'close')
        left.emit('asked', ++asked)
        await gone
        if (asked < 3) return long
        sources.push(new Readable({ read() {} }))
        return sources[0]
      })
      app.get('/now', async () => long)
      const origin = await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      for (let at = 1; at <= 3; at++) {
        const isAsked = once(left, 'asked')
        const visitor = version === 'HTTP/2' ? connectHttp2(origin) : sending(port, get('/late'))
        if ('request' in visitor) visitor.request({ ':path': '/late' }).on('error', () => {})
        await isAsked
        visitor.destroy()
        await vi.waitFor(() => expect(sent).toBe(at))
      }
      expect((await app.inject('/now')).statusCode).toBe(200)
      await vi.waitFor(() => expect(sources.map(({ destroyed }) => destroyed)).toEqual([true]))
    },
  )

  it('are limited in the gateway, where replies come from the server behind', async () => {
    const upstream = await fakeUpstream((_, response) => {
      response.setHeader('content-type', 'application/json').end(Buffer.alloc(16 * MiB, ' '))
    })
    const { address } = await startGateway(upstream.url, { replyLimits })
    const port = Number(new URL(address).port)
    const statuses: number[] = []
    for (let at = 0; at < 9; at++) {
      const socket = sending(port, get('/api/v1/service'))
      const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
      socket.pause()
      statuses.push(Number(chunk.toString('latin1').slice(9, 12)))
    }
    expect(statuses).toEqual([...Array(8).fill(200), 429])
  })
})

describe('an error of a reply that was ended before its time', () => {
  it.each(['HTTP/1.1', 'HTTP/2'])('is in the log, unless the reader of %s has left', async (version) => {
    const app = (version === 'HTTP/2' ? fastify({ http2: true }) : fastify()) as unknown as FastifyInstance
    onTestFinished(() => app.close())
    const logged: unknown[] = []
    registerErrorHandler(app, { error: (...line) => logged.push(line[0]) })
    const visits = new EventEmitter()
    app.get('/page', async (request, { raw }) => {
      const gone = once(raw, 'close')
      visits.emit('begun')
      if ('wait' in (request.query as object)) await gone
      queueMicrotask(() => visits.emit('over'))
      throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
    })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const [begun, over] = [once(visits, 'begun'), once(visits, 'over')]
    const visitor = version === 'HTTP/2' ? connectHttp2(origin) : sending(port, get('/page?wait'))
    if ('request' in visitor) visitor.request({ ':path': '/page?wait' }).on('error', () => {})
    await begun
    visitor.destroy()
    await over
    expect((await app.inject('/page')).statusCode).toBe(500)
    expect(logged).toEqual(['GET /page failed:'])
  })
})

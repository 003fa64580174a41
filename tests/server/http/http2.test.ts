import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startAgentServer } from '../../support/agent/agentServer.ts'
import { clientStart, flags, frame, frameTypes, headerBlock } from '../../support/agent/http2Frames.ts'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { forwardedName, startNatServer } from '../../support/server/natServer.ts'
import { password } from '../../support/server/testServer.ts'

const trusting = { insecure: false, ca: selfSigned.cert }

const startServer = (options: Parameters<typeof startAgentServer>[0] = {}) =>
  startAgentServer({ tls: certificateFiles(), ...options })

/** A server with TLS that forwards a host name. */
async function startForwarding(requestTimeoutMs?: number) {
  const settings = { host: '127.0.0.1', tls: certificateFiles() }
  const server = await startNatServer({ target: 9, settings, requestTimeoutMs })
  onTestFinished(server.stop)
  return server
}

function http2To(port: number): ClientHttp2Session {
  const session = connect(`https://localhost:${port}`, { ca: selfSigned.cert })
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return session
}

interface Reply {
  status: number | undefined
  headers: Record<string, unknown>
  text: string
}

async function replyTo(stream: ClientHttp2Stream): Promise<Reply> {
  let text = ''
  let headers: Record<string, unknown> = {}
  stream.on('response', (received) => {
    headers = received
  })
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  stream.on('error', () => {})
  await once(stream, 'close')
  return { status: headers[':status'] as number | undefined, headers, text }
}

function send(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Reply> {
  const stream = session.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return replyTo(stream)
}

const settings = { ':path': '/api/v1/setting' }

describe('a browser over HTTP/2', () => {
  it('signs in, sends a form and gets lists, several at a time, beside an agent on the same port', async () => {
    const { port, calls, clock } = await startServer()
    const session = http2To(port)
    const login = { ':method': 'POST', ':path': '/api/v1/login' }
    const reply = await send(session, login, JSON.stringify({ username: 'admin', password }))
    expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('"success":true') })
    const cookie = (reply.headers['set-cookie'] as string[]).map((text) => text.split(';')[0]).join('; ')
    const [, csrf = ''] = /nz-csrf=([^;]*)/.exec(cookie) ?? []
    const form = {
      ':method': 'POST',
      ':path': '/api/v1/server-group',
      cookie,
      'x-csrf-token': decodeURIComponent(csrf),
    }
    const created = await send(session, form, JSON.stringify({ name: 'Berlin', servers: [] }))
    expect(created.text).toContain('"success":true')
    const paths = ['/api/v1/profile', '/api/v1/server', '/api/v1/server-group', '/api/v1/setting']
    const lists = await Promise.all(paths.map((path) => send(session, { ':path': path, cookie })))
    expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(lists[2]?.text).toContain('Berlin')
    expect(await calls(undefined, trusting).unary('ReportSystemInfo2', {})).toEqual({ data: clock.now / 1000 })
  })
})

it('a request over HTTP/2 at a node that hands over was not begun, and is answered over HTTP/1.1', async () => {
  const { port, app } = await startServer()
  const session = http2To(port)
  expect(await send(session, settings)).toMatchObject({ status: 200 })
  await app.dispatch.drain(10_000, (_request, response) => void response.end('passed on'))
  const stream = session.request({ ':method': 'POST', ':path': '/api/v1/login' })
  stream.on('error', () => {})
  await vi.waitFor(() => expect(stream.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM))
  await vi.waitFor(() => expect(session.closed).toBe(true))
  const socket = connectTls({ port, ALPNProtocols: ['h2', 'http/1.1'], ca: selfSigned.cert, servername: 'localhost' })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  expect(socket.alpnProtocol).toBe('http/1.1')
  socket.write('POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200')
  socket.destroy()
  await app.dispatch.end(0)
})

describe('the host of a request over HTTP/2', () => {
  it('is its authority, in the checks of names and of origins', async () => {
    const { port } = await startServer()
    const session = http2To(port)
    const login = { ':method': 'POST', ':path': '/api/v1/login' }
    const body = JSON.stringify({ username: 'admin', password })
    expect(await send(session, { ...settings, ':authority': 'evil.example' })).toMatchObject({ status: 403 })
    expect(await send(session, { ...login, origin: 'https://evil.example' }, body)).toMatchObject({ status: 403 })
    expect(await send(session, { ...login, origin: `https://localhost:${port}` }, body)).toMatchObject({ status: 200 })
    const reply = await send(session, settings)
    expect(reply.headers['content-security-policy']).toContain(`wss://localhost:${port}`)
  })

  it('is one: a second name in the header "host" is refused', async () => {
    const { port } = await startServer()
    const session = http2To(port)
    const authority = `localhost:${port}`
    const statusOf = async (host: string) =>
      (await send(session, { ...settings, ':authority': authority, host })).status
    expect([await statusOf('evil.example'), await statusOf(authority)]).toEqual([400, 200])
    expect(await send(session, { ...settings, host: 'evil.example' })).toMatchObject({ status: 403 })
  })

  it('that is forwarded to a service gets HTTP/1.1, and is sent away from a connection for another name', async () => {
    const { port } = await startForwarding()
    const agreedOn = async (servername: string, ALPNProtocols: string[]) => {
      const options = { host: '127.0.0.1', port, servername, ALPNProtocols, rejectUnauthorized: false }
      const socket = connectTls(options)
      await once(socket, 'secureConnect')
      socket.destroy()
      return socket.alpnProtocol
    }
    expect(await agreedOn('localhost', ['h2', 'http/1.1'])).toBe('h2')
    expect(await agreedOn('localhost', ['http/1.1'])).toBe('http/1.1')
    expect(await agreedOn(forwardedName, ['h2', 'http/1.1'])).toBe('http/1.1')
    const session = http2To(port)
    expect(await send(session, { ':path': '/', ':authority': `${forwardedName}:${port}` })).toMatchObject({
      status: 421,
    })
    expect(await send(session, settings)).toMatchObject({ status: 200 })
  })
})

describe('what a visitor can do over HTTP/2 is limited', () => {
  it('requests count like connections, so that many streams take no more places than many connections', async () => {
    const { port, logged } = await startServer({ connectionLimits: { perKey: 5, total: 100, waiting: 0 } })
    const session = http2To(port)
    // Their bodies never end.
    const slow = Array.from({ length: 4 }, () => session.request({ ':method': 'POST', ':path': '/api/v1/login' }))
    for (const stream of slow) stream.on('error', () => {}).resume()
    const refused = await send(session, settings)
    expect(refused).toMatchObject({
      status: 503,
      text: expect.stringContaining('too many connections of your address'),
    })
    expect(refused.headers['retry-after']).toBe('60')
    expect(logged).toEqual([expect.stringMatching(/5 are open from 127\.0\.0\.1, which is the limit/)])
    for (const stream of slow) stream.close()
    await vi.waitFor(async () => expect((await send(session, settings)).status).toBe(200))
  })

  it('a connection ends with its replies while many are open', async () => {
    const { port } = await startServer({ connectionLimits: { perKey: 100, total: 3, waiting: 0 } })
    const session = http2To(port)
    expect(await send(session, settings)).toMatchObject({ status: 200 })
    await vi.waitFor(() => expect(session.destroyed).toBe(true))
  })

  it('a body has to arrive in time, with its length and without', async () => {
    const { port } = await startForwarding(200)
    const session = http2To(port)
    for (const length of [{}, { 'content-length': '100' }]) {
      const stream = session.request({ ':method': 'POST', ':path': '/api/v1/login', ...length })
      stream.write('{"username":')
      expect(await replyTo(stream)).toMatchObject({ status: 408, text: expect.stringContaining('in time') })
    }
    expect(await send(session, settings)).toMatchObject({ status: 200 })
  })

  it('a body that is too long is refused, and one for nobody is not read', async () => {
    const warnings: string[] = []
    const listen = ({ message }: Error) => void warnings.push(message)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    const { port } = await startServer()
    const session = http2To(port)
    const long = 'x'.repeat(1024 * 1024)
    expect(await send(session, { ':method': 'POST', ':path': '/api/v1/login' }, long)).toMatchObject({ status: 413 })
    // One that says at once that it is longer than what is read out.
    const announced = { ':method': 'POST', ':path': '/api/v1/login', 'content-length': String(64 * 1024 ** 2) }
    const [refusal] = await once(session.request(announced), 'response')
    expect(refusal).toMatchObject({ ':status': 413 })
    expect(await send(session, { ':method': 'POST', ':path': '/api/v1/nothing' }, long)).toMatchObject({ status: 404 })
    expect(await send(session, settings)).toMatchObject({ status: 200 })
    // Node warns the operator of headers that HTTP/2 does not have.
    expect(warnings.filter((text) => text.includes('header'))).toEqual([])
  })

  const request = (stream: number, extra: Record<string, string> = {}) =>
    frame(
      frameTypes.headers,
      flags.endHeaders | flags.endStream,
      stream,
      headerBlock({ ':method': 'GET', ':scheme': 'https', ':authority': '127.0.0.1', ...settings, ...extra }),
    )
  const reset = (stream: number) => frame(frameTypes.reset, 0, stream, Buffer.from([0, 0, 0, 8]))
  /** HEADERS without END_HEADERS: its rest never comes. */
  const half = frame(frameTypes.headers, flags.endStream, 1, headerBlock({ ':method': 'GET' }))

  /** WINDOW_UPDATE by 0, an error of its stream. */
  const noWindow = (stream: number) => frame(8, 0, stream, Buffer.alloc(4))
  const opened = frame(
    frameTypes.headers,
    flags.endHeaders,
    1,
    headerBlock({ ':method': 'POST', ':scheme': 'https', ':authority': '127.0.0.1', ':path': '/api/v1/login' }),
  )
  const nothing = frame(frameTypes.data, 0, 1, Buffer.alloc(0))

  const windowSetting = frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0x10, 0, 0]))
  const manySettings = Buffer.concat(Array.from({ length: 100 }, () => windowSetting))

  const floods: readonly (readonly [string, (at: number) => Buffer])[] = [
    ['requests that are reset at once', (at) => Buffer.concat([request(2 * at + 1), reset(2 * at + 1)])],
    ['requests that make the server reset them', (at) => Buffer.concat([request(2 * at + 1), noWindow(2 * at + 1)])],
    ['settings without reading', () => manySettings],
    [
      'pieces of a body with nothing in them',
      (at) => (at === 0 ? opened : Buffer.concat(Array.from({ length: 100 }, () => nothing))),
    ],
    ['headers that go on for ever', (at) => (at === 0 ? half : frame(9, 0, 1, headerBlock({ [`x-${at}`]: 'y' })))],
  ]

  it.each(floods)('a flood of %s ends its connection and nothing else', async (_what, frames) => {
    const { port } = await startServer()
    const socket = connectTls({ host: '127.0.0.1', port, ca: selfSigned.cert, ALPNProtocols: ['h2'] })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write(clientStart)
    for (let at = 0; at < 20_000 && socket.writable; at++) {
      if (!socket.write(frames(at))) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    }
    await closed
    expect(await send(http2To(port), settings)).toMatchObject({ status: 200 })
  })
})

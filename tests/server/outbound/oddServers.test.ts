import { createSecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProbe } from '../../../server/machines/hosts/local/probe.ts'
import { failureReason } from '../../../server/outbound/failureReason.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { readCertificate } from '../../../server/services/certificates.ts'
import { causeOfOutage } from '../../../server/status/history/incidents.ts'
import { closedPort, startRawServer } from '../../support/fakes/rawServer.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'

const probe = createProbe()
const check = (target: string) => probe({ type: 'http', target }, { timeoutMs: 15_000, allowPrivate: true })
const up = { outcome: 'up', delay: expect.any(Number) }
const get = (url: string, verifyTls = false) => ({ url, method: 'GET', headers: () => ({}), verifyTls }) as const
const options = { allowPrivate: true, timeoutMs: 15_000, maxBodyBytes: 1000 }

/** A server that answers each connection with these bytes. */
async function answering(reply: string | Buffer): Promise<string> {
  const bytes = typeof reply === 'string' ? Buffer.from(reply, 'latin1') : reply
  const { port } = await startRawServer((socket) => socket.once('data', () => socket.end(bytes)))
  return `http://127.0.0.1:${port}/`
}

describe('a page that browsers open is up', () => {
  it.each([
    ['headers above 16 KiB', `HTTP/1.1 200 OK\r\nx-policy: ${'a'.repeat(200_000)}\r\n\r\n`],
    ['many cookies', `HTTP/1.1 200 OK\r\n${'set-cookie: one=two; path=/\r\n'.repeat(3000)}\r\n`],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nx-name: a\x01b\x7f\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nserver: old\n\nhello'],
    ['bare line feeds after the status only', 'HTTP/1.1 200 OK\nserver: old\r\nx: y\n\r\n'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown version of HTTP', 'HTTP/1.2 200 OK\r\n\r\n'],
    ['a status without a name', 'HTTP/1.1 204\r\n\r\n'],
  ])('with %s', async (_what, reply) => {
    expect(await check(await answering(reply))).toEqual(up)
  })

  it('although its headers have no end: then it is down, in words', async () => {
    const origin = await answering(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(400_000)}`)
    expect(await check(origin)).toMatchObject({
      outcome: 'down',
      problem: expect.stringMatching(/: the headers of the reply are too long$/),
    })
  })

  it.each([
    ['a cookie of blanks', `HTTP/1.1 200 OK\r\nset-cookie: a${' '.repeat(200_000)}b\r\n\r\n`],
    ['a status that begins again and again', `HTTP/1.1 200 ${'HTTP/'.repeat(40_000)}\rx\r\n\r\n`],
  ])('and holds nobody up with %s', async (_what, reply) => {
    const origin = await answering(reply)
    await expectLessProcessorTime(1500, async () => expect(await check(origin)).toEqual(up))
  })

  it.each([500, 404])('not with a status of %i that has a control character in its words', async (code) => {
    expect(await check(await answering(`HTTP/1.1 ${code} a\rb\r\n\r\n`))).toMatchObject({ outcome: 'down' })
  })

  it('after some heads in between, and with thousands of them it is down', async () => {
    expect(await check(await answering(`${'HTTP/1.1 103 Early Hints\n\n'.repeat(20)}HTTP/1.1 200 OK\n\n`))).toEqual(up)
    expect(await check(await answering('ICY 100\n\n'.repeat(7000)))).toMatchObject({
      outcome: 'down',
      problem: expect.stringMatching(/: the reply is no HTTP$/),
    })
  })

  it('with a server that answers 406 to a request that does not say what it accepts', async () => {
    const { origin, deliveries } = await receiver((reply, { headers }) =>
      reply.writeHead(headers.accept ? 200 : 406).end(),
    )
    expect(await check(origin)).toEqual(up)
    expect(deliveries[0]?.headers.accept).toBe('*/*')
  })

  it('after a redirect that needs the cookie that it sets', async () => {
    const { origin, deliveries } = await receiver((reply, { url, headers }) => {
      if (url === '/') return reply.writeHead(302, { location: '/set' }).end()
      if (url === '/set') {
        const cookies = [
          'seen=yes; Path=/; HttpOnly',
          'gone=1; Max-Age=0',
          'other=1; Path=/elsewhere',
          'secure=1; Secure',
        ]
        return reply.writeHead(302, { location: '/home', 'set-cookie': cookies }).end()
      }
      return headers.cookie ? reply.end() : reply.writeHead(302, { location: '/set' }).end()
    })
    expect(await check(origin)).toEqual(up)
    expect(deliveries.map(({ url, headers }) => [url, headers.cookie])).toEqual([
      ['/', undefined],
      ['/set', undefined],
      ['/home', 'seen=yes'],
    ])
    // The next check begins without cookies.
    expect(await check(`${origin}/home`)).toEqual(up)
    expect(deliveries[3]?.headers.cookie).toBeUndefined()
  })

  it('and its cookies go to no other host', async () => {
    const other = await receiver(undefined, { address: '127.0.0.2' })
    const first = await receiver((reply) =>
      reply
        .writeHead(302, { location: other.origin, 'set-cookie': ['a=1', 'b=2; Domain=0.0.1', 'c=3; Domain=127.0.0.2'] })
        .end(),
    )
    expect(await check(first.origin)).toEqual(up)
    expect(other.deliveries[0]?.headers.cookie).toBeUndefined()
  })

  it('after a redirect whose address is written in UTF-8', async () => {
    const { origin, deliveries } = await receiver((reply, { url }) => {
      if (url !== '/') return reply.end()
      return reply.writeHead(302, { location: Buffer.from('/straße').toString('latin1') }).end()
    })
    expect(await check(origin)).toEqual(up)
    expect(deliveries[1]?.url).toBe('/stra%C3%9Fe')
  })
})

describe('a TLS server that speaks only HTTP/2', () => {
  async function http2Server(answer: Parameters<typeof createSecureServer>[1], more: object = {}) {
    const server = createSecureServer({ ...selfSigned, ...more }, answer)
    const sessions = new Set<ServerHttp2Session>()
    server.on('session', (session) => {
      sessions.add(session)
      session.once('close', () => sessions.delete(session))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => {
      for (const session of sessions) session.destroy()
      server.close()
    })
    return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions }
  }

  it('is up, with its certificate, and the connection is closed', async () => {
    const { origin, sessions } = await http2Server((_, reply) => reply.end('much'))
    const certificate = { issuer: 'localhost', expiresAt: Date.parse('2120-01-01T00:00:00Z') }
    expect(await check(origin)).toEqual({ ...up, certificate })
    expect(await readCertificate(origin, { allowPrivate: true })).toEqual(certificate)
    await vi.waitFor(() => expect(sessions.size).toBe(0))
  })

  it('is down with the name of its status, which HTTP/2 does not send', async () => {
    const { origin } = await http2Server((_, reply) => reply.writeHead(503).end())
    expect(await check(origin)).toMatchObject({ outcome: 'down', problem: '503 Service Unavailable' })
  })

  it('gets a notification with its body once, and redirects as over HTTP/1', async () => {
    const got: unknown[] = []
    const { origin } = await http2Server(async (request, reply) => {
      let body = ''
      for await (const chunk of request) body += chunk
      got.push([request.method, request.url, request.headers['x-own'], body])
      if (request.url === '/a') reply.writeHead(307, { location: '/b' }).end()
      else reply.end('taken')
    })
    const request = {
      url: `${origin}/a`,
      method: 'POST',
      headers: () => ({ 'X-Own': '1' }),
      body: 'text',
      verifyTls: false,
    } as const
    expect(await guardedRequest(request, options)).toMatchObject({ code: 200, text: '200 OK', body: 'taken' })
    expect(got).toEqual([
      ['POST', '/a', '1', 'text'],
      ['POST', '/b', '1', 'text'],
    ])
  })

  it('that ends the handshake instead of answering is up as well', async () => {
    const offered: string[][] = []
    const { origin } = await http2Server((_, reply) => reply.end(), {
      // As many servers do: without a protocol that they speak there is no connection.
      ALPNProtocols: undefined,
      ALPNCallback({ protocols }: { protocols: string[] }) {
        offered.push(protocols)
        return protocols.find((one) => one === 'h2')
      },
    })
    expect(await check(origin)).toMatchObject(up)
    expect(offered).toEqual([['http/1.1'], ['h2']])
  })

  it('that never answers is down at the deadline, and the connection is closed', async () => {
    const { origin, sessions } = await http2Server(() => {})
    await expect(guardedRequest(get(origin), { ...options, timeoutMs: 500 })).rejects.toThrow('deadline exceeded')
    await vi.waitFor(() => expect(sessions.size).toBe(0))
  })

  it('that speaks neither is down, in words', async () => {
    const sockets = new Set<Socket>()
    const server = createTlsServer(selfSigned, (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => socket.end('what?'))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await check(origin)).toMatchObject({ outcome: 'down', problem: `Get "${origin}": the reply is no HTTP` })
  })
})

it('the certificate of a host that only redirects is looked at: the one that expires first counts', async () => {
  const plain = await receiver()
  const { origin } = await receiver((reply) => reply.writeHead(301, { location: plain.origin }).end(), { isTls: true })
  const certificate = { issuer: 'localhost', expiresAt: Date.parse('2120-01-01T00:00:00Z') }
  expect(await check(origin)).toEqual({ ...up, certificate })
  expect(await readCertificate(origin, { allowPrivate: true })).toEqual(certificate)
})

describe('the reason why a page is down', () => {
  it.each([
    ['UTF-8', Buffer.from('HTTP/1.1 404 Не найдено\r\n\r\n'), '404 Не найдено'],
    ['another encoding', 'HTTP/1.1 404 P\xe1gina\r\n\r\n', '404 Not Found'],
    ['control characters', 'HTTP/1.1 503 a\x01b\r\n\r\n', '503 Service Unavailable'],
    ['nothing', 'HTTP/1.1 500\r\n\r\n', '500 Internal Server Error'],
    ['an unknown status', 'HTTP/1.1 599 \xff\r\n\r\n', '599'],
  ])('is readable when the name of the status is in %s', async (_what, reply, problem) => {
    expect(await check(await answering(reply))).toEqual({ outcome: 'down', problem })
  })

  it('is readable when the text of the reply is in the encoding that it names', async () => {
    const head = 'HTTP/1.1 500 Error\r\ncontent-type: text/plain; charset=gb18030\r\n\r\n'
    const gb18030 = Buffer.concat([Buffer.from(head), Buffer.from([0xb4, 0xed, 0xce, 0xf3])])
    expect((await guardedRequest(get(await answering(gb18030)), options)).body).toBe('错误')
    const cut = await answering(Buffer.from('HTTP/1.1 500 Error\r\n\r\nпривет'))
    expect((await guardedRequest(get(cut), { ...options, maxBodyBytes: 5 })).body).toBe('пр')
  })

  const closedAtOnce = () => startRawServer((socket) => socket.destroy())
  const closedAfterRequest = () => startRawServer((socket) => socket.once('data', () => socket.end()))
  const noHttp = () => startRawServer((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n')))

  it('is in plain words, and visitors see its kind', async () => {
    const [{ port: silent }, { port: mute }, { port: other }] = [
      await closedAtOnce(),
      await closedAfterRequest(),
      await noHttp(),
    ]
    const { origin: tls } = await receiver(undefined, { isTls: true })
    const closed = await closedPort()
    const reasonOf = async (url: string) => {
      const { message } = await guardedRequest(get(url, true), options).then(
        () => new Error('it is up'),
        (error: Error) => error,
      )
      return [message.slice(message.indexOf('": ') + 3), causeOfOutage(message).kind]
    }
    const reset = /^(connection reset by peer|the connection was closed without a reply)$/
    expect(await reasonOf(`http://127.0.0.1:${silent}`)).toEqual([expect.stringMatching(reset), 'refused'])
    expect(await reasonOf(`http://127.0.0.1:${mute}`)).toEqual(['the connection was closed without a reply', 'refused'])
    expect(await reasonOf(`http://127.0.0.1:${other}`)).toEqual(['the reply is no HTTP', 'unknown'])
    expect(await reasonOf(`https://127.0.0.1:${other}`)).toEqual([expect.stringMatching(/TLS/), 'certificate'])
    expect(await reasonOf(tls)).toEqual(['self-signed certificate, which is not trusted here', 'certificate'])
    const refused = `dial tcp 127.0.0.1:${closed}: connect: connection refused`
    expect(await reasonOf(`http://127.0.0.1:${closed}`)).toEqual([refused, 'refused'])
  })

  it('is never the text of a library', () => {
    const reason = (code: string) => failureReason(Object.assign(new Error('try running Node.js with --x'), { code }))
    const expected: [string, string, string][] = [
      ['CERT_HAS_EXPIRED', 'the certificate has expired', 'certificate'],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another name', 'certificate'],
      [
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        'the certificate is signed by an authority that is not trusted here, or the one in between is not sent',
        'certificate',
      ],
      ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'the TLS handshake failed', 'certificate'],
      ['EHOSTUNREACH', 'no route to host', 'unreachable'],
      ['ENETUNREACH', 'network is unreachable', 'unreachable'],
      ['ETIMEDOUT', 'i/o timeout', 'timeout'],
      ['ENOTFOUND', 'no such host', 'name'],
      ['EAI_AGAIN', 'the name cannot be looked up now: no name server answers', 'name'],
      ['HPE_INVALID_CONSTANT', 'the reply is no HTTP', 'unknown'],
      ['ERR_HTTP2_STREAM_ERROR', 'the reply is no valid HTTP/2', 'unknown'],
      ['ESOMETHING', 'the connection failed (ESOMETHING)', 'unknown'],
      ['some words', 'the connection failed', 'unknown'],
    ]
    expect(expected.map(([code]) => [code, reason(code), causeOfOutage(reason(code)).kind])).toEqual(expected)
    const written = 'write EPROTO 40:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../x.c:354:\n'
    expect(failureReason(Object.assign(new Error(written), { code: 'EPROTO' }))).toBe('the port does not speak TLS')
    const nested = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }) })
    expect(failureReason(nested)).toBe('the certificate has expired')
    expect(failureReason(undefined)).toBe('the connection failed')
  })
})

import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCheck } from '../../../../server/services/checks/runCheck.ts'
import { httpCheck } from '../../../../src/schemas/checks/http.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { receiver } from '../../../support/fakes/receiver.ts'
import { selfSigned } from '../../../support/server/certificates/selfSigned.ts'
import { createTestHost } from '../../../support/server/testHost.ts'

const host = createTestHost()

const check = (target: string, fields: object = {}) =>
  runCheck(httpCheck.schema.parse({ kind: 'http', verify_tls: false, ...fields }), target, host, {
    timeoutMs: 15_000,
    allowPrivate: true,
  })

/** A server that answers each connection with these parts, one after the other. */
async function answering(parts: readonly (string | Uint8Array)[]): Promise<string> {
  const { port } = await startRawServer((socket) =>
    socket.once('data', async () => {
      for (const part of parts) {
        socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
        await new Promise(setImmediate)
      }
      socket.end()
    }),
  )
  return `http://127.0.0.1:${port}/`
}

const ok = 'HTTP/1.1 200 OK\r\n'
const hello = 'content-length: 5\r\n\r\nhello'
const packed = (encoding: string, bytes: Uint8Array) => [`${ok}content-encoding: ${encoding}\r\n\r\n`, bytes]

/** Answers that Chromium shows, although they are not as the standard has them. */
const answers: readonly (readonly [name: string, parts: readonly (string | Uint8Array)[]])[] = [
  ['headers of 200 KiB', [`${ok}x-policy: ${'a'.repeat(200_000)}\r\n${hello}`]],
  ['3,000 cookies', [`${ok}${'set-cookie: one=two; path=/\r\n'.repeat(3000)}${hello}`]],
  ['a control character in a header', [`${ok}x-name: a\x01b\r\n${hello}`]],
  ['a deleted character in a header', [`${ok}x-name: a\x7f\r\n${hello}`]],
  ['bare line feeds', ['HTTP/1.1 200 OK\nserver: old\ncontent-length: 5\n\nhello']],
  ['both ends of lines', ['HTTP/1.1 200 OK\nserver: old\r\ncontent-length: 5\n\r\nhello']],
  ['a blank before the colon', [`${ok}server : old\r\n${hello}`]],
  ['a tab before the colon', [`${ok}server\t: old\r\n${hello}`]],
  ['a line without a colon', [`${ok}this is no header\r\n${hello}`]],
  ['a name with blanks', [`${ok}my header: a\r\n${hello}`]],
  ['a header without a name', [`${ok}: nameless\r\n${hello}`]],
  ['a header without a value', [`${ok}x-empty:\r\n${hello}`]],
  ['a folded header', [`${ok}x-long: a\r\n  b\r\n\tc\r\n${hello}`]],
  ['a fold before the first header', [`${ok} folded\r\n${hello}`]],
  ['a header in Latin-1', [`${ok}x-name: caf\xe9\r\n${hello}`]],
  ['a header in UTF-8', [`${ok}x-name: caf\xc3\xa9\r\n${hello}`]],
  ['a header in Shift-JIS', [`${ok}x-name: \x93\xfa\x96{\r\n${hello}`]],
  ['the same length twice', [`${ok}content-length: 5\r\n${hello}`]],
  ['the same length twice in a line', [`${ok}content-length: 5, 5\r\n\r\nhello`]],
  ['a length that is no number', [`${ok}content-length: five\r\n\r\nhello`]],
  ['an empty length', [`${ok}content-length:\r\n\r\nhello`]],
  ['a length beside chunks', [`${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`]],
  ['chunks twice', [`${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`]],
  ['chunks in capitals', [`${ok}Transfer-Encoding: CHUNKED\r\n\r\n5\r\nhello\r\n0\r\n\r\n`]],
  ['chunks with blanks behind their length', [`${ok}transfer-encoding: chunked\r\n\r\n5  \r\nhello\r\n0\r\n\r\n`]],
  ['chunks in HTTP/1.0, which are none', ['HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\nhello']],
  ['an encoding of its transfer that changes nothing', [`${ok}transfer-encoding: identity\r\n${hello}`]],
  ['no length at all', [`${ok}\r\nhello`]],
  ['no headers at all', ['HTTP/1.1 200 OK\r\n\r\nhello']],
  ['a status without a name', [`HTTP/1.1 200\r\n${hello}`]],
  ['several blanks before the status', [`HTTP/1.1   200   OK\r\n${hello}`]],
  ['a name of the status in another encoding', [`HTTP/1.1 200 \xd3\xca\r\n${hello}`]],
  ['the protocol in small letters', [`http/1.1 200 OK\r\n${hello}`]],
  ['HTTP/1.2', [`HTTP/1.2 200 OK\r\n${hello}`]],
  ['HTTP/1.0', ['HTTP/1.0 200 OK\r\n\r\nhello']],
  ['an ICY status', ['ICY 200 OK\r\nicy-name: radio\r\n\r\nhello']],
  ['an end of line before it', [`\r\n${ok}${hello}`]],
  ['an answer in between', [`HTTP/1.1 100 Continue\r\n\r\n${ok}${hello}`]],
  ['early hints that are not right either', [`HTTP/1.1 103 Early Hints\nlink : </a>\n\n${ok}${hello}`]],
  ['one byte at a time', [...`${ok}server : old\r\n${hello}`]],
  ['its end in two parts', [`${ok}content-length: 5\r\n\r`, '\nhello']],
  ['gzip', packed('gzip', gzipSync('hello'))],
  ['Brotli', packed('br', brotliCompressSync('hello'))],
  ['Zstandard', packed('zstd', zstdCompressSync('hello'))],
  ['deflate', packed('deflate', deflateSync('hello'))],
  ['gzip in capitals', packed('GZIP', gzipSync('hello'))],
]

describe('an answer that browsers show is up', () => {
  it('in more than 40 ways', () => expect(answers.length).toBeGreaterThan(40))

  it.each(answers)('with %s', async (_name, parts) => {
    const result = await check(await answering(parts), { contains: 'hello' })
    expect(result).toMatchObject({ state: 'up', code: 200 })
  })

  it('after a redirect to itself that sets the cookie that it wants', async () => {
    const { origin } = await receiver((reply, { headers }) =>
      headers.cookie === 'seen=yes'
        ? reply.end('hello')
        : reply.writeHead(302, { location: '/', 'set-cookie': 'seen=yes; Path=/' }).end(),
    )
    expect(await check(origin, { contains: 'hello' })).toMatchObject({ state: 'up' })
  })

  it('only for those who say what they take, and who they are', async () => {
    const { origin } = await receiver((reply, { headers }) =>
      reply
        .writeHead(headers.accept?.includes('text/html') && /^Mozilla\//.test(headers['user-agent'] ?? '') ? 200 : 406)
        .end(),
    )
    expect(await check(origin)).toMatchObject({ state: 'up' })
  })

  it('also at another host to which a redirect leads, which is told no secret', async () => {
    const { origin } = await receiver((reply, { headers }) => {
      const { accept, 'user-agent': agent = '', 'accept-encoding': encodings = '', 'x-token': token } = headers
      const isBrowser = accept?.includes('text/html') && /^Mozilla\//.test(agent) && encodings.includes('br')
      reply.writeHead(isBrowser && !token ? 200 : 406).end()
    })
    const first = await receiver((reply) => reply.writeHead(301, { location: origin }).end())
    expect(await check(first.origin, { headers: { 'X-Token': 'token-of-tests' } })).toMatchObject({ state: 'up' })
  })

  it('from a TLS server that speaks only HTTP/2', async () => {
    const server = createSecureServer(selfSigned, (_request, reply) => void reply.end('hello'))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const target = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await check(target, { contains: 'hello' })).toMatchObject({
      state: 'up',
      certificate: { issuer: 'localhost' },
    })
    expect(await check(target, { http_version: '2' })).toMatchObject({ state: 'up' })
    expect(await check(target, { http_version: '1.1' })).toMatchObject({ state: 'down', reason: { key: 'no_http1' } })
  })
})

describe('an answer that nobody can read is down, in words', () => {
  it.each([
    ['two lengths', [`${ok}content-length: 3\r\n${hello}`], /two_lengths|no_http/],
    ['headers without an end', [`${ok}x: ${'a'.repeat(700_000)}`], /head_too_long/],
    ['something else', ['SSH-2.0-OpenSSH_9.9\r\nand more of it\r\n'], /no_http/],
    ['nothing', [''], /closed|reset/],
  ] as const)('with %s', async (_name, parts, reason) => {
    const result = await check(await answering(parts))
    expect(result).toMatchObject({ state: 'down', reason: { key: expect.stringMatching(reason) } })
  })
})

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { createReceiver, receiver } from '../../../support/fakes/receiver.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'

type Fixture = Awaited<ReturnType<typeof checkFixture>>

let fixture: Fixture
beforeAll(async () => {
  fixture = await checkFixture()
})

const http = (target: string, fields: object = {}) =>
  fixture.attempt({ type: 1, target, check: { kind: 'http', ...fields } })

const page = JSON.stringify({
  status: 'ok',
  queue: { length: 3 },
  nodes: [{ up: true }, { up: false }],
  version: '1.20',
})

describe('an HTTP check', () => {
  it.each([
    ['a code in a range', { codes: '200-204' }, true],
    ['another code', { codes: '201,301-399' }, false],
    ['a text', { contains: '"status"' }, true],
    ['a text that is missing', { contains: 'fine' }, false],
    ['a text that must not be there', { absent: 'version' }, false],
    ['a text that is not there', { absent: 'error' }, true],
    ['a pattern', { pattern: '"version":"1\\.\\d+"' }, true],
    ['a pattern that is not found', { pattern: '^ok$' }, false],
    ['an equal value', { json: [{ path: '$.status', op: '==', value: 'ok' }] }, true],
    ['a number as text', { json: [{ path: 'queue.length', op: '==', value: '3' }] }, true],
    ['a larger number', { json: [{ path: '$.queue.length', op: '>', value: 2 }] }, true],
    ['a number that is not smaller', { json: [{ path: '$.queue.length', op: '<', value: 3 }] }, false],
    ['one of several values', { json: [{ path: '$.nodes[*].up', op: '==', value: true }] }, true],
    [
      'a value that is among those that it must not be',
      { json: [{ path: '$.nodes[*].up', op: '!=', value: false }] },
      false,
    ],
    ['the last entry', { json: [{ path: '$.nodes[-1].up', op: '==', value: false }] }, true],
    ['a part of a text', { json: [{ path: "$['version']", op: 'contains', value: '.2' }] }, true],
    ['a value that is there', { json: [{ path: '$.queue', op: 'exists' }] }, true],
    ['a value that is not there', { json: [{ path: '$.queue.none', op: 'exists' }] }, false],
    ['a header', { answer_headers: { 'X-Cache': 'hit' } }, true],
    ['a header of another value', { answer_headers: { 'X-Cache': 'miss' } }, false],
    ['a header that is missing', { answer_headers: { 'X-None': '' } }, false],
  ])('asks for %s', async (_what, fields, isUp) => {
    const { origin } = await receiver((reply) => reply.writeHead(200, { 'x-cache': 'HIT' }).end(page))
    const tried = await http(origin, fields)
    expect(tried).toMatchObject({ state: isUp ? 'up' : 'down', code: 200, answer: page })
    expect(tried.rules.every(({ ok }) => ok)).toBe(isUp)
    expect(tried.reason === '').toBe(isUp)
    expect(tried.phases).toEqual({
      name: expect.any(Number),
      connect: expect.any(Number),
      first_byte: expect.any(Number),
      whole: expect.any(Number),
    })
  })

  it('says what was there in place of what was expected', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(503).end('sleeping'))
    expect(await http(origin, { codes: '200' })).toMatchObject({
      state: 'down',
      reason: 'rule_codes',
      reason_values: { expected: '200', found: '503' },
      code: 503,
      answer: 'sleeping',
      rules: [{ rule: 'codes', ok: false, expected: '200', found: '503' }],
    })
  })

  it('sends a method, headers, a body and a sign-in, and shows none of them in an answer that repeats them', async () => {
    const { origin, deliveries } = await receiver((reply, { headers, body }) =>
      reply.writeHead(500).end(`${headers.authorization} ${headers['x-token']} ${body}`),
    )
    const tried = await http(origin, {
      method: 'PUT',
      headers: { 'X-Token': 'token-of-tests' },
      body: '{"key":"secret-of-tests"}',
      body_type: 'json',
      auth: { kind: 'basic', user: 'watch', password: 'password-of-tests' },
    })
    expect(deliveries[0]).toMatchObject({
      method: 'PUT',
      body: '{"key":"secret-of-tests"}',
      headers: {
        'x-token': 'token-of-tests',
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('watch:password-of-tests').toString('base64')}`,
        'user-agent': expect.stringMatching(/^Mozilla\/5\.0 .*Wheelhouse/),
      },
    })
    expect(tried.answer).toBe('Basic … … …')
  })

  it('sends a bearer token, and to no other host', async () => {
    const other = await receiver((reply) => reply.end('there'))
    const { origin, deliveries } = await receiver((reply) => reply.writeHead(302, { location: other.origin }).end())
    expect(await http(origin, { auth: { kind: 'bearer', token: 'abc' }, contains: 'there' })).toMatchObject({
      state: 'up',
    })
    expect(deliveries[0]?.headers.authorization).toBe('Bearer abc')
    expect(other.deliveries[0]?.headers.authorization).toBeUndefined()
  })

  it('follows as many redirects as it may', async () => {
    const { origin } = await receiver((reply, { url }) =>
      url === '/3' ? reply.end() : reply.writeHead(302, { location: `/${Number(url?.slice(1)) + 1}` }).end(),
    )
    expect(await http(`${origin}/0`, { max_redirects: 3 })).toMatchObject({ state: 'up', code: 200 })
    expect(await http(`${origin}/0`, { max_redirects: 2 })).toMatchObject({ state: 'down', reason: 'redirects' })
    expect(await http(`${origin}/0`, { max_redirects: 0, codes: '302' })).toMatchObject({ state: 'up', code: 302 })
  })

  it('says what it has asked, where redirects led to, without its secrets', async () => {
    const { origin } = await receiver((reply, { url }) =>
      url === '/' ? reply.writeHead(302, { location: '/login', 'set-cookie': 'a=b' }).end() : reply.end('in'),
    )
    const { request } = await http(origin, { headers: { 'X-Token': 'token-of-tests' } })
    const [first, second] = String(request).split('\n\n')
    expect(first).toMatch(new RegExp(`^GET ${origin}\nuser-agent: Mozilla/5\\.0 \\(compatible; Wheelhouse\\)\n`))
    expect(first).toContain('x-token: …')
    expect(second).toMatch(new RegExp(`^GET ${origin}/login\n`))
    expect(second).toContain('cookie: a=b')
    expect((await http('http://127.0.0.1:1/')).request).toMatch(/^GET http:\/\/127\.0\.0\.1:1\/\n/)
  })

  it('judges the certificate only where it should', async () => {
    const { origin } = await receiver((reply) => reply.end('page'), { isTls: true })
    const certificate = { issuer: 'localhost', expires_at: '2120-01-01T00:00:00Z' }
    expect(await http(origin)).toMatchObject({ state: 'down', reason: 'certificate_self_signed', certificate })
    const unchecked = await http(origin, { verify_tls: false })
    expect(unchecked).toMatchObject({ state: 'up', certificate, phases: { tls: expect.any(Number) } })
  })

  it('trusts an authority that it names', async () => {
    const { selfSigned } = await import('../../../support/server/certificates/selfSigned.ts')
    const { origin } = await receiver((reply) => reply.end(), { isTls: true })
    expect(await http(origin, { ca: selfSigned.cert })).toMatchObject({ state: 'up' })
  })

  it('shows its own certificate to the host that it was meant for, and to none that this leads to', async () => {
    const { selfSigned } = await import('../../../support/server/certificates/selfSigned.ts')
    const shown: Record<string, boolean> = {}
    async function listen(name: string, answer: (reply: ServerResponse) => void): Promise<number> {
      const server = createServer({ ...selfSigned, requestCert: true, rejectUnauthorized: false }, (request, reply) => {
        shown[name] = 'subject' in (request.socket as TLSSocket).getPeerCertificate()
        answer(reply)
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      onTestFinished(() => void server.close())
      return (server.address() as AddressInfo).port
    }
    const other = await listen('other', (reply) => reply.end())
    const meant = await listen('meant', (reply) =>
      reply.writeHead(302, { location: `https://127.0.0.1:${other}/` }).end(),
    )
    const auth = { kind: 'certificate', ...selfSigned }
    expect(await http(`https://127.0.0.1:${meant}/`, { auth, verify_tls: false })).toMatchObject({ state: 'up' })
    expect(shown).toEqual({ meant: true, other: false })
  })

  it('goes through a proxy, which gets whole addresses', async () => {
    const proxy = await receiver((reply, { url }) => reply.end(`asked for ${url}`))
    const tried = await http('http://intranet.invalid/page', { proxy: proxy.origin })
    expect(tried).toMatchObject({ state: 'up', answer: 'asked for http://intranet.invalid/page' })
  })

  it.each([
    ['gzip', 'createGzip'],
    ['br', 'createBrotliCompress'],
    ['zstd', 'createZstdCompress'],
    ['deflate', 'createDeflate'],
  ] as const)('reads an answer that is compressed in %s', async (encoding, compressor) => {
    const zlib = await import('node:zlib')
    const { origin } = await receiver((reply) => {
      reply.writeHead(200, { 'content-encoding': encoding })
      const stream = zlib[compressor]()
      stream.pipe(reply)
      stream.end(page)
    })
    expect(await http(origin, { contains: '"status":"ok"' })).toMatchObject({ state: 'up', answer: page })
  })

  it('says in a word why there is no answer', async () => {
    const { port } = await startRawServer((socket) => socket.destroy())
    expect(await http(`http://127.0.0.1:${port}`)).toMatchObject({
      state: 'down',
      reason: expect.stringMatching(/closed|reset/),
    })
    const closed = await createReceiver()
    closed.close()
    expect(await http(closed.origin)).toMatchObject({ state: 'down', reason: 'refused' })
    expect(await http('http://name.invalid/')).toMatchObject({
      state: 'down',
      reason: expect.stringMatching(/no_host|lookup/),
    })
    const { port: silent } = await startRawServer((socket) => socket.write('SSH-2.0-OpenSSH\r\n'))
    expect(await http(`http://127.0.0.1:${silent}`)).toMatchObject({ state: 'down', reason: 'no_http' })
  })
})

describe('what cannot be checked is refused with a sentence', () => {
  it.each([
    [{ target: 'example.com:80' }, /^target: Must be a web address/],
    [{ target: '' }, 'target must not be empty'],
    [{ check: { kind: 'gopher' } }, /^check\.kind must be one of http, tls/],
    [{ check: { kind: 'http', codes: '2xx' } }, /^check\.codes: Must be codes/],
    [{ check: { kind: 'http', pattern: '(' } }, /^check\.pattern: /],
    [{ check: { kind: 'http', pattern: '(((a{1,50}){1,50}))' } }, /^check\.pattern/],
    [{ check: { kind: 'http', json: [{ path: '$..a', op: '==', value: 1 }] } }, /^check\.json\.0\.path: /],
    [{ check: { kind: 'http', max_redirects: 11 } }, 'check.max_redirects must be at most 10'],
    [{ server_id: 7 }, 'server id 7 does not exist'],
    [{ server_id: undefined }, 'server_id is missing: choose the server that checks'],
    [{ id: 9 }, 'service id 9 does not exist'],
  ])('%j', async (fields, message) => {
    const { error } = await fixture.attempt({ target: 'http://127.0.0.1/', check: { kind: 'http' }, ...fields })
    expect(error).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })
})

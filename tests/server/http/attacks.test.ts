import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCsrf } from '../../../server/auth/sessions/cookies.ts'
import { secretIn } from '../../../server/auth/sessions/sealedTokens.ts'
import { openStore } from '../../../server/db/store.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

const csrfFailure = { error: 'ApiErrorForbidden: missing or invalid CSRF token' }
const unauthorized = { error: 'ApiErrorUnauthorized' }
const group = { body: { name: 'g' } }

describe('a page of another origin on the same host', () => {
  it('cannot use a CSRF value that another server signed', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const foreign = createCsrf(openStore(':memory:')).create('any session')
    browser.cookies.set('nz-csrf', foreign)
    const reply = await browser.call('POST', 'server-group', group)
    expect([reply.status, reply.body]).toEqual([403, csrfFailure])
  })

  it('cannot set the cookie of the same name and guess the header: they must be equal', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const own = browser.cookies.get('nz-csrf')
    // A value that the attacker got from this very server, with an account of their own.
    const theirs = (await enter(server, 2)).cookies.get('nz-csrf')
    const session = `nz-jwt=${browser.cookies.get('nz-jwt')}`
    for (const cookie of [`${session}; nz-csrf=${theirs}`, `nz-csrf=${theirs}; ${session}; nz-csrf=${own}`]) {
      const headers = { cookie, 'x-csrf-token': own ?? '' }
      const reply = await server.browser().call('POST', 'server-group', { ...group, headers })
      expect([reply.status, reply.body]).toEqual([403, csrfFailure])
    }
  })

  it('cannot call with a value of its own when the browser sends its origin', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    for (const origin of ['http://evil.127.0.0.1:8008', 'http://127.0.0.1:8009', 'null']) {
      const reply = await browser.call('POST', 'server-group', { ...group, headers: { origin } })
      expect([reply.status, reply.body]).toEqual([403, { error: expect.stringMatching(/^ApiErrorForbidden: /) }])
    }
    expect((await browser.get('server-group')).body).toEqual({ success: true })
  })

  it('gets no permission in the reply to a preflight', async () => {
    const server = await testServer()
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const reply = await server.browser().call('OPTIONS', 'server-group', { headers })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a token', () => {
  /** The parts of a good token, and the keys of the server that made it. */
  async function good() {
    const server = await testServer()
    const token = (await enter(server, 2)).cookies.get('nz-jwt') ?? ''
    const [header = '', claims = '', signature = ''] = token.split('.')
    return { server, token, header, claims, signature, key: secretIn(server.store, 'auth.tokenKey') }
  }

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('is refused with other claims, another header, or without its signature', async () => {
    const { server, token, header, claims, signature } = await good()
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
    const profileWith = async (bearer: string) =>
      (await server.browser().get('profile', { authorization: `Bearer ${bearer}` })).body
    expect(await profileWith(token)).toMatchObject({ success: true })
    for (const forged of [
      `${header}.${encoded({ ...read, exp: 9_999_999_999 })}.${signature}`,
      `${header}.${encoded({ ...read, sid: 'x' })}.${signature}`,
      `${encoded({ alg: 'none' })}.${claims}.`,
      `${encoded({ alg: 'None', typ: 'JWT' })}.${claims}.${signature}`,
      `${encoded({ alg: 'HS512' })}.${claims}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature.slice(0, -2)}`,
      `${header}.${claims}.${signature}AA`,
      `${header}.${claims}`,
    ]) {
      expect(await profileWith(forged), forged).toEqual(unauthorized)
    }
  })

  it('of the right key is refused without an expiry, or with another algorithm', async () => {
    const { server, claims, key } = await good()
    const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string }
    const endless = await new SignJWT({ sid }).setProtectedHeader({ alg: 'HS256' }).sign(key)
    const other = await new SignJWT({ sid })
      .setProtectedHeader({ alg: 'HS512' })
      .setExpirationTime(server.clock.now / 1000 + 600)
      .sign(Buffer.concat([key, key]))
    for (const token of [endless, other]) {
      expect((await server.browser().get('profile', { authorization: `Bearer ${token}` })).body).toEqual(unauthorized)
    }
  })
})

describe('a path as it is sent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-attacks-'))
  let port: number
  beforeAll(async () => {
    mkdirSync(join(folder, 'dist', 'assets'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), 'the secret file')
    writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html>')
    const { app } = await testServer({ dist: join(folder, 'dist') })
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as AddressInfo).port
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    '/dashboard/../secret.txt',
    '/dashboard/assets/../../secret.txt',
    '/dashboard/..\\secret.txt',
    '/dashboard/%2e%2e%2fsecret.txt',
    '/dashboard/..;/secret.txt',
    '/dashboard/./.././secret.txt',
    '/../secret.txt',
    'http://127.0.0.1/dashboard/../secret.txt',
  ])('leads to no file outside of the console: %s', async (path) => {
    const text = await raw(port, `GET ${path} HTTP/1.1`)
    expect(text).toMatch(/^HTTP\/1\.1 \d{3} /)
    expect(text).not.toContain('the secret file')
  })
})

describe('a header that contains text of a user', () => {
  it('cannot contain a line break', async () => {
    const injected = 'x\r\nset-cookie: nz-jwt=theirs\r\n\r\n<script>'
    const server = await testServer({ site: { site_name: injected } })
    const { headers } = await server.browser().get('profile')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['www-authenticate']).toMatch(/^[^\r\n]*$/)
  })

  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })

  it.each([
    '/api/v1/setting%0d%0aset-cookie:x=y/',
    '/api/v1/setting/?a=%0d%0aset-cookie:x=y',
    '/?a=%0d%0aset-cookie:x=y',
    '//evil.example/api/v1/setting/',
    '/\\evil.example/',
  ])('leads nowhere else: %s', async (path) => {
    const { headers, text } = await server.browser().get(path)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers.location ?? '/').toMatch(/^\/(?![/\\])[^\r\n]*$/)
    // The status page has its data in a script element that does not run.
    expect(text.replaceAll('<script type="application/json"', '')).not.toContain('<script')
  })
})

/** One request, written as it is; the whole answer. */
async function raw(port: number, line: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(`${line}\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

import { beforeAll, describe, expect, it } from 'vitest'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const notFound = { error: '404 Not Found' }

/** For requests that change nothing. */
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})

describe('a request without a route', () => {
  it.each([
    ['GET', '/api/v1/nope'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v2/setting'],
    ['POST', '/api/v1/logout'],
    ['PUT', '/api/v1/server-group'],
    ['DELETE', '/api/v1/server-group/1'],
    ['PATCH', '/api/v1/profile'],
    ['GET', '/api/v1/login'],
    ['GET', '/favicon.ico'],
    ['GET', '//evil.example/'],
    ['POST', '/dashboard/'],
    ['GET', '/api/v1/nope/'],
    ['GET', '/api/v1/%00'],
  ])('%s %s is not found', async (method, path) => {
    const browser = await signedIn(server)
    const reply = await browser.call(method, path)
    expect([reply.status, reply.body]).toEqual([404, notFound])
  })

  it.each(['/api/v1/cron/1/manual', '/api/v1/file?id=1'])(
    'GET %s is not found: any page could send a GET',
    async (path) => {
      const browser = await signedIn(server)
      expect((await browser.get(path)).body).toEqual(notFound)
    },
  )

  it.each([
    ['GET', '/api/v1/setting/', 301, '/api/v1/setting'],
    ['GET', '/api/v1/server/?id=1&x=%22%3E', 301, '/api/v1/server?id=1&x=%22%3E'],
    ['PATCH', '/api/v1/server-group/7/', 307, '/api/v1/server-group/7'],
    ['POST', '/api/v1/server-group/', 307, '/api/v1/server-group'],
  ])('%s %s is redirected to the path without the slash', async (method, path, status, location) => {
    const reply = await server.browser().call(method, path)
    expect([reply.status, reply.headers.location]).toEqual([status, location])
  })

  it('that cannot be decoded is answered with 400', async () => {
    const reply = await server.browser().get('/api/v1/%zz')
    expect([reply.status, reply.body]).toEqual([400, { error: '400 Bad Request' }])
  })

  it('with a number of a thousand digits is refused in the words of the contract', async () => {
    const browser = await signedIn(server)
    const reply = await browser.call('PATCH', `server-group/${'9'.repeat(1000)}`, { body: {} })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ error: expect.stringMatching(/value out of range$/) })
  })
})

describe('a body', () => {
  it.each([
    ['POST', 'server-group', '256 KiB'],
    ['POST', 'notification', '1 MiB'],
    ['PATCH', 'server/1', '1 MiB'],
    ['PATCH', 'setting', '4 MiB'],
    ['POST', 'batch-delete/server', '256 KiB'],
    ['POST', 'online-user/batch-block', '256 KiB'],
    ['POST', 'wheelhouse/logout', '4 KiB'],
    ['POST', 'cron/1/manual', '4 KiB'],
  ])('of %s %s is refused beyond %s, and the refusal names the limit', async (method, path, limit) => {
    const browser = await signedIn(server)
    const [count, unit] = limit.split(' ')
    const bytes = Number(count) * (unit === 'KiB' ? 1024 : 1024 ** 2)
    const reply = await browser.call(method, path, { body: `"${'x'.repeat(bytes - 1)}"` })
    expect([reply.status, reply.body]).toEqual([413, { error: `request body too large: at most ${limit}` }])
    expect((await browser.call(method, path, { body: `"${'x'.repeat(bytes - 2)}"` })).status).toBe(200)
  })

  it('of a sign-in is limited to 4 KiB', async () => {
    const reply = await server.browser().signIn('admin', 'x'.repeat(5000))
    expect([reply.status, reply.body]).toEqual([413, { error: 'request body too large: at most 4 KiB' }])
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'x',
    'multipart/form-data',
    '',
  ])('is read as JSON with the content type "%s"', async (type) => {
    const browser = await signedIn(await testServer())
    const options = { body: '{"name":"any"}', headers: { 'content-type': type } }
    expect((await browser.call('POST', 'server-group', options)).body).toEqual({ success: true, data: 1 })
  })

  it.each([
    ['nothing', ''],
    ['half an object', '{'],
    ['a list', '[]'],
    ['no JSON', 'x'],
    ['null', 'null'],
    ['a wrong type', '{"name":5}'],
    ['a number beyond all', '{"name":1e999}'],
    ['half a letter', '"\\ud800"'],
    ['a deep nest', '[[[['.repeat(1000)],
    ['a zero byte', '\u0000'],
    ['a key that JavaScript knows', '{"__proto__":{"role":0},"constructor":1}'],
  ])('of %s never causes a server error', async (_, body) => {
    const server = await testServer()
    const browser = await signedIn(server)
    for (const [method, path] of [
      ['POST', 'server-group'],
      ['PATCH', 'server-group/1'],
      ['PATCH', 'server/x'],
      ['POST', 'batch-delete/server'],
      ['POST', 'refresh-token'],
    ] as const) {
      expect((await browser.call(method, path, { body })).status).toBe(200)
    }
    expect((await browser.call('POST', 'login', { body })).status).toBe(200)
    expect(server.logged).toEqual([])
  })
})

describe('a real-IP header', () => {
  it.each(['__proto__', 'constructor', 'toString'])('named %s is found in no request', async (name) => {
    const server = await testServer({ site: { web_real_ip_header: name } })
    const reply = await server.browser().get('setting')
    expect([reply.status, reply.body]).toEqual([200, { error: 'real ip header not found' }])
    expect(server.logged).toEqual([])
  })
})

describe('an unexpected error', () => {
  it('is answered with one sentence, and logged with its cause', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    server.store.close()
    const reply = await browser.get('profile')
    expect([reply.status, reply.body]).toEqual([500, { error: 'internal server error: the log says more' }])
    expect(server.logged).toEqual([expect.stringMatching(/^GET .* failed: .*Error/)])
  })
})

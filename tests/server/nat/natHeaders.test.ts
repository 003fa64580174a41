import { describe, expect, it } from 'vitest'
import { natName, startNatServer, startService, visit } from '../../support/server/natServer.ts'

/** How the headers of a request arrive at the service. */
async function arriving(headers: Record<string, string | string[]>, options: object = {}) {
  const { port: target, asked } = await startService()
  const { port } = await startNatServer({ target, ...options })
  expect((await visit(port, { headers })).status).toBe(200)
  return asked[0]?.headers ?? {}
}

describe('the headers of a request', () => {
  it('arrive as the visitor sent them, the host name among them', async () => {
    const { port: target, asked } = await startService()
    const { port } = await startNatServer({ target })
    const headers = { 'X-Own': ['one', 'two'], Authorization: 'Basic eDp5', Referer: 'https://nas.example.org/a' }
    await visit(port, { host: 'NAS.example.org:8443', headers })
    const raw = asked[0]?.rawHeaders ?? []
    for (const [name, values] of Object.entries({ ...headers, Host: 'NAS.example.org:8443' })) {
      expect(raw.filter((_, at) => raw[at - 1] === name && at % 2 === 1)).toEqual([values].flat())
    }
  })

  it('say who the visitor is, and nobody else says it', async () => {
    const said = {
      'x-forwarded-for': '9.9.9.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '9.9.9.9',
      forwarded: 'for=9.9.9.9',
      'cf-connecting-ip': '9.9.9.9',
    }
    const headers = await arriving(said)
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': natName,
    })
    expect(JSON.stringify(headers)).not.toContain('9.9.9.9')
  })

  it('repeat what a proxy in front says, where the settings name its header', async () => {
    const said = { 'x-real-ip': '6.6.6.6', 'x-visitor': '6.6.6.6, 9.9.9.9', 'x-forwarded-proto': 'https' }
    const headers = await arriving(said, { site: { web_real_ip_header: 'X-Visitor' } })
    expect(headers).toMatchObject({
      'x-forwarded-for': '9.9.9.9',
      'x-real-ip': '9.9.9.9',
      'x-forwarded-proto': 'https',
    })
    expect(headers).not.toHaveProperty('x-visitor')
  })

  it('say the protocol of the public address, whatever else is said', async () => {
    const publicUrl = new URL('https://console.example.org')
    const settings = { settings: { host: '127.0.0.1', publicUrl } }
    expect(await arriving({ 'x-forwarded-proto': 'http' }, settings)).toMatchObject({ 'x-forwarded-proto': 'https' })
  })

  it('name no address where the settings say that none is known', async () => {
    const headers = await arriving({ 'x-forwarded-for': '9.9.9.9' }, { site: { web_real_ip_header: '' } })
    expect(headers).not.toHaveProperty('x-forwarded-for')
    expect(headers).not.toHaveProperty('x-real-ip')
  })

  it('are refused when the proxy in front does not say who it is', async () => {
    const { port: target, asked } = await startService()
    const { port } = await startNatServer({ target, site: { web_real_ip_header: 'X-Visitor' } })
    const wrong: Record<string, string>[] = [{}, { 'x-visitor': '<b>nobody</b>' }]
    for (const headers of wrong) {
      const reply = await visit(port, { headers })
      expect(reply).toMatchObject({ status: 403, text: expect.stringContaining('does not say who the visitor is') })
      expect(reply.text).not.toContain('nobody')
    }
    expect(asked).toEqual([])
  })

  it('that are about one connection stay behind', async () => {
    const headers = await arriving({
      Connection: 'keep-alive, X-Secret-Hop',
      'X-Secret-Hop': '1',
      'Keep-Alive': 'timeout=5',
      'Proxy-Authorization': 'Basic eDp5',
      TE: 'trailers',
    })
    for (const name of ['x-secret-hop', 'keep-alive', 'proxy-authorization', 'te']) {
      expect(headers).not.toHaveProperty(name)
    }
    expect(headers.connection).toBe('close')
  })

  it('give the service none of the console’s cookies', async () => {
    const cookie = 'a=1; nz-jwt=secret; b=2;nz-csrf=secret; nz-o2s=secret; nz-jwt2=3'
    const headers = await arriving({ cookie })
    expect(headers.cookie).toBe('a=1; b=2; nz-jwt2=3')
    expect(await arriving({ cookie: 'nz-jwt=secret' })).not.toHaveProperty('cookie')
  })
})

describe('the headers of a reply', () => {
  it('come back as they are, without those of one connection', async () => {
    const { port: target } = await startService((_request, reply) => {
      reply.sendDate = false
      reply.writeHead(200, [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2; Path=/', 'X-Hop', '1', 'Connection', 'close, X-Hop'],
        ...['Server', 'theirs', 'Strict-Transport-Security', 'max-age=1'],
      ])
      reply.end('x')
    })
    const { port } = await startNatServer({ target })
    const { raw, headers } = await visit(port)
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2; Path=/'])
    expect(headers).toMatchObject({ server: 'theirs', 'strict-transport-security': 'max-age=1' })
    for (const name of ['X-Hop', 'Date']) expect(raw).not.toContain(name)
  })

  it('set none of the console’s cookies, in whatever spelling a browser would take for one', async () => {
    const cookies = [
      ...['nz-jwt=x', ' nz-csrf =x; Domain=example.org', '=nz-jwt=x', 'nz-jwt', '== nz-o2s=x; Path=/'],
      ...['mine=nz-jwt=x', 'nz-jwt2=x'],
    ]
    const { port: target } = await startService((_request, reply) => {
      reply.writeHead(200, { 'set-cookie': cookies }).end()
    })
    const { port } = await startNatServer({ target })
    expect((await visit(port)).headers['set-cookie']).toEqual(['mine=nz-jwt=x', 'nz-jwt2=x'])
  })

  it('of HEAD and of replies without a body are complete', async () => {
    const { port: target } = await startService(({ url }, reply) => {
      reply.writeHead(url === '/none' ? 304 : 200, { etag: '"1"', 'content-length': '5' })
      reply.end(url === '/none' ? undefined : 'hello')
    })
    const { port } = await startNatServer({ target })
    const head = await visit(port, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5', etag: '"1"' } })
    expect(await visit(port, { path: '/none' })).toMatchObject({ status: 304, headers: { etag: '"1"' } })
  })
})

import { describe, expect, it } from 'vitest'
import { forwardedName, sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'

/** The headers that the service gets for a request. */
async function receivedHeaders(headers: Record<string, string | string[]>, options: object = {}) {
  const { port: target, requests } = await startService()
  const { port } = await startNatServer({ target, ...options })
  expect((await sendRequest(port, { headers })).status).toBe(200)
  return requests[0]?.headers ?? {}
}

describe('the headers of a request', () => {
  it('are forwarded as the visitor sent them, including the host name', async () => {
    const { port: target, requests } = await startService()
    const { port } = await startNatServer({ target })
    const headers = { 'X-Own': ['one', 'two'], Authorization: 'Basic eDp5', Referer: 'https://nas.example.org/a' }
    await sendRequest(port, { host: 'NAS.example.org:8443', headers })
    const raw = requests[0]?.rawHeaders ?? []
    for (const [name, values] of Object.entries({ ...headers, Host: 'NAS.example.org:8443' })) {
      expect(raw.filter((_, at) => raw[at - 1] === name && at % 2 === 1)).toEqual([values].flat())
    }
  })

  it('about the visitor are set by this server only', async () => {
    const visitorHeaders = {
      'x-forwarded-for': '9.9.9.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '9.9.9.9',
      forwarded: 'for=9.9.9.9',
      'cf-connecting-ip': '9.9.9.9',
    }
    const headers = await receivedHeaders(visitorHeaders)
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': forwardedName,
    })
    expect(JSON.stringify(headers)).not.toContain('9.9.9.9')
  })

  it('about the visitor are not passed on in a spelling that a service takes for them', async () => {
    const forged = {
      X_Real_IP: '9.9.9.9',
      x_forwarded_for: '9.9.9.9',
      'X-Forwarded_Host': '9.9.9.9',
      NZ_RealIP: '9.9.9.9',
      x_forwarded_proto: '9.9.9.9',
      X_Forwarded_User: '9.9.9.9',
      True_Client_IP: '9.9.9.9',
      hOsT_: 'kept',
      x_visitor: '9.9.9.9',
      'X-Visitor': '203.0.113.7',
      X_Own: 'kept',
      x_wheelhouse_nat: '9.9.9.9',
    }
    const headers = await receivedHeaders(forged, { site: { web_real_ip_header: 'X-Visitor' } })
    expect(JSON.stringify(headers)).not.toContain('9.9.9.9')
    expect(headers).toMatchObject({ 'x-real-ip': '203.0.113.7', x_own: 'kept', host_: 'kept' })
  })

  it('about the visitor come from a reverse proxy where the settings name its header', async () => {
    const visitorHeaders = { 'x-real-ip': '6.6.6.6', 'x-visitor': '6.6.6.6, 9.9.9.9', 'x-forwarded-proto': 'https' }
    const headers = await receivedHeaders(visitorHeaders, { site: { web_real_ip_header: 'X-Visitor' } })
    expect(headers).toMatchObject({
      'x-forwarded-for': '9.9.9.9',
      'x-real-ip': '9.9.9.9',
      'x-forwarded-proto': 'https',
    })
    expect(headers).not.toHaveProperty('x-visitor')
  })

  it('have the protocol of the public URL, whatever the visitor sends', async () => {
    const publicUrl = new URL('https://console.example.org')
    const settings = { settings: { host: '127.0.0.1', publicUrl } }
    expect(await receivedHeaders({ 'x-forwarded-proto': 'http' }, settings)).toMatchObject({
      'x-forwarded-proto': 'https',
    })
  })

  it('contain no address where the settings say that it is unknown', async () => {
    const headers = await receivedHeaders({ 'x-forwarded-for': '9.9.9.9' }, { site: { web_real_ip_header: '' } })
    expect(headers).not.toHaveProperty('x-forwarded-for')
    expect(headers).not.toHaveProperty('x-real-ip')
  })

  it('are refused when the reverse proxy sends no address', async () => {
    const { port: target, requests } = await startService()
    const { port } = await startNatServer({ target, site: { web_real_ip_header: 'X-Visitor' } })
    const wrong: Record<string, string>[] = [{}, { 'x-visitor': '<b>nobody</b>' }]
    for (const headers of wrong) {
      const reply = await sendRequest(port, { headers })
      expect(reply).toMatchObject({ status: 403, text: expect.stringContaining('does not say who the visitor is') })
      expect(reply.text).not.toContain('nobody')
    }
    expect(requests).toEqual([])
  })

  it('that are hop-by-hop are removed', async () => {
    const headers = await receivedHeaders({
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

  it('contain no cookies of the console', async () => {
    const cookie = 'a=1; nz-jwt=secret; b=2;nz-csrf=secret; nz-o2s=secret; nz-2fa=secret; nz-kb=secret; nz-jwt2=3'
    const headers = await receivedHeaders({ cookie })
    expect(headers.cookie).toBe('a=1; b=2; nz-jwt2=3')
    expect(await receivedHeaders({ cookie: 'nz-jwt=secret' })).not.toHaveProperty('cookie')
  })
})

describe('the headers of a reply', () => {
  it('are returned unchanged, without hop-by-hop ones', async () => {
    const { port: target } = await startService((_request, reply) => {
      reply.sendDate = false
      reply.writeHead(200, [
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2; Path=/',
        'X-Hop',
        '1',
        'Connection',
        'close, X-Hop',
        'Server',
        'theirs',
        'Strict-Transport-Security',
        'max-age=1',
      ])
      reply.end('x')
    })
    const { port } = await startNatServer({ target })
    const { raw, headers } = await sendRequest(port)
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2; Path=/'])
    expect(headers).toMatchObject({ server: 'theirs', 'strict-transport-security': 'max-age=1' })
    for (const name of ['X-Hop', 'Date']) expect(raw).not.toContain(name)
  })

  it('cannot set cookies of the console, in any spelling that browsers accept', async () => {
    const cookies = [
      'nz-jwt=x',
      ' nz-csrf =x; Domain=example.org',
      '=nz-jwt=x',
      'nz-jwt',
      '== nz-o2s=x; Path=/',
      'mine=nz-jwt=x',
      'nz-jwt2=x',
    ]
    const { port: target } = await startService((_request, reply) => {
      reply.writeHead(200, { 'set-cookie': cookies }).end()
    })
    const { port } = await startNatServer({ target })
    expect((await sendRequest(port)).headers['set-cookie']).toEqual(['mine=nz-jwt=x', 'nz-jwt2=x'])
  })

  it('of HEAD and of replies without a body are complete', async () => {
    const { port: target } = await startService(({ url }, reply) => {
      reply.writeHead(url === '/none' ? 304 : 200, { etag: '"1"', 'content-length': '5' })
      reply.end(url === '/none' ? undefined : 'hello')
    })
    const { port } = await startNatServer({ target })
    const head = await sendRequest(port, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5', etag: '"1"' } })
    expect(await sendRequest(port, { path: '/none' })).toMatchObject({ status: 304, headers: { etag: '"1"' } })
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeUpstream, startGateway } from '../../support/server/gatewayServer.ts'
import { mcpMachines, mcpProgram } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** A built console of one page and one file. */
function builtConsole(): string {
  const dist = temporaryFolder()
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'index.html'), '<title>Wheelhouse</title><script>theme()</script>')
  writeFileSync(join(dist, 'assets', 'main-1.js'), 'start()')
  return dist
}

const settingWithCode = (text: string) => ({ success: true, data: { config: { custom_code_dashboard: text } } })

describe('a call through the gateway', () => {
  it('reaches the upstream as if it had been called by its own name', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('{}'))
    const { address } = await startGateway(url)
    await fetch(`${address}/api/v1/server?id=1,2&q=%2F`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { origin: address, referer: `${address}/dashboard`, cookie: 'nz-jwt=t', 'x-csrf-token': 'c' },
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/api/v1/server?id=1,2&q=%2F' })
    expect(asked[0]?.headers).toMatchObject({
      host: url.host,
      origin: url.origin,
      cookie: 'nz-jwt=t',
      'x-csrf-token': 'c',
      'content-length': '7',
      'x-forwarded-proto': 'http',
    })
    expect(asked[0]?.headers.referer).toBeUndefined()
  })

  it('carries the address of the client, whatever the client sends', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('{}'))
    const { address } = await startGateway(url, { settings: { host: '127.0.0.1', realIpHeader: 'X-Own' } })
    const places = ['x-forwarded-for', 'x-real-ip', 'nz-realip', 'x-own']
    const spoofed = [...places, 'cf-connecting-ip', 'true-client-ip', 'forwarded']
    await fetch(`${address}/api/v1/profile`, { headers: spoofed.map((name) => [name, '6.6.6.6']) })
    for (const name of places) expect(asked[0]?.headers[name], name).toBe('127.0.0.1')
    expect(JSON.stringify(asked[0]?.rawHeaders)).not.toContain('6.6.6.6')
  })

  it('carries no other address, in a header of whatever name', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('{}'))
    const { address } = await startGateway(url)
    const spoofed = {
      'x-agent-address': '6.6.6.6',
      ali_cdn_real_ip: ' 6.6.6.6 ',
      x_real_ip: '6.6.6.6',
      'x-a': 'for="6.6.6.6:80"',
      'x-b': '1.1.1.1, 6.6.6.6',
      'x-c': '[2001:db8::6666]:443',
      'x-d': '2001:DB8::6666',
      'x-e': '::ffff:6.6.6.6',
      'x-f': '6.6.6.6\xc2\x85',
      'x-forwarded-by': 'me',
      'x-forwarded-prefix': '/evil',
    }
    const forwarded = {
      'user-agent': 'Mozilla/5.0 Chrome/130.0.0.0',
      cookie: 'nz-jwt=a; at=1.2.3.4',
      'x-csrf-token': 'ab.cd',
      'if-modified-since': 'Sat, 21 Nov 2026 08:30:45 GMT',
      'accept-language': 'de;q=0.9',
      'x-version': '1.2.3',
    }
    const { hostname, port } = new URL(address)
    await new Promise((done) => {
      get({ hostname, port, path: '/api/v1/profile', headers: { ...spoofed, ...forwarded } }, (reply) => {
        reply.resume().on('end', done)
      })
    })
    expect(asked[0]?.headers).toMatchObject(forwarded)
    for (const name of Object.keys(spoofed)) expect(asked[0]?.headers, name).not.toHaveProperty(name)
    expect(JSON.stringify(asked[0]?.rawHeaders)).not.toMatch(/6\.6\.6\.6|6666|evil/i)
  })

  it('carries the address that a trusted proxy sends, and that of no other', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('{}'))
    const trusting = await startGateway(url, { settings: { host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } })
    const other = await startGateway(url, { settings: { host: '127.0.0.1', trustedProxies: ['192.0.2.1'] } })
    const headers = { 'x-real-ip': '6.6.6.6, 203.0.113.9' }
    await fetch(`${trusting.address}/api/v1/profile`, { headers })
    await fetch(`${trusting.address}/api/v1/profile`, { headers: { 'x-real-ip': 'nonsense' } })
    await fetch(`${other.address}/api/v1/profile`, { headers })
    expect(asked.map((one) => one.headers['x-real-ip'])).toEqual(['203.0.113.9', '127.0.0.1', '127.0.0.1'])
    expect(asked[0]?.headers['x-forwarded-for']).toBe('203.0.113.9')
  })

  it('from a proxy on this machine that is not trusted causes one warning', async () => {
    const { url } = await fakeUpstream((_, response) => response.end('{}'))
    const headers = { 'x-real-ip': '203.0.113.9' }
    const untrusting = await startGateway(url)
    for (const path of ['profile', 'server']) await fetch(`${untrusting.address}/api/v1/${path}`, { headers })
    expect(untrusting.logged).toEqual([expect.stringContaining('Set TRUSTED_PROXY=127.0.0.1')])
    const trusting = await startGateway(url, { settings: { host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } })
    await fetch(`${trusting.address}/api/v1/profile`, { headers })
    expect(trusting.logged).toEqual([])
  })

  it('of a browser with TLS says so, because the upstream redirects it there', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('{}'))
    const publicUrl = new URL('https://console.example.org')
    const { address } = await startGateway(url, { settings: { host: '127.0.0.1', publicUrl } })
    await fetch(`${address}/api/v1/oauth2/GitHub?type=1`, { headers: { 'x-forwarded-proto': 'http' } })
    expect(asked[0]?.headers['x-forwarded-proto']).toBe('https')
  })

  it('is refused to a page of another origin and for a foreign host name, and not forwarded', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('{}'))
    const { address } = await startGateway(url)
    for (const origin of ['https://evil.example', url.origin, 'null']) {
      const reply = await fetch(`${address}/api/v1/login`, { method: 'POST', headers: { origin } })
      expect([reply.status, await reply.json()]).toEqual([
        403,
        { error: expect.stringMatching(/^ApiErrorForbidden: /) },
      ])
    }
    const { hostname, port } = new URL(address)
    const status = await new Promise((resolve) => {
      get({ hostname, port, path: '/api/v1/setting', headers: { host: 'evil.example' } }, (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      })
    })
    expect(status).toBe(403)
    expect(asked).toEqual([])
  })

  it('sets cookies for the host of the gateway only, valid without TLS', async () => {
    const cookies = [
      'nz-jwt=a=b; Path=/; Domain=monitor.example.org; Max-Age=3600; Secure; SameSite=Lax',
      'other=1; domain=.example.org; SECURE; SameSite=None; HttpOnly',
    ]
    const { url } = await fakeUpstream((_, response) => response.setHeader('set-cookie', cookies).end('{}'))
    const plain = await startGateway(url)
    expect((await fetch(`${plain.address}/api/v1/profile`)).headers.getSetCookie()).toEqual([
      'nz-jwt=a=b; Path=/; Max-Age=3600; SameSite=Lax',
      'other=1; SameSite=Lax; HttpOnly',
    ])
    const publicUrl = new URL('https://console.example.org')
    const behindTls = await startGateway(url, { settings: { host: '127.0.0.1', publicUrl } })
    expect((await fetch(`${behindTls.address}/api/v1/profile`)).headers.getSetCookie()).toEqual([
      'nz-jwt=a=b; Path=/; Max-Age=3600; SameSite=Lax; Secure',
      'other=1; SameSite=None; HttpOnly; Secure',
    ])
  })

  it('is redirected to the gateway where the upstream redirects to itself, and elsewhere unchanged', async () => {
    const { url } = await fakeUpstream(({ url: path }, response) => {
      const location = new URL(path ?? '', 'http://x').searchParams.get('to') ?? ''
      response.writeHead(302, { location, 'strict-transport-security': 'max-age=1' }).end()
    })
    const { address } = await startGateway(url)
    const ledTo = async (to: string) => {
      const reply = await fetch(`${address}/page?to=${encodeURIComponent(to)}`, { redirect: 'manual' })
      expect(reply.headers.has('strict-transport-security')).toBe(false)
      return reply.headers.get('location')
    }
    expect(await ledTo(`${url.origin}/dashboard/login?oauth2=true#x`)).toBe('/dashboard/login?oauth2=true#x')
    expect(await ledTo(`//${url.host}/a`)).toBe('/a')
    expect(await ledTo(`${url.origin}//evil.example/`)).toBe('/evil.example/')
    expect(await ledTo('/dashboard')).toBe('/dashboard')
    expect(await ledTo('https://github.com/login')).toBe('https://github.com/login')
  })

  it('streams large bodies both ways, whatever their content type', async () => {
    const { url } = await fakeUpstream((request, response) => request.pipe(response))
    const { address } = await startGateway(url)
    const chunk = Buffer.alloc(1024 * 1024, 'wheelhouse')
    let sent = 0
    const body = new ReadableStream({
      pull: (controller) => (sent++ < 40 ? controller.enqueue(chunk) : controller.close()),
    })
    const reply = await fetch(`${address}/api/v1/upload`, { method: 'POST', body, duplex: 'half' } as RequestInit)
    let received = 0
    for await (const piece of reply.body ?? []) received += piece.length
    expect(received).toBe(40 * chunk.length)
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      const echo = await fetch(`${address}/api/v1/x`, {
        method: 'PATCH',
        body: '{broken',
        headers: { 'content-type': type },
      })
      expect(await echo.text()).toBe('{broken')
    }
  })

  it('streams partial data at once', async () => {
    let goOn = () => {}
    const { url } = await fakeUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('first')
      goOn = () => response.end('second')
    })
    const { address } = await startGateway(url)
    const reader = (await fetch(`${address}/events`)).body?.getReader()
    const read = async () => String(Buffer.from((await reader?.read())?.value ?? []))
    expect(await read()).toBe('first')
    goOn()
    expect(await read()).toBe('second')
  })
})

describe('the paths of the gateway', () => {
  it('below /dashboard belong to the console, and are never forwarded', async () => {
    const { url, asked } = await fakeUpstream((_, response) => response.end('the other console'))
    const { address } = await startGateway(url, { dist: builtConsole() })
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/server/7?x=1']) {
      const reply = await fetch(address + path)
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Wheelhouse')])
    }
    const file = await fetch(`${address}/dashboard/assets/main-1.js`)
    expect([await file.text(), file.headers.get('cache-control')]).toEqual([
      'start()',
      expect.stringMatching(/immutable/),
    ])
    expect((await fetch(`${address}/dashboard/assets/gone.js`)).status).toBe(404)
    expect((await fetch(`${address}/dashboard/x`, { method: 'POST', body: 'x' })).status).toBe(404)
    expect(asked.filter(({ url: path }) => path !== '/api/v1/setting')).toEqual([])
  })

  it('elsewhere are forwarded, and keep the policy of the upstream', async () => {
    const { url, asked } = await fakeUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "img-src 'self'" }).end('<p>')
    })
    const { address } = await startGateway(url, { dist: builtConsole() })
    for (const path of ['/', '/server/1', '/dashboards', '/swagger/index.html?x']) {
      const reply = await fetch(address + path)
      expect([reply.status, await reply.text(), reply.headers.get('content-security-policy')]).toEqual([
        200,
        '<p>',
        "img-src 'self'",
      ])
    }
    expect(asked.map(({ url: path }) => path)).toEqual(['/', '/server/1', '/dashboards', '/swagger/index.html?x'])
  })
})

describe('the content policy of the console behind a gateway', () => {
  const policyOf = async (address: string) =>
    (await fetch(`${address}/dashboard/`)).headers.get('content-security-policy') ?? ''

  it('is strict, unless the settings of the upstream contain code for the console', async () => {
    for (const [code, isStrict] of [
      ['', true],
      ['<script>own()</script>', false],
    ] as const) {
      const { url, asked } = await fakeUpstream((_, response) => response.end(JSON.stringify(settingWithCode(code))))
      const { address } = await startGateway(url, { dist: builtConsole() })
      const policy = await policyOf(address)
      expect(policy.includes("default-src 'self'")).toBe(isStrict)
      expect(policy.includes('sha256-')).toBe(isStrict)
      // A visitor's ended session would count as an attack there.
      expect(asked[0]?.headers.cookie).toBeUndefined()
      expect(asked[0]?.headers['x-real-ip']).toBe('127.0.0.1')
    }
  })

  it('is fetched once in a while, and again after the settings were saved', async () => {
    let code = ''
    const { url, asked } = await fakeUpstream((_, response) => response.end(JSON.stringify(settingWithCode(code))))
    const { address } = await startGateway(url, { dist: builtConsole() })
    await Promise.all([policyOf(address), policyOf(address)])
    await policyOf(address)
    expect(asked).toHaveLength(1)
    code = '<script>own()</script>'
    await fetch(`${address}/api/v1/setting`, { method: 'PATCH', body: '{}' })
    expect(await policyOf(address)).toContain("'unsafe-inline' 'unsafe-eval'")
  })

  it('is fetched again after the clock was set back', async () => {
    let code = ''
    const { url } = await fakeUpstream((_, response) => response.end(JSON.stringify(settingWithCode(code))))
    let now = 7_200_000
    const { address } = await startGateway(url, { dist: builtConsole(), now: () => now })
    expect(await policyOf(address)).not.toContain('unsafe-eval')
    code = 'code'
    now -= 3_600_000
    expect(await policyOf(address)).toContain('unsafe-eval')
  })

  it('stays as it was while the upstream is down, and is strict when it was never fetched', async () => {
    const { url, server: behind } = await fakeUpstream((_, response) =>
      response.end(JSON.stringify(settingWithCode('code'))),
    )
    let now = 0
    const { address } = await startGateway(url, { dist: builtConsole(), now: () => now })
    expect(await policyOf(address)).toContain('unsafe-eval')
    behind.closeAllConnections()
    await new Promise((resolve) => behind.close(resolve))
    now += 60_000
    expect(await policyOf(address)).toContain('unsafe-eval')
    const fresh = await startGateway(url, { dist: builtConsole() })
    expect(await policyOf(fresh.address)).toContain("default-src 'self'")
  })
})

describe('a one-time URL of MCP', () => {
  const call = (address: string, name: string, args: object, headers: Record<string, string> = {}) =>
    fetch(`${address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    })
  const toolReply = (structuredContent: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
    })
  /** A Nezha server, whose replies to tools are made by a test. */
  const nezha = (reply: (host: string) => string) =>
    fakeUpstream((request, response) =>
      response.setHeader('content-type', 'application/json').end(reply(request.headers.host ?? '')),
    )

  it.each([
    ['the address that was called', undefined],
    ['PUBLIC_URL', new URL('https://console.example.org')],
  ])('names the gateway by %s, and not the upstream, whose host the program may not reach', async (_, publicUrl) => {
    const link = (base: string) => ({ url: `${base}/mcp/upload/abc.0123`, method: 'POST', expires_at: 'later' })
    const { url, asked } = await nezha((host) => toolReply(link(`http://${host}`)))
    const { address } = await startGateway(url, { settings: { host: '127.0.0.1', publicUrl } })
    const reply = await call(address, 'fs.upload_url', {}, { host: new URL(publicUrl ?? address).host })
    expect(await reply.text()).toBe(toolReply(link(publicUrl?.origin ?? address)))
    expect(asked[0]?.headers['accept-encoding']).toBeUndefined()
  })

  it.each([
    ['was read in a file', (host: string) => ({ content: `see http://${host}/mcp/download/abc.0123` })],
    ['leads elsewhere', () => ({ url: 'https://other.example/mcp/download/abc.0123' })],
    ['is no transfer', (host: string) => ({ url: `http://${host}/api/v1/server` })],
    [
      'stands in a long reply',
      (host: string) => ({ url: `http://${host}/mcp/download/a`, more: 'x'.repeat(1_000_000) }),
    ],
  ])('stays as it is where it %s', async (_, content) => {
    const { url } = await nezha((host) => toolReply(content(host)))
    const { address } = await startGateway(url)
    expect(await (await call(address, 'fs.read', {})).text()).toBe(toolReply(content(url.host)))
  })

  it('leads through the gateway to the machine and back, for several at once', async () => {
    const upstream = await mcpMachines()
    const { address } = await startGateway(new URL(`http://127.0.0.1:${upstream.port}`))
    const { secret } = mcpProgram(upstream)
    const folder = temporaryFolder()
    const linkOf = async (name: string, file: string) => {
      const args = { server_id: upstream.idOfHost, path: join(folder, file) }
      const reply = await call(address, name, args, { authorization: `Bearer ${secret}` })
      const { result } = (await reply.json()) as { result: { structuredContent: { url: string } } }
      return result.structuredContent.url
    }
    const files = ['one', 'two', 'three']
    await Promise.all(
      files.map(async (file) => {
        const upload = await linkOf('fs.upload_url', file)
        expect(upload).toMatch(`${address}/mcp/upload/`)
        expect((await fetch(upload, { method: 'POST', body: `content of ${file}` })).status).toBe(200)
        expect(await (await fetch(await linkOf('fs.download_url', file))).text()).toBe(`content of ${file}`)
      }),
    )
  })
})

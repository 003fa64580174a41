import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

const themeScript = "document.documentElement.dataset.theme = 'dark'"
const page = `<!doctype html><script>${themeScript}</script><script type="module" src="/dashboard/assets/main-abc.js"></script>`
const script = `console.info(${JSON.stringify('x'.repeat(500))})`

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-console-'))
let server: TestServer
/** A new browser of a server with a small built console. */
const browser = () => server.browser()

beforeAll(async () => {
  const dist = join(folder, 'dist')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  mkdirSync(join(dist, '.vite'))
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(dist, 'index.html'), page)
  writeFileSync(join(dist, 'assets', 'main-abc.js'), script)
  writeFileSync(join(dist, 'assets', 'main-abc.js.br'), brotliCompressSync(script))
  writeFileSync(join(dist, 'assets', 'main-abc.js.gz'), gzipSync(script))
  writeFileSync(join(dist, '.vite', 'manifest.json'), '{}')
  writeFileSync(join(dist, 'service-worker.js'), script)
  writeFileSync(join(dist, 'service-worker.js.br'), brotliCompressSync(script))
  writeFileSync(join(dist, 'manifest.webmanifest'), '{}')
  server = await testServer({ dist })
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('the built console', () => {
  it.each([
    '/dashboard',
    '/dashboard?pageSize=100',
    '/dashboard/',
    '/dashboard/index.html',
    '/dashboard/server/3',
    '/dashboard/login?next=%2Fserver',
    '/dashboard/v1.2',
  ])('gives its page at %s, asked for anew each time', async (path) => {
    const reply = await browser().get(path)
    expect([reply.status, reply.text]).toEqual([200, page])
    expect(reply.headers['content-type']).toMatch(/^text\/html/)
    expect(reply.headers['cache-control']).toBe('no-cache')
  })

  it.each(['br', 'identity'])(
    'lets its service worker have the address without a slash, sent as %s',
    async (coding) => {
      const { status, headers } = await browser().get('/dashboard/service-worker.js', { 'accept-encoding': coding })
      expect(status).toBe(200)
      expect(headers['service-worker-allowed']).toBe('/dashboard')
      expect(headers['cache-control']).toBe('no-cache')
      expect((await browser().get('/dashboard')).headers).not.toHaveProperty('service-worker-allowed')
    },
  )

  it('has a manifest with the name and in the language of the site, in place of the file of the build', async () => {
    const named = await testServer({ site: { site_name: ' Küche ', language: 'it' } })
    const { status, headers, text } = await named.browser().get('/dashboard/manifest.webmanifest')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/manifest+json; charset=utf-8',
      'no-cache',
    ])
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';/)
    expect(JSON.parse(text)).toMatchObject({
      id: '/dashboard',
      name: 'Küche',
      lang: 'it',
      start_url: '/dashboard',
      scope: '/dashboard',
      display: 'standalone',
      share_target: { action: '/dashboard/share', method: 'POST', params: { text: 'shared_text', url: 'shared_url' } },
      shortcuts: [
        { url: '/dashboard' },
        { name: 'Incidenti', url: '/dashboard/incident' },
        { url: '/dashboard/terminals' },
      ],
    })
    const unnamed = await browser().get('/dashboard/manifest.webmanifest')
    expect(JSON.parse(unnamed.text)).toMatchObject({ name: 'Wheelhouse', lang: 'en-US' })
  })

  it('sends hashed files compressed, and cacheable for ever', async () => {
    const { get } = browser()
    const { headers } = await get('/dashboard/assets/main-abc.js', { 'accept-encoding': 'gzip, br' })
    expect(headers['content-encoding']).toBe('br')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript/)
    expect(headers.vary).toContain('accept-encoding')
    // Over plain http to another machine browsers read no brotli.
    const overHttp = await get('/dashboard/assets/main-abc.js', { 'accept-encoding': 'gzip, deflate' })
    expect(overHttp.headers['content-encoding']).toBe('gzip')
    const plain = await get('/dashboard/assets/main-abc.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.text).toBe(script)
  })

  it('is sent once to visitors who leave at once, and the log says nothing', async () => {
    const { app, logged } = await testServer({ dist: join(folder, 'dist') })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    for (let round = 0; round < 100; round++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.end('GET /dashboard HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await vi.waitFor(() => expect(app.dispatch.connectionCount()).toBe(0))
    expect(logged).toEqual([])
  })

  it('says that shared files were not taken to a browser that reads only when it has sent all of them', async () => {
    const { app } = await testServer({ dist: join(folder, 'dist') })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const size = 50_000_000
    const socket = connect(port, '127.0.0.1').pause()
    const head = ['POST /dashboard/share HTTP/1.1', 'host: 127.0.0.1', `content-length: ${size}`, '', '']
    socket.write(head.join('\r\n'))
    await new Promise<void>((sent, failed) => {
      socket.once('error', failed)
      socket.write(Buffer.alloc(size), () => sent())
    })
    const [reply] = await once(socket.resume(), 'data')
    expect(String(reply)).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: \/dashboard\/share\?problem=failed\r\n/i)
    socket.destroy()
  })

  it('is sent on when it is replaced on the disk while somebody asks for it', async () => {
    const dist = join(folder, 'replaced')
    mkdirSync(dist)
    const index = join(dist, 'index.html')
    writeFileSync(index, page)
    const { app } = await testServer({ dist })
    const ask = () => app.inject({ url: '/dashboard/', headers: { host: '127.0.0.1' } })
    expect((await ask()).body).toBe(page)
    for (let round = 0; round < 30; round++) {
      const asked = ask()
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
      renameSync(index, `${index}.old`)
      expect([200, 404]).toContain((await asked).statusCode)
      renameSync(`${index}.old`, index)
    }
  })

  it('does not send its page in place of a missing script', async () => {
    const reply = await browser().get('/dashboard/assets/main-old.js')
    expect([reply.status, reply.body]).toEqual([404, { error: '404 Not Found' }])
  })

  it('allows its own inline script, and no other', async () => {
    const { headers } = await browser().get('/dashboard/')
    const hash = createHash('sha256').update(themeScript).digest('base64')
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
  })

  it.each([
    '/dashboard/../secret.txt',
    '/dashboard/..%2fsecret.txt',
    '/dashboard/%2e%2e/secret.txt',
    '/dashboard/assets/../../secret.txt',
    '/dashboard/assets/..%2f..%2fsecret.txt',
    '/dashboard/..%5csecret.txt',
    '/dashboard//..//secret.txt',
    '/dashboard/%252e%252e%252fsecret.txt',
    '/dashboard/..%00/secret.txt',
    '/dashboard/.vite/manifest.json',
  ])('gives nothing else at %s', async (path) => {
    const reply = await browser().get(path)
    expect(reply.text).not.toContain('secret')
    expect(reply.text).not.toBe('{}')
    expect([200, 400, 403, 404]).toContain(reply.status)
    if (reply.status === 200) expect(reply.text).toBe(page)
  })

  it('explains how to build it when it was not built', async () => {
    const unbuilt = (await testServer({ dist: join(folder, 'none') })).browser()
    const reply = await unbuilt.get('/dashboard/')
    expect([reply.status, reply.text]).toEqual([404, 'The console is not built yet: start with "npm start".\n'])
    expect((await unbuilt.get('/')).text).toContain('Nothing is shown to visitors yet.')
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import type { PublicStatus } from '../../../src/schemas/status/publicStatus.ts'
import type { Browser } from '../../support/console/browser.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** A server with two machines, `web-1` and `web-2`. */
async function twoMachines(options: Parameters<typeof testServer>[0] = {}) {
  const hosts = [createTestHost({ uuid: 'a', name: 'web-1' }), createTestHost({ uuid: 'b', name: 'web-2' })]
  const server = await testServer({
    ...options,
    machines: (on) => {
      const machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  for (const host of hosts) host.report({ state: { cpu: 12.5 }, at: new Date(server.clock.now) })
  return { server, hosts }
}

const statusOf = async (browser: Browser) =>
  ((await browser.get('wheelhouse/status')).body as { data: PublicStatus }).data

const change = ({ store }: TestServer, id: number, row: object) => entityTable(store, serverEntity).update(id, row)

/** What somebody without JavaScript reads. */
const words = (html: string) =>
  html
    .replace(/<(script|style|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

describe('the status page', () => {
  it('has a sentence on how everything is, in the language of the site', async () => {
    const { server, hosts } = await twoMachines({ site: { site_name: 'Rack & Roll', language: 'de-DE' } })
    const browser = server.browser()
    const page = await browser.get('/')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.text).toContain('<html lang="de-DE" translate="no">')
    expect(page.text).toContain('<title>Rack &amp; Roll</title>')
    expect(words(page.text)).toMatch(
      /Rack &amp; Roll Anmelden Alle Systeme erreichbar Server web-1: Online web-2: Online/,
    )
    hosts[1]?.disconnect()
    await expect.poll(async () => words((await browser.get('/')).text)).toContain('1 Server ist offline')
    expect((await browser.get('/')).text).toContain('<title>1 Server ist offline – Rack &amp; Roll</title>')
  })

  it('has the way to the sign-in form, and stays as it is for those who are signed in', async () => {
    const { server } = await twoMachines()
    expect((await server.browser().get('/')).text).toContain('<a class="sign-in" href="/dashboard">Sign in</a>')
    expect((await (await signedIn(server)).get('/')).status).toBe(200)
  })

  it('is about one server at /server/3, and says when there is none', async () => {
    const { server } = await twoMachines()
    const browser = server.browser()
    const page = await browser.get('/server/2')
    expect(words(page.text)).toMatch(/web-2 Online/)
    expect(words(page.text)).not.toContain('web-1')
    for (const path of ['/server/3', '/server/x', '/server/2e0']) {
      const missing = await browser.get(path)
      expect([missing.status, words(missing.text)]).toEqual([404, expect.stringContaining('There is no such server')])
    }
  })

  it('escapes names, so that none is read as HTML or ends the data', async () => {
    const { server } = await twoMachines()
    change(server, 1, { name: '</script><img src=x onerror=alert(1)>' })
    const { text } = await server.browser().get('/')
    expect(text).not.toContain('<img')
    expect(text.match(/<\/script>/g)?.length).toBe(text.match(/<script/g)?.length)
    const [, json = ''] = /id="page-data">(.*)<\/script>/.exec(text) ?? []
    expect(JSON.parse(json).status.servers[0].name).toBe('</script><img src=x onerror=alert(1)>')
  })

  it('shows live metrics of servers, groups, and what the form of the public note knows', async () => {
    const { server } = await twoMachines()
    const admin = await signedIn(server)
    await admin.call('POST', 'server-group', { body: { name: 'Edge', servers: [1, 2] } })
    const note = { billingDataMod: { amount: '5 EUR', cycle: 'Month', secret: 'x' }, other: { amount: 'y' } }
    change(server, 1, { public_note: JSON.stringify(note) })
    change(server, 2, { hide_for_guest: true })
    const status = await statusOf(server.browser())
    expect(status.servers).toEqual([
      expect.objectContaining({ id: 1, name: 'web-1', note: { billingDataMod: { amount: '5 EUR', cycle: 'Month' } } }),
    ])
    expect(status.metrics).toEqual({ 1: { cpu: 12.5 } })
    expect(status.groups).toEqual([{ id: 1, name: 'Edge', servers: [1] }])
  })

  it.each(['not JSON DataMod', '{"billingDataMod":1}', '[{"planDataMod":{}}]', 'null', '{"planDataMod":{"extra":7}}'])(
    'takes the public note %s for none',
    async (public_note) => {
      const { server } = await twoMachines()
      change(server, 1, { public_note })
      expect((await statusOf(server.browser())).servers[0]).not.toHaveProperty('note')
    },
  )

  it('shows open maintenance windows of what is shown, and counts nothing in them as wrong', async () => {
    const { server, hosts } = await twoMachines()
    const admin = await signedIn(server)
    const window = { repeat: 0, starts_at: '2026-11-21T00:00', duration: 60, time_zone: 'UTC' }
    for (const [name, id] of [
      ['Kernel update', 1],
      ['Hidden work', 2],
    ] as const) {
      const reply = await admin.call('POST', 'wheelhouse/maintenance-windows', {
        body: { ...window, name, servers: [id] },
      })
      expect(reply.body).toMatchObject({ success: true })
    }
    change(server, 2, { hide_for_guest: true })
    hosts[0]?.disconnect()
    const browser = server.browser()
    await expect.poll(async () => (await statusOf(browser)).metrics).toEqual({})
    expect((await statusOf(browser)).windows).toEqual([
      expect.objectContaining({ name: 'Kernel update', servers: [1], services: [] }),
    ])
    expect(words((await browser.get('/')).text)).toMatch(/All systems are up Maintenance Kernel update: until .*1:00/)
  })

  it('asks to sign in with FORCE_AUTH, and shows nothing before', async () => {
    const { server } = await twoMachines({ settings: { host: '127.0.0.1', forceAuth: true } })
    const browser = server.browser()
    for (const path of ['/', '/server/1']) {
      const page = await browser.get(path)
      expect([page.status, page.headers.location, page.text]).toEqual([302, '/dashboard', ''])
    }
    for (const path of ['wheelhouse/status', 'service', 'server-group', 'server/1/metrics?metric=cpu&period=1d']) {
      expect((await browser.get(path)).body).toEqual({ error: 'ApiErrorUnauthorized' })
    }
    expect((await browser.get('setting')).body).toMatchObject({ success: true })
    const member = await signedIn(server, 'member')
    expect((await member.get('/')).status).toBe(200)
    expect((await statusOf(member)).servers).toHaveLength(2)
  })
})

describe('services on the status page', () => {
  const service = { type: 3, target: 'db.example:5432', duration: 30, cover: 0, notification_group_id: 0 }

  it('have their state, 90 days of availability and incidents, without what the check said', async () => {
    const { server, hosts } = await twoMachines()
    for (const host of hosts) {
      host.reply = async () => ({ outcome: 'down', problem: 'dial tcp 192.0.2.7:5432: connect: connection refused' })
    }
    const admin = await signedIn(server)
    await admin.call('POST', 'service', { body: { ...service, name: 'Shop', skip_servers: {} } })
    await admin.call('POST', 'service', {
      body: { ...service, name: 'Hidden', hide_for_guest: true, skip_servers: {} },
    })
    const browser = server.browser()
    expect((await statusOf(browser)).states).toEqual({ 1: {} })
    const { checker } = server.app.services
    // The first check is spread over some milliseconds.
    checker.tick()
    server.clock.now += 20
    checker.tick()
    await checker.idle()
    // Incidents are read again after two seconds.
    server.clock.now += 3000
    await expect.poll(async () => (await statusOf(browser)).states).toMatchObject({ 1: { state: 'down' } })
    const status = await statusOf(browser)
    expect(status.services).toMatchObject([{ id: 1, name: 'Shop' }])
    expect(status.services[0]?.up).toHaveLength(90)
    expect(status.today).toMatch(/^2026-11-2\d$/)
    expect(status.incidents).toEqual([
      expect.objectContaining({ kind: 'service_down', name: 'Shop', cause: 'refused' }),
    ])
    expect(JSON.stringify(status)).not.toContain('192.0.2.7')
    const page = words((await browser.get('/')).text)
    expect(page).toMatch(/1 service is down since .* Services Shop: Down since .* Incidents Shop is down: /)
  })
})

describe('the operator’s code for visitors', () => {
  const custom_code = '<script src="https://code.example/count.js"></script>'

  it('is in the status page only, whose policy lets it run', async () => {
    const { server } = await twoMachines({ site: { custom_code } })
    const browser = server.browser()
    for (const path of ['/', '/server/1', '/?group=2']) {
      const { text, headers } = await browser.get(path)
      expect(text).toContain('code.example')
      expect(headers['content-security-policy']).toContain('default-src *')
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
    for (const path of ['/?safe=1', '/server/1?safe=1']) {
      const { text, headers } = await browser.get(path)
      expect(text).not.toContain('code.example')
      expect(headers['content-security-policy']).toContain("default-src 'self'")
    }
    expect((await browser.get('/dashboard')).headers['content-security-policy']).toContain("default-src 'self'")
  })

  it('of the console is not in the status page', async () => {
    const { server } = await twoMachines({ site: { custom_code_dashboard: custom_code } })
    const { text, headers } = await server.browser().get('/')
    expect(text).not.toContain('code.example')
    expect(headers['content-security-policy']).toContain("default-src 'self'")
  })
})

describe('the built page', () => {
  it('has its style and its data in it, and loads scripts that are cached for ever', async () => {
    const dist = temporaryFolder()
    mkdirSync(join(dist, 'status', 'assets'), { recursive: true })
    writeFileSync(join(dist, 'index.html'), '<!doctype html><script>theme()</script><script>preload()</script>')
    const manifest = {
      'src/status/main.tsx': { file: 'assets/main-1.js', isEntry: true, css: ['assets/main-2.css'] },
      'i18n/it/status.json': { file: 'assets/it-3.js' },
    }
    writeFileSync(join(dist, 'status', 'manifest.json'), JSON.stringify(manifest))
    writeFileSync(join(dist, 'status', 'assets', 'main-1.js'), 'start()')
    writeFileSync(join(dist, 'status', 'assets', 'main-2.css'), '.summary{color:red}')
    const { server } = await twoMachines({ dist, site: { language: 'it' } })
    const browser = server.browser()
    const { text } = await browser.get('/')
    expect(text).toContain('<script>theme()</script>')
    expect(text).not.toContain('preload()')
    expect(text).toContain('.summary{color:red}')
    expect(text).toContain('src="/status/assets/main-1.js"')
    expect(text).toContain('<link rel="modulepreload" crossorigin href="/status/assets/it-3.js">')
    const script = await browser.get('/status/assets/main-1.js')
    expect([script.status, script.text]).toEqual([200, 'start()'])
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const path of ['/status/manifest.json', '/status/assets/../manifest.json', '/status/assets/', '/status/']) {
      expect([403, 404]).toContain((await browser.get(path)).status)
    }
  })
})

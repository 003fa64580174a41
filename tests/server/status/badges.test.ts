import { describe, expect, it } from 'vitest'
import { locales } from '../../../i18n/locales.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { maintenanceWindow } from '../../../src/schemas/maintenanceWindow.ts'
import { statusFixture } from '../../support/server/fixtures/statusFixture.ts'
import { readXml } from '../../support/server/readXml.ts'

/** What a browser makes of it. @throws when it is no XML */
function read(text: string) {
  const svg = readXml(text, 'image/svg+xml')
  return {
    title: svg.querySelector('title')?.textContent,
    label: svg.getAttribute('aria-label'),
    width: Number(svg.getAttribute('width')),
    color: [...svg.querySelectorAll('rect')]
      .map((rect) => rect.getAttribute('fill'))
      .filter((fill) => /^#/.test(fill ?? '')),
    letters: svg.querySelector('g[text-anchor]')?.getAttribute('fill'),
    names: new Set([...svg.querySelectorAll('*')].map(({ localName }) => localName)),
  }
}

type Fixture = Awaited<ReturnType<typeof statusFixture>>

const titleOf = async ({ get }: Fixture, path: string) => read((await get(path)).text).title

/** The luminance of a colour and the contrast of two (WCAG 2.2). */
function luminance(color: string): number {
  const parts = (/^#(..)(..)(..)$/.exec(color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')) ?? []).slice(1)
  const [red = 0, green = 0, blue = 0] = parts
    .map((hex) => Number.parseInt(hex, 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

describe('the badge of a service', () => {
  it('says its name and state, in the language of the site or the one that is asked for', async () => {
    const fixture = await statusFixture({ site: { language: 'it' } })
    const id = fixture.addService()
    expect(await titleOf(fixture, `/badge/service/${id}.svg`)).toBe('Shop: Sconosciuto')
    await fixture.pass(60)
    expect(await titleOf(fixture, `/badge/service/${id}.svg`)).toBe('Shop: Raggiungibile')
    fixture.down()
    await fixture.pass(120)
    expect(await titleOf(fixture, `/badge/service/${id}.svg`)).toBe('Shop: Non raggiungibile')
    for (const [lang, title] of [
      ['de', 'Shop: Ausgefallen'],
      ['de-DE', 'Shop: Ausgefallen'],
      ['EN-us', 'Shop: Down'],
      ['zh-TW', 'Shop: 故障'],
      ['tlh', 'Shop: Non raggiungibile'],
      ['', 'Shop: Non raggiungibile'],
      ['de&lang=en', 'Shop: Ausgefallen'],
    ]) {
      expect(await titleOf(fixture, `/badge/service/${id}.svg?lang=${lang}`)).toBe(title)
    }
  })

  it('says that it is in maintenance while a window is open', async () => {
    const fixture = await statusFixture()
    const id = fixture.addService()
    await fixture.pass(60)
    entityTable(fixture.store, maintenanceWindow).insert({
      user_id: 1,
      name: 'work',
      enabled: true,
      repeat: 0,
      starts_at: '2026-11-21T00:00',
      duration: 10,
      week: 1,
      time_zone: 'UTC',
      servers: [1],
      server_groups: [],
      services: [id],
      tags: '',
      notification_group_id: 0,
    })
    expect(await titleOf(fixture, `/badge/service/${id}.svg`)).toBe('Shop: Maintenance')
    expect(await titleOf(fixture, '/badge/server/1.svg')).toBe('web-1: Maintenance')
    await fixture.pass(600)
    expect(await titleOf(fixture, `/badge/service/${id}.svg`)).toBe('Shop: Up')
  })

  it('shows what somebody wrote into the name as text', async () => {
    const fixture = await statusFixture()
    const name = `<script>alert('x')</script>\u0000\ud800 "A" & B`
    const id = fixture.addService({ name })
    await fixture.pass(60)
    const { text } = await fixture.get(`/badge/service/${id}.svg`)
    expect(text).not.toContain('<script')
    const { title, label, names } = read(text)
    expect([title, label]).toEqual([`<script>alert('x')</script> \ufffd "A" & B: Up`, title])
    expect(names.has('script')).toBe(false)
  })

  it('cuts a long name, and none of the letters of any writing', async () => {
    const fixture = await statusFixture()
    const family = '👨‍👩‍👧‍👦'
    const id = fixture.addService({ name: family.repeat(300) })
    await fixture.pass(60)
    const { title, width } = read((await fixture.get(`/badge/service/${id}.svg`)).text)
    expect(title).toBe(`${family.repeat(39)}…: Up`)
    expect(width).toBeLessThan(4000)
    fixture.services.update(id, { name: `A${'\u0301'.repeat(60_000)}` })
    expect((await fixture.get(`/badge/service/${id}.svg`)).text.length).toBeLessThan(10_000)
    fixture.services.update(id, { name: '' })
    expect(await titleOf(fixture, `/badge/service/${id}.svg`)).toBe('Service: Up')
  })
})

describe('the badge of a server', () => {
  it('says whether it is online', async () => {
    const fixture = await statusFixture()
    expect(await titleOf(fixture, '/badge/server/1.svg')).toBe('web-1: Online')
    fixture.host.disconnect()
    await expect.poll(() => titleOf(fixture, '/badge/server/1.svg')).toBe('web-1: Offline')
    expect(await titleOf(fixture, '/badge/server/1.svg?lang=de')).toBe('web-1: Offline')
  })
})

describe('badges', () => {
  it.each(['service', 'server'] as const)('cannot tell a hidden %s from one that does not exist', async (kind) => {
    const fixture = await statusFixture()
    const id = fixture.addService({ name: 'Secret', hide_for_guest: true })
    fixture.servers.update(1, { name: 'Secret', hide_for_guest: true })
    fixture.down()
    await fixture.pass(60)
    const hidden = await fixture.get(`/badge/${kind}/${kind === 'service' ? id : 1}.svg`)
    expect(read(hidden.text).title).toBe(kind === 'service' ? 'Service: Unknown' : 'Server: Unknown')
    for (const unknown of ['999', '0', '999999999999999']) {
      const { status, headers, text } = await fixture.get(`/badge/${kind}/${unknown}.svg`)
      expect([status, text]).toEqual([hidden.status, hidden.text])
      expect({ ...headers, date: '' }).toEqual({ ...hidden.headers, date: '' })
    }
  })

  it('may be shown by other sites, are kept for a minute, and cost nothing when nothing has changed', async () => {
    const fixture = await statusFixture()
    const { headers } = await fixture.get('/badge/server/1.svg')
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
    })
    const again = await fixture.get('/badge/server/1.svg', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
    fixture.servers.update(1, { name: 'web-2' })
    expect((await fixture.get('/badge/server/1.svg', { 'if-none-match': String(headers.etag) })).status).toBe(200)
  })

  it.each([
    '/badge/service/x.svg',
    '/badge/service/1',
    '/badge/service/1.png',
    '/badge/cron/1.svg',
    '/badge/service/-1.svg',
  ])('are not at %s', async (path) => {
    const { get } = await statusFixture()
    expect((await get(path)).status).toBe(404)
  })

  it('are not there where visitors have to sign in', async () => {
    const fixture = await statusFixture({ settings: { host: '127.0.0.1', forceAuth: true } })
    const id = fixture.addService()
    for (const path of [`/badge/service/${id}.svg`, '/badge/server/1.svg']) {
      const { status, text } = await fixture.get(path)
      expect([status, text]).toEqual([404, '{"error":"404 Not Found"}'])
    }
  })

  it.each(locales.map(({ locale }) => locale))('can be read by everybody in %s', async (locale) => {
    const fixture = await statusFixture({ site: { language: locale } })
    const id = fixture.addService()
    const seen = [read((await fixture.get('/badge/service/99.svg')).text)]
    await fixture.pass(60)
    seen.push(read((await fixture.get(`/badge/service/${id}.svg`)).text))
    fixture.down()
    await fixture.pass(120)
    seen.push(read((await fixture.get(`/badge/service/${id}.svg`)).text))
    expect(new Set(seen.map(({ title }) => title)).size).toBe(3)
    expect(new Set(seen.map(({ color }) => color.at(-1))).size).toBe(3)
    for (const { letters, color } of seen) {
      expect(color).toHaveLength(2)
      for (const behind of color) expect(contrast(letters ?? '', behind ?? '')).toBeGreaterThanOrEqual(5)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { locales } from '../../../i18n/locales.ts'
import { readSite, writeSite } from '../../../server/site/site.ts'
import { atomFeed, type FeedOptions, maxEntries } from '../../../server/status/atomFeed.ts'
import type { Incident } from '../../../server/status/history/incidents.ts'
import { statusFixture } from '../../support/server/fixtures/statusFixture.ts'
import { readXml } from '../../support/server/readXml.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** What a feed reader makes of it. @throws when it is no XML */
function read(text: string) {
  const feed = readXml(text, 'application/xml')
  const textOf = (element: Element, name: string) => element.querySelector(`:scope > ${name}`)?.textContent ?? ''
  return {
    language: feed.getAttribute('xml:lang'),
    id: textOf(feed, 'id'),
    title: textOf(feed, 'title'),
    updated: textOf(feed, 'updated'),
    author: feed.querySelector('author > name')?.textContent,
    links: [...feed.querySelectorAll(':scope > link')].map((link) => [
      link.getAttribute('rel'),
      link.getAttribute('href'),
    ]),
    entries: [...feed.querySelectorAll('entry')].map((entry) => ({
      id: textOf(entry, 'id'),
      title: textOf(entry, 'title'),
      published: textOf(entry, 'published'),
      updated: textOf(entry, 'updated'),
      category: entry.querySelector('category')?.getAttribute('term'),
      content: textOf(entry, 'content'),
      contentType: entry.querySelector('content')?.getAttribute('type'),
      elements: entry.querySelectorAll('*').length,
    })),
  }
}

const feedOf = async (fixture: Awaited<ReturnType<typeof statusFixture>>) =>
  read((await fixture.get('/feed.atom')).text)

describe('the feed of incidents', () => {
  it('is an Atom feed with the name and the language of the site, also without incidents', async () => {
    const { get } = await statusFixture({ site: { site_name: 'Acme & Söhne', language: 'de-DE' } })
    const { status, headers, text } = await get('/feed.atom')
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    expect(read(text)).toEqual({
      language: 'de-DE',
      title: 'Acme & Söhne: Störungen',
      author: 'Acme & Söhne',
      entries: [],
      id: expect.stringMatching(/^urn:uuid:[\da-f]{8}-/),
      updated: '2026-11-21T00:00:00Z',
      links: [
        ['self', 'http://127.0.0.1:8008/feed.atom'],
        ['alternate', 'http://127.0.0.1:8008/'],
      ],
    })
  })

  it('leads to where the reader has asked, by https behind a proxy that says it has TLS', async () => {
    const { get } = await statusFixture({ site: { web_real_ip_header: 'X-Real-IP' } })
    const asked = { host: 'localhost:9000', 'x-forwarded-proto': 'https', 'x-real-ip': '198.51.100.7' }
    const { text, headers } = await get('/feed.atom', asked)
    expect(read(text).links).toEqual([
      ['self', 'https://localhost:9000/feed.atom'],
      ['alternate', 'https://localhost:9000/'],
    ])
    // A cache in front gives it to nobody who has asked otherwise.
    expect(headers.vary).toContain('x-forwarded-proto')
  })

  it('leads nowhere else because a reader says so, where the settings name no proxy', async () => {
    const { get } = await statusFixture()
    const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example', forwarded: 'proto=https' }
    const [one, other] = [await get('/feed.atom', forged), await get('/feed.atom')]
    expect(one.text).toBe(other.text)
    expect(read(one.text).links[0]).toEqual(['self', 'http://127.0.0.1:8008/feed.atom'])
    expect((await get('/', forged)).text).toBe((await get('/')).text)
  })

  it('says when an incident begins and when it is over, under one id, and names no address', async () => {
    const fixture = await statusFixture()
    fixture.addService()
    await fixture.pass(60)
    fixture.down()
    await fixture.pass(120)
    const [running] = (await feedOf(fixture)).entries
    expect(running).toMatchObject({ title: 'Shop is down', category: 'service_down', contentType: 'text' })
    expect(running?.content).toMatch(/^Began: Nov .+\. Cause: connection refused\.$/)
    fixture.up()
    await fixture.pass(120)
    const feed = await feedOf(fixture)
    expect(feed.entries).toHaveLength(1)
    expect(feed.entries[0]).toMatchObject({ id: running?.id, published: running?.published, title: 'Shop was down' })
    expect(feed.entries[0]?.content).toContain('after 2 minutes.')
    expect(feed.entries[0]?.updated).toBe(feed.updated)
    expect(Date.parse(feed.updated)).toBeGreaterThan(Date.parse(running?.updated ?? ''))
    expect((await fixture.get('/feed.atom')).text).not.toMatch(/192\.0\.2\.1|db\.example/)
  })

  it('keeps its id and those of its entries over a restart, and no two installations have the same', async () => {
    const fixture = await statusFixture()
    fixture.addService()
    fixture.down()
    await fixture.pass(60)
    const before = await feedOf(fixture)
    const again = await testServer({ store: fixture.store })
    const after = read((await again.browser().get('/feed.atom')).text)
    expect(after.id).toBe(before.id)
    expect(after.entries.map(({ id }) => id)).toEqual(before.entries.map(({ id }) => id))
    await again.app.close()
    const other = await statusFixture()
    other.addService()
    other.down()
    await other.pass(60)
    const others = await feedOf(other)
    expect(others.id).not.toBe(before.id)
    expect(others.entries[0]?.id).not.toBe(before.entries[0]?.id)
  })

  it('shows what somebody wrote into names as text, and lines and marks that XML does not know as nothing', async () => {
    const site_name = '<script>alert("site")</script>'
    const fixture = await statusFixture({ site: { site_name } })
    const name = `</title><script>alert('x')</script>&amp;\u0000\u0007\ud800 "A"]]>`
    fixture.addService({ name })
    fixture.down()
    await fixture.pass(60)
    const { text } = await fixture.get('/feed.atom')
    expect(text).not.toContain('<script')
    const feed = read(text)
    expect(feed.author).toBe(site_name)
    expect(feed.entries[0]?.title).toBe(`</title><script>alert('x')</script>&amp;  \ufffd "A"]]> is down`)
    expect(feed.entries[0]?.elements).toBe(7)
  })

  it('never has what is hidden from visitors, from the moment that it is hidden', async () => {
    const fixture = await statusFixture()
    const shown = fixture.addService({ name: 'Shop' })
    fixture.addService({ name: 'Secret', hide_for_guest: true })
    fixture.down()
    await fixture.pass(60)
    const { headers, text } = await fixture.get('/feed.atom')
    expect(read(text).entries.map(({ title }) => title)).toEqual(['Shop is down'])
    expect(text).not.toContain('Secret')
    fixture.services.update(shown, { hide_for_guest: true })
    const hidden = await fixture.get('/feed.atom', {
      'if-none-match': String(headers.etag),
      'if-modified-since': String(headers['last-modified']),
    })
    expect([hidden.status, read(hidden.text).entries]).toEqual([200, []])
    // Nor does a reader that only knows dates keep it.
    const byDate = await fixture.get('/feed.atom', { 'if-modified-since': String(headers['last-modified']) })
    expect([byDate.status, read(byDate.text).entries]).toEqual([200, []])
  })

  it('costs a reader nothing that has it already', async () => {
    const fixture = await statusFixture()
    fixture.addService()
    fixture.down()
    await fixture.pass(60)
    const { headers } = await fixture.get('/feed.atom')
    expect(headers['cache-control']).toBe('public, max-age=60')
    const validators: Record<string, string>[] = [
      { 'if-none-match': String(headers.etag) },
      { 'if-none-match': `"other", W/${headers.etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': String(headers['last-modified']) },
    ]
    for (const validator of validators) {
      const reply = await fixture.get('/feed.atom', validator)
      expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', headers.etag])
    }
    fixture.up()
    await fixture.pass(60)
    for (const validator of validators.filter(({ 'if-none-match': tag }) => tag !== '*')) {
      expect((await fixture.get('/feed.atom', validator)).status).toBe(200)
    }
  })

  it('has the address that browsers use behind a proxy', async () => {
    const { browser } = await statusFixture({
      settings: { host: '127.0.0.1', publicUrl: new URL('https://status.example') },
    })
    const { text } = await browser().get('/feed.atom', { host: 'status.example' })
    expect(read(text).links).toEqual([
      ['self', 'https://status.example/feed.atom'],
      ['alternate', 'https://status.example/'],
    ])
  })

  it('is not there where visitors have to sign in, also for those who have a session', async () => {
    const fixture = await statusFixture({ settings: { host: '127.0.0.1', forceAuth: true } })
    for (const browser of [fixture.browser(), await signedIn(fixture)]) {
      const { status, text } = await browser.get('/feed.atom')
      expect([status, text]).toEqual([404, '{"error":"404 Not Found"}'])
      expect((await browser.get('/')).text).not.toContain('feed.atom')
    }
  })

  it('follows the site’s name and language at once', async () => {
    const fixture = await statusFixture()
    expect((await feedOf(fixture)).title).toBe('Server status: incidents')
    writeSite(fixture.store, { ...readSite(fixture.store), site_name: 'Acme', language: 'zh-TW' })
    expect(await feedOf(fixture)).toMatchObject({ title: 'Acme：故障紀錄', language: 'zh-TW' })
    writeSite(fixture.store, { ...readSite(fixture.store), language: 'xx' })
    expect((await feedOf(fixture)).language).toBe('en-US')
  })
})

const started_at = Date.parse('2026-11-20T22:58:00Z')
const incident: Incident = {
  id: 'service-outage-1',
  kind: 'service_down',
  record_id: 1,
  name: 'Shop',
  started_at,
  ended_at: started_at + 3 * 60_000,
  cause: { kind: 'status', code: 503 },
}
const options: FeedOptions = {
  identity: { uuid: '6a2f41a3-c54c-4b1a-9d2e-3f0a1b2c3d4e', createdAt: 0 },
  siteName: 'Acme',
  locale: 'en-US',
  origin: 'https://status.example',
  timeZone: 'UTC',
  incidents: [incident],
}

describe('a feed', () => {
  it('has the latest changes of many incidents only', () => {
    const incidents = Array.from({ length: 120 }, (_, index) => ({
      ...incident,
      id: `service-outage-${index}`,
      started_at: started_at - index * 1000,
      ended_at: index === 119 ? started_at + 9_000_000 : started_at,
    }))
    const { entries, updated } = read(atomFeed({ ...options, incidents }))
    expect(entries).toHaveLength(maxEntries)
    expect(entries[0]?.updated).toBe(updated)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(maxEntries)
  })

  it.each([
    ['UTC', 'Nov 20, 2026, 10:58 PM UTC'],
    ['Asia/Kathmandu', 'Nov 21, 2026, 04:43 AM GMT+5:45'],
    ['America/New_York', 'Nov 20, 2026, 05:58 PM EST'],
  ])('has times on the clocks of %s, named, and moments in UTC', (timeZone, time) => {
    const [entry] = read(atomFeed({ ...options, timeZone })).entries
    expect(entry?.content.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(`Began: ${time}.`)
    expect(entry).toMatchObject({ published: '2026-11-20T22:58:00Z', updated: '2026-11-20T23:01:00Z' })
  })

  it.each([
    [10_000, '1 minute'],
    [59 * 60_000, '59 minutes'],
    [2 * 3_600_000, '2 hours'],
    [3_600_000 + 60_000, '1 hour, 1 minute'],
    [50 * 3_600_000 + 59 * 60_000, '2 days, 2 hours'],
  ])('says of %i milliseconds that it took %s', (length, text) => {
    const [entry] = read(atomFeed({ ...options, incidents: [{ ...incident, ended_at: started_at + length }] })).entries
    expect(entry?.content).toContain(`after ${text}.`)
  })

  it.each(locales.map(({ locale }) => locale))('says everything in %s', (locale) => {
    const kinds = ['service_down', 'server_offline'] as const
    const incidents = kinds.flatMap((kind) =>
      [null, started_at + 60_000].map((ended_at, index) => ({ ...incident, id: `${kind}-${index}`, kind, ended_at })),
    )
    const { title, entries } = read(atomFeed({ ...options, locale, incidents }))
    expect(title).toContain('Acme')
    expect(new Set(entries.map((entry) => entry.title)).size).toBe(4)
    for (const { title: text, content } of entries) expect(text + content).not.toMatch(/\{\{|undefined/)
    expect(entries.every(({ content }) => content.includes('503'))).toBe(true)
  })

  it('cuts names that are longer than any form takes', () => {
    const [entry] = read(atomFeed({ ...options, incidents: [{ ...incident, name: 'ä'.repeat(5000) }] })).entries
    expect(entry?.title).toBe(`${'ä'.repeat(127)}… was down`)
  })
})

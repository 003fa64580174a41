import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { locales } from '../../../i18n/locales.ts'
import { type PageHead, pageHead } from '../../../server/status/page/statusPage.ts'

const page: PageHead = {
  title: '1 service is down – Acme',
  site: 'Acme',
  description: '1 service is down',
  locale: 'en-US',
  origin: 'https://status.example',
  path: '/',
  hasFeed: true,
}

/** What a browser, a messenger or a feed reader finds in a page with these tags. */
function read(options: Parameters<typeof pageHead>[0]) {
  const { document } = new JSDOM(`<!doctype html><head>${pageHead(options)}</head><body></body>`).window
  const content = (selector: string) => document.querySelector(selector)?.getAttribute('content')
  return {
    description: content('meta[name=description]'),
    property: (name: string) => content(`meta[property="og:${name}"]`),
    feed: document.querySelector('link[rel=alternate]'),
    other: document.querySelectorAll('head > :not(meta, link)').length + document.body.childNodes.length,
  }
}

describe('the head of the status page', () => {
  it('has a description, Open Graph, and the way to the feed', () => {
    const { description, property, feed } = read(page)
    expect(description).toBe('1 service is down')
    expect(['type', 'site_name', 'title', 'description', 'url', 'locale'].map(property)).toEqual([
      'website',
      'Acme',
      '1 service is down – Acme',
      '1 service is down',
      'https://status.example/',
      'en_US',
    ])
    expect(feed?.getAttribute('type')).toBe('application/atom+xml')
    expect(feed?.getAttribute('title')).toBe('Acme: incidents')
    expect(feed?.getAttribute('href')).toBe('/feed.atom')
  })

  it('has no way to a feed where there is none', () => {
    expect(read({ ...page, hasFeed: false }).feed).toBeNull()
  })

  it.each(locales.map(({ locale }) => locale))('names language and country of %s', (locale) => {
    expect(read({ ...page, locale }).property('locale')).toMatch(/^[a-z]{2}_[A-Z]{2}$/)
  })

  it('shows what somebody wrote into the name of the site as text, and not more of it than fits', () => {
    const site = `"><script>alert('x')</script>\n`
    const { property, feed, other } = read({ ...page, site, title: site, description: 'x'.repeat(10_000) })
    expect(property('site_name')).toBe(site.trim())
    expect(feed?.getAttribute('title')).toBe(`${site.trim()}: incidents`)
    expect(property('description')).toBe(`${'x'.repeat(299)}…`)
    expect(other).toBe(0)
  })
})

import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { readTexts } from '../../texts.ts'
import { escapeXml, shortText } from '../../wire/html.ts'
import { feedPath } from '../atomFeed.ts'

const feedTexts = readTexts('feed')

export interface PageHead {
  /** Of the page: with trouble, it says so. */
  title: string
  /** The name of the site. */
  site: string
  /** A sentence on the whole. */
  description: string
  locale: Locale
  /** Where browsers reach this server, without a slash at the end. */
  origin: string
  /** Of the page on this server: `/server/3`. */
  path: string
  /** Whether there is a feed of incidents. */
  hasFeed: boolean
}

/** Characters, of which search engines and messengers show fewer still. */
const limits = { title: 200, description: 300 } as const

/**
 * What a page says about itself: description, Open Graph (https://ogp.me), and where the feed of incidents is.
 * @returns tags for the head, as HTML
 */
export function pageHead({ title, site, description, locale, origin, path, hasFeed }: PageHead): string {
  const about = shortText(description, limits.description)
  const properties: readonly (readonly [string, string])[] = [
    ['og:type', 'website'],
    ['og:site_name', shortText(site, limits.title)],
    ['og:title', shortText(title, limits.title)],
    ['og:description', about],
    ['og:url', origin + path],
    ['og:locale', territory(locale)],
  ]
  const feedTitle = fillText(feedTexts[locale].feed.title, { site: shortText(site, limits.title) })
  return [
    `<meta name="description" content="${escapeXml(about)}">`,
    ...properties.map(([name, content]) => `<meta property="${name}" content="${escapeXml(content)}">`),
    '<meta name="twitter:card" content="summary">',
    ...(hasFeed
      ? [`<link rel="alternate" type="application/atom+xml" title="${escapeXml(feedTitle)}" href="${feedPath}">`]
      : []),
  ].join('\n')
}

/** Open Graph wants a country: `it` is `it_IT`. */
function territory(locale: Locale): string {
  const { language, region } = new Intl.Locale(locale).maximize()
  return `${language}_${region}`
}

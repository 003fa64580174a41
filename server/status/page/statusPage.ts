import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { tokenStyles } from '../../../src/components/theme/tokens.ts'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import type { PublicStatus } from '../../../src/schemas/status/publicStatus.ts'
import { isTrouble, summarize } from '../../../src/schemas/status/summary.ts'
import { iconAddress } from '../../../src/status/icon.ts'
import { incidentSentence, type StatusTexts, sentenceOf, shortTime } from '../../../src/status/statusTexts.ts'
import { ownTimezone } from '../../site/timeZone.ts'
import { readTexts } from '../../texts.ts'
import { element, escapeHtml, escapeXml, type Html, shortText } from '../../wire/html.ts'
import { feedPath } from '../atomFeed.ts'

export interface StatusPageOptions {
  status: PublicStatus
  texts: StatusTexts
  locale: Locale
  /** Where browsers reach this server, without a slash at the end. */
  origin: string
  /** Whether there is a feed of incidents. */
  hasFeed: boolean
  /** Left out when the page was not built: it is without scripts then, and without colours. */
  files?: PageFiles
  /** The script that picks the theme before the first paint. */
  themeScript?: string
  /** The operator's own code for visitors. */
  customCode?: string
  /** The server that the page is about. Default: all of them; `null`, one that is not shown. */
  server?: number | null
}

/** Rows of each list; browsers with JavaScript show all. */
const maxRows = 200

/**
 * The whole page in words, for browsers without JavaScript and for the time until the script has taken over. What the
 * script begins with stands in it as JSON.
 */
export function statusPage(options: StatusPageOptions): string {
  const { status, texts, locale, files, themeScript, customCode, origin, hasFeed, server } = options
  const summary = summarize(status)
  const sentence = sentenceOf(summary, texts, locale, (at) => timeOf(at, options))
  const name = status.site.name || texts.site
  const title = isTrouble(summary) ? `${sentence} – ${name}` : name
  const data = JSON.stringify({ status, locale, ...(customCode && { customCode }) })
  // A browser that translates it replaces texts that change: visitors would read what was true when they opened the page.
  return `<!doctype html>
<html lang="${locale}" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${pageHead({ title, site: name, description: sentence, locale, origin, hasFeed, path: server ? `/server/${server}` : '/' })}
<link rel="icon" type="image/svg+xml" href="${iconAddress(isTrouble(summary))}">
${themeScript ? `<script>${themeScript}</script>` : ''}
${files ? `<style>${tokenStyles()}\n${files.style}</style>` : ''}
${files ? scriptTags(files, locale) : ''}
</head>
<body>
<div id="root">
${content(name, sentence, options)}
</div>
<script type="application/json" id="page-data">${data.replaceAll('<', '\\u003c')}</script>
</body>
</html>
`
}

const scriptTags = ({ script, neededBy }: PageFiles, locale: Locale): string =>
  [
    `<script type="module" crossorigin src="${script}"></script>`,
    ...neededBy(locale).map((file) => `<link rel="modulepreload" crossorigin href="${file}">`),
  ].join('\n')

/** In the zone of this server, which is named: that of the visitor is not known. */
const timeOf = (at: number, { status, locale }: Pick<StatusPageOptions, 'status' | 'locale'>) =>
  shortTime(at, status.now, locale, ownTimezone())

function content(name: string, sentence: string, options: StatusPageOptions): Html {
  const { status, texts, server } = options
  const trouble = isTrouble(summarize(status)) ? 'danger' : 'good'
  return [
    element('header', { class: 'bar' }, [
      element('a', { class: 'site', href: '/' }, escapeHtml(name)),
      element('a', { class: 'sign-in', href: consolePath }, escapeHtml(texts.signIn)),
    ]),
    element('main', {}, [
      ...(server === undefined
        ? [element('h1', { class: `summary ${trouble}` }, escapeHtml(sentence)), ...sections(options)]
        : serverContent(options)),
      element('p', { class: 'quiet' }, escapeHtml(fillText(texts.needsScript, { time: timeOf(status.now, options) }))),
    ]),
  ].join('\n')
}

function sections(options: StatusPageOptions): Html[] {
  const { status, texts } = options
  const { services, states, servers, windows, incidents } = status
  return [
    section(
      texts.maintenance,
      windows.map(({ name, until }) => [
        name,
        fillText(texts.maintenanceUntil, { time: timeOf(Date.parse(until), options) }),
      ]),
      options,
    ),
    section(
      texts.services,
      services.map(({ id, name }) => [name, stateText(states[id], options)]),
      options,
    ),
    section(
      texts.servers,
      servers.map(({ id, name }) => [name, onlineText(id, options)]),
      options,
    ),
    section(
      texts.incidents,
      incidents.map((incident) => [
        incidentSentence(incident, texts),
        timeOf(Date.parse(incident.started_at), options),
      ]),
      options,
    ),
  ]
}

function section(heading: string, rows: readonly (readonly [string, string])[], { texts, locale }: StatusPageOptions) {
  if (rows.length === 0) return ''
  const more = rows.length - maxRows
  const items = rows.slice(0, maxRows).map(([name, state]) => element('li', {}, escapeHtml(`${name}: ${state}`)))
  if (more > 0)
    items.push(
      element('li', {}, escapeHtml(fillText(texts.andMore, { count: new Intl.NumberFormat(locale).format(more) }))),
    )
  return element('section', { class: 'panel' }, [element('h2', {}, escapeHtml(heading)), element('ul', {}, items)])
}

function serverContent(options: StatusPageOptions): Html[] {
  const { status, texts, server } = options
  const shown = status.servers.find(({ id }) => id === server)
  const back = element('p', {}, element('a', { href: '/' }, escapeHtml(texts.allServers)))
  if (!shown) return [element('h1', {}, escapeHtml(texts.notFound)), back]
  return [element('h1', {}, escapeHtml(shown.name)), element('p', {}, escapeHtml(onlineText(shown.id, options))), back]
}

function stateText(state: PublicStatus['states'][string] | undefined, options: StatusPageOptions): string {
  const { texts } = options
  if (!state?.state) return texts.notChecked
  if (state.state !== 'down') return texts[state.state]
  const since = state.since && fillText(texts.downSince, { time: timeOf(Date.parse(state.since), options) })
  return [texts.down, since].filter(Boolean).join(' ')
}

const onlineText = (id: number, { status, texts }: StatusPageOptions) =>
  status.metrics[id] ? texts.online : texts.offline

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

/** The files of the built page. */
interface PageFiles {
  /** Where the files lie that browsers ask for. */
  folder: string
  /** Address of the script. */
  script: string
  /** Scripts that it needs at once: what it imports, and the texts of a language. */
  neededBy(locale: string): string[]
  /** The text of the style, which stands in the page: one request less before the first paint. */
  style: string
}

export const filesPath = '/status/assets/'

/** @param dist folder of the built console @returns `undefined` when the page was not built */
export function readPageFiles(dist: string | undefined): PageFiles | undefined {
  const root = dist && join(dist, 'status')
  const manifestFile = root && join(root, 'manifest.json')
  if (!manifestFile || !existsSync(manifestFile)) return undefined
  const manifest: Record<string, { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }> = JSON.parse(
    readFileSync(manifestFile, 'utf8'),
  )
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) return undefined
  const address = (file: string) => `/status/${file}`
  return {
    folder: join(root, 'assets'),
    script: address(entry.file),
    neededBy: (locale) =>
      [...(entry.imports ?? []), `i18n/${locale}/status.json`].flatMap((key) =>
        manifest[key] ? address(manifest[key].file) : [],
      ),
    style: (entry.css ?? []).map((file) => readFileSync(join(root, file), 'utf8')).join('\n'),
  }
}

import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { tokenStyles } from '../../../src/components/theme/tokens.ts'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import type { PublicStatus } from '../../../src/schemas/status/publicStatus.ts'
import { isTrouble, summarize } from '../../../src/schemas/status/summary.ts'
import { iconAddress } from '../../../src/status/icon.ts'
import { incidentSentence, type StatusTexts, sentenceOf, shortTime } from '../../../src/status/statusTexts.ts'
import { ownTimezone } from '../../site/timeZone.ts'
import { element, escapeHtml, type Html } from '../../wire/html.ts'
import type { PageFiles } from './pageFiles.ts'
import { pageHead } from './pageHead.ts'

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

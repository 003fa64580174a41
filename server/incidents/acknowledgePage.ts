import { fillText } from '../../i18n/fillText.ts'
import type { Locale } from '../../i18n/locales.ts'
import { systemTokenStyles } from '../../src/components/theme/tokens.ts'
import { maxIncidentNote } from '../../src/schemas/incidents/incidentRecord.ts'
import { readTexts } from '../texts.ts'
import { escapeHtml, type Html, shortText } from '../wire/html.ts'
import type { LinkProblem } from './acknowledgeLinks.ts'

const texts = readTexts('acknowledge')

/** What the page says of an incident. Times are milliseconds since 1970. */
export interface ShownIncident {
  title: string
  state: 'open' | 'acknowledged' | 'resolved'
  started_at: number
  acknowledged_at: number | null
  acknowledged_by: string
  resolved_at: number | null
  /** To whom the link was sent. */
  notifier: string
  /** Whether the owner of the notifier may say so for all of it. */
  isWhole: boolean
}

interface PageOptions {
  locale: Locale
  site: string
  /** In which times are shown. */
  zone: string
}

/** Characters of a title, as people count them. */
const titleLength = 300

/** The page behind a link of a message: what it is about, and a form to say that one is on it. */
export function acknowledgePage(incident: ShownIncident, { locale, site, zone }: PageOptions): string {
  const text = texts[locale]
  const style = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: zone } as const
  const format = new Intl.DateTimeFormat(locale, style)
  const time = (at: number | null) => `${format.format(at ?? 0)} (${zone})`
  const { state, notifier } = incident
  const lines = [fillText(text.since, { time: time(incident.started_at) })]
  if (state === 'acknowledged') {
    lines.push(fillText(text.acknowledged, { name: incident.acknowledged_by, time: time(incident.acknowledged_at) }))
  }
  if (state === 'resolved') lines.push(fillText(text.resolved, { time: time(incident.resolved_at) }))
  const isOffered = state === 'open' && incident.isWhole
  if (state === 'open' && !isOffered) lines.push(text.not_whole)
  const title = shortText(incident.title, titleLength)
  return page(
    { locale, site, title },
    `<h1>${escapeHtml(title)}</h1>
<p class="state ${state}">${escapeHtml(text.states[state])}</p>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
${isOffered ? form(locale, notifier) : ''}`,
  )
}

/** The page behind a link that is of no use, or was called too often. */
export function linkProblemPage(
  problem: LinkProblem | 'too_often',
  { locale, site }: Omit<PageOptions, 'zone'>,
): string {
  const { title, problems } = texts[locale]
  return page(
    { locale, site, title },
    `<h1>${escapeHtml(title)}</h1>\n<p role="alert">${escapeHtml(problems[problem])}</p>`,
  )
}

function form(locale: Locale, notifier: string): Html {
  const text = texts[locale]
  return `<form method="post">
<label for="note">${escapeHtml(text.note)}</label>
<textarea id="note" name="note" rows="3" maxlength="${maxIncidentNote}"></textarea>
<p class="quiet">${escapeHtml(fillText(text.as, { name: fillText(text.by, { notifier }) }))}</p>
<button type="submit">${escapeHtml(text.acknowledge)}</button>
</form>`
}

/** Who says so, as the diary has it. */
export const byLinkTo = (notifier: string, locale: Locale): string => fillText(texts[locale].by, { notifier })

const styles = `*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:start center;padding:12vh 16px 16px;background:var(--wh-background);color:var(--wh-text);font:14px/1.5 var(--wh-sans);font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main{width:100%;max-width:440px;padding:24px;border:1px solid var(--wh-border);border-radius:var(--wh-radius);background:var(--wh-surface)}
.site{margin:0 0 16px;font-weight:600;color:var(--wh-secondary)}
h1{margin:0 0 8px;font-size:20px;line-height:1.4;letter-spacing:-.01em}
p{margin:0 0 8px}
.state{display:inline-block;padding:2px 10px;border:1px solid;border-radius:999px;font-weight:600}
.open{color:var(--wh-danger)}.acknowledged{color:var(--wh-warning)}.resolved{color:var(--wh-good)}
.quiet{color:var(--wh-secondary)}
form{margin-top:16px}
label{display:block;margin-bottom:4px;font-size:13px;font-weight:600}
textarea{display:block;width:100%;margin-bottom:8px;padding:8px 10px;border:1px solid var(--wh-control);border-radius:var(--wh-radius);background:var(--wh-surface);color:inherit;font:inherit;font-size:16px;resize:vertical}
button{width:100%;min-height:44px;border:0;border-radius:var(--wh-radius);background:var(--wh-primary);color:var(--wh-on-primary);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--wh-primary-strong)}
:focus-visible{outline:2px solid var(--wh-primary);outline-offset:2px}`

const page = (
  { locale, site, title }: { locale: Locale; site: string; title: string },
  content: Html,
) => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${systemTokenStyles()}
${styles}</style>
</head>
<body>
<main>
<p class="site">${escapeHtml(shortText(site, titleLength))}</p>
${content}
</main>
</body>
</html>
`

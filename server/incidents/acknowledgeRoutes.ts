import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fillText } from '../../i18n/fillText.ts'
import type { Locale } from '../../i18n/locales.ts'
import { systemTokenStyles } from '../../src/components/theme/tokens.ts'
import { maxIncidentNote } from '../../src/schemas/incidents/incidentRecord.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createTeams } from '../auth/teams/teams.ts'
import { createTokenBuckets } from '../concurrency/tokenBucket.ts'
import type { Store } from '../db/store.ts'
import { auditNames } from '../http/routes/route.ts'
import { ownerAsPerson, type Person } from '../person.ts'
import { acceptedLocale, siteLocale } from '../site/locale.ts'
import { readSite } from '../site/site.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { readTexts } from '../texts.ts'
import { escapeHtml, type Html, shortText } from '../wire/html.ts'
import { type AcknowledgeLink, type AcknowledgeLinks, acknowledgePath, type LinkProblem } from './acknowledgeLinks.ts'
import { partsFor } from './incidentHooks.ts'
import type { Incidents } from './incidents.ts'

interface Services {
  store: Store
  incidents: Pick<Incidents, 'acknowledge'>
  links: Pick<AcknowledgeLinks, 'read'>
  audit: Pick<AuditLog, 'write'>
  /** A user's role; `undefined` when the user no longer exists. */
  roleOf: (id: number) => Person['role'] | undefined
}

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

/** Calls of one link, and of one address with links that are of no use. */
const rates = { link: { burst: 20, perSecond: 0.5 }, wrong: { burst: 10, perSecond: 0.1 } } as const
/** Bytes: a note of the longest length, each of its characters written as nine. */
const bodyLimit = 9 * maxIncidentNote + 64

const statusOf: Readonly<Record<LinkProblem, number>> = { invalid: 404, ended: 410, revoked: 410, gone: 410 }

/**
 * The page behind the links in messages. Only its form acknowledges: messengers open links before people do, to show
 * what is behind them.
 */
export function registerAcknowledgeRoutes(app: FastifyInstance, services: Services): void {
  const { store, incidents, links, audit, roleOf } = services
  const teams = createTeams(store)
  const byLink = createTokenBuckets(rates.link)
  const byAddress = createTokenBuckets(rates.wrong)
  const localeOf = ({ headers }: FastifyRequest): Locale => acceptedLocale(headers['accept-language'] ?? '')
  const siteName = () => readSite(store).site_name || 'Wheelhouse'

  function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: LinkProblem | 'too_often'): FastifyReply {
    const page = linkProblemPage(problem, { locale: localeOf(request), site: siteName() })
    return reply.code(problem === 'too_often' ? 429 : statusOf[problem]).send(page)
  }

  /** The link of a request that may go on; else its reply is sent. */
  function linkOf(request: LinkRequest, reply: FastifyReply): AcknowledgeLink | undefined {
    reply.type('text/html; charset=utf-8').headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': policy,
      vary: 'accept-language',
    })
    const { token } = request.params
    const link = links.read(token)
    const isKnown = typeof link !== 'string'
    const isAllowed = isKnown ? byLink.take(token) : byAddress.take(addressGroup(request.address))
    if (isKnown && isAllowed) return link
    sendProblem(request, reply, isKnown || !isAllowed ? 'too_often' : link)
    return undefined
  }

  /** The owner of a notifier with the teams that they are in now: what is these's may be told to who is on duty. */
  const ownerOf = (id: number): Person => ({
    ...ownerAsPerson(id, roleOf),
    grants: { has: () => false, teams: () => new Set(teams.of(id).map((team) => team.id)) },
  })

  /** What the owner of a notifier may see of an incident. */
  function visibleTo({ incident, notifier }: AcknowledgeLink): { title: string; isWhole: boolean } {
    const isVisible = partsFor({ store, person: ownerOf(notifier.user_id) })
    const isWhole = incident.parts.every(isVisible)
    return { title: isWhole ? incident.title : (incident.parts.find(isVisible)?.name ?? ''), isWhole }
  }

  app.get(`${acknowledgePath}/:token`, (request: LinkRequest, reply) => {
    const link = linkOf(request, reply)
    if (!link) return reply
    const { incident, notifier } = link
    const visible = visibleTo(link)
    // Of what others own, it says no more than that there is something.
    if (visible.title === '') return sendProblem(request, reply, 'gone')
    const { state, started_at, acknowledged_at, resolved_at } = incident
    const acknowledged_by = visible.isWhole ? incident.acknowledged_by : '–'
    return reply.send(
      acknowledgePage(
        { state, started_at, acknowledged_at, acknowledged_by, resolved_at, notifier: notifier.name, ...visible },
        { locale: localeOf(request), site: siteName(), zone: ownTimezone() },
      ),
    )
  })

  app.post<{ Params: { token: string } }>(
    `${acknowledgePath}/:token`,
    { bodyLimit, config: { isPermission: true } },
    (request: LinkRequest, reply) => {
      const link = linkOf(request, reply)
      if (!link) return reply
      const { incident, notifier } = link
      const visible = visibleTo(link)
      if (visible.title === '') return sendProblem(request, reply, 'gone')
      if (incident.state === 'open' && visible.isWhole) {
        const note = new URLSearchParams(String(request.body ?? '')).get('note') ?? ''
        const by = byLinkTo(notifier.name, siteLocale(readSite(store).language))
        incidents.acknowledge(incident, by, note.trim().slice(0, maxIncidentNote).toWellFormed())
        audit.write({
          action: 'incident.acknowledge',
          target: `incident ${incident.id}`,
          address: request.address,
          detail: { by: 'link', notifier: `${notifier.id} ${notifier.name}`, ...auditNames([incident.title]) },
        })
      }
      if (request.headers.accept === 'application/json') {
        // It is not acknowledged: the rest of it is not theirs, or not any more.
        if (incident.state === 'open') reply.code(403)
        return reply.type('application/json').send({ state: incident.state })
      }
      // What it is now is on the page; loading it again does not send the form again.
      return reply.redirect(request.url, 303)
    },
  )
}

/** It runs nothing, and sends its form to this server alone. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const texts = readTexts('acknowledge')

/** What the page says of an incident. Times are milliseconds since 1970. */
interface ShownIncident {
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
function acknowledgePage(incident: ShownIncident, { locale, site, zone }: PageOptions): string {
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
function linkProblemPage(problem: LinkProblem | 'too_often', { locale, site }: Omit<PageOptions, 'zone'>): string {
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
const byLinkTo = (notifier: string, locale: Locale): string => fillText(texts[locale].by, { notifier })

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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../i18n/locales.ts'
import { maxIncidentNote } from '../../src/schemas/incidents/incidentRecord.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { addressGroup } from '../auth/addresses/canonicalAddress.ts'
import { createTeams } from '../auth/teams/teams.ts'
import { createTokenBuckets } from '../concurrency/tokenBucket.ts'
import type { Store } from '../db/store.ts'
import { auditNames } from '../http/routes/auditAction.ts'
import { ownerAsPerson, type Person } from '../person.ts'
import { acceptedLocale, siteLocale } from '../site/locale.ts'
import { readSite } from '../site/site.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { type AcknowledgeLink, type AcknowledgeLinks, acknowledgePath, type LinkProblem } from './acknowledgeLinks.ts'
import { acknowledgePage, byLinkTo, linkProblemPage } from './acknowledgePage.ts'
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

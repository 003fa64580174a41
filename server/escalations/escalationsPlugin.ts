import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { z } from 'zod'
import type { Shift } from '../../src/domain/rota/rotaShifts.ts'
import { rotaEndpoints as endpoints, type rotaShift } from '../../src/schemas/endpoints/rotaEndpoints.ts'
import { notification } from '../../src/schemas/notification.ts'
import { rota } from '../../src/schemas/rota.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { usersIn } from '../auth/users/users.ts'
import { createTokenBuckets } from '../concurrency/tokenBucket.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import { seenIncident } from '../incidents/incident.ts'
import { partsFor } from '../incidents/incidentHooks.ts'
import type { Log } from '../log.ts'
import { isAdmin, mayAct, ownerAsPerson, owns, type Person, personOf } from '../person.ts'
import { messagesOf, spanText } from '../site/messages.ts'
import { ApiError, bodyReader, timestamp } from '../wire/apiCall.ts'
import {
  createDuty,
  createRotaAddresses,
  type Duty,
  feedStart,
  type RotaAddresses,
  type RotaRow,
  zoneOf,
} from './duty.ts'
import { createEscalationRuns } from './escalationRuns.ts'

interface EscalationsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Escalation plans, which tell people one after the other of incidents, and rotas, which say who is on duty. */
export const escalationsPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: EscalationsOptions) => {
    const { incidents, notifications, acknowledgeLinks, roleOf } = app
    const messages = messagesOf(store)
    const duty = createDuty(store, now)
    const addresses = createRotaAddresses(store)
    const mayOwnerAct = (ownerId: number) => mayAct(ownerId, roleOf)
    app.entityHooks.set('rota', rotaHooks(duty, addresses))
    registerRotaRoutes(app, { store, duty, addresses, mayAct: mayOwnerAct, now })

    const runs = createEscalationRuns({
      store,
      incidents,
      duty,
      mayAct: mayOwnerAct,
      tell({ name, group_id, notifiers }, incident, { kind, ownerId }) {
        const time = spanText(now() - incident.started_at, messages.locale())
        const person = ownerAsPerson(ownerId, roleOf)
        const { title } = seenIncident(incident, partsFor({ store, person }), messages)
        const key = kind === 'lasts' ? 'escalation_unacknowledged' : 'escalation_over'
        notifications.send({
          groupId: group_id,
          receivers: { name, notifications: notifiers },
          incidentId: incident.id,
          message: messages(key, { title, time }),
          ...(kind === 'lasts' && { acknowledge: (id) => acknowledgeLinks.waysOf(incident, id) }),
        })
        notifications.save()
      },
      now,
    })
    incidents.onTick(() => {
      try {
        runs.tick()
      } catch (error) {
        log.error('Escalation plans could not be looked at:', error)
      }
    })
  },
  { name: 'escalations', dependencies: ['entity-hooks', 'security', 'notifications', 'incidents', 'incident-sources'] },
)

interface Services {
  store: Store
  duty: Duty
  addresses: RotaAddresses
  /** Whether records of an owner may do anything. */
  mayAct: (ownerId: number) => boolean
  /** Milliseconds since 1970. */
  now: () => number
}

const dayMs = 86_400_000
/** What the calendar of the console shows, and what programs get: calendars show some months. */
const [shownDays, feedDays] = [28, 92]
/** Calls of one calendar, and of one address with an address that there is not. */
const rates = { feed: { burst: 20, perSecond: 0.1 }, wrong: { burst: 10, perSecond: 0.1 } } as const

/** Who is on duty, and the calendar's address of who asks, in the list of rotas. */
const rotaHooks = (
  { now }: Pick<Duty, 'now'>,
  { pathOf }: Pick<RotaAddresses, 'pathOf'>,
): EntityHooks<typeof rota> => ({
  present({ feed_path: _secret, ...encoded }, row, { person }) {
    const [name, path] = [now(row.id)?.name, pathOf(row, person?.id ?? 0)]
    return { ...encoded, ...(name && { on_duty: name }), ...(path && { feed_path: path }) }
  },
})

/** The calendar of a rota, here and for programs, and by which notifiers people on duty are told. */
function registerRotaRoutes(app: FastifyInstance, { store, duty, addresses, mayAct, now }: Services): void {
  const rotas = entityTable(store, rota)
  const notifiers = entityTable(store, notification)
  const users = usersIn(store)
  const byFeed = createTokenBuckets(rates.feed)
  const byAddress = createTokenBuckets(rates.wrong)

  function ownRota(id: number, person: Person | undefined): RotaRow {
    const row = rotas.get(id)
    if (!row) throw new ApiError(`rota id ${id} does not exist`)
    if (!owns(person, row)) throw new ApiError('permission denied')
    return row
  }

  function shiftOnWire(row: RotaRow, { from, to, user_id, is_override }: Shift): z.output<typeof rotaShift> {
    const { name, notifiers: chosen, isOutside } = duty.person(row, user_id)
    const shift = { from: timestamp(from), to: timestamp(to), user_id, name, is_override }
    if (name === '') return { ...shift, problem: 'deleted' }
    if (isOutside) return { ...shift, problem: 'not_in_team' }
    return chosen.length === 0 ? { ...shift, problem: 'no_notifiers' } : shift
  }

  route(app, 'rotaShifts', endpoints.rotaShifts, ({ params, person }) => {
    const row = ownRota(params.id, person)
    const shifts = duty.shifts(row, now(), now() + shownDays * dayMs).map((shift) => shiftOnWire(row, shift))
    return { time_zone: zoneOf(row), shifts }
  })

  route(app, { name: 'renewRotaFeed', audit: 'rota.renew-feed' }, endpoints.renewRotaFeed, (request) => {
    const { id, name } = ownRota(request.params.id, request.person)
    addresses.renew(id)
    addAuditDetails(request, { target: `rota ${id}`, detail: auditNames([name]) })
    return { feed_path: addresses.pathOf(ownRota(id, request.person), personOf(request).id) ?? '' }
  })

  route(
    app,
    { name: 'setOwnNotifiers', audit: 'profile.notifiers' },
    endpoints.setOwnNotifiers,
    bodyReader(endpoints.setOwnNotifiers),
    (request) => {
      const { person, body } = request
      const isOwn = (id: number) => {
        const row = notifiers.get(id)
        // What is a team's tells of what the team has.
        return row !== undefined && (isAdmin(person) || row.user_id === person?.id)
      }
      const wrong = body.notifiers.find((id) => !isOwn(id))
      if (wrong !== undefined) throw new ApiError(`notifiers: notification id ${wrong} does not exist`)
      users.update(person?.id ?? 0, { notifiers: body.notifiers })
      addAuditDetails(request, { target: `user ${person?.id}` })
    },
  )

  app.get(`${feedStart}:token`, (request: FastifyRequest<{ Params: { token: string } }>, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
    const found = addresses.read(request.params.token)
    const row = found?.rota
    if (!row || !mayAct(row.user_id)) {
      const isPatient = byAddress.take(addressGroup(request.address))
      return reply.code(isPatient ? 404 : 429).send({ error: isPatient ? 'there is no such calendar' : slower })
    }
    if (!byFeed.take(`${row.id} ${found.userId}`))
      return reply.code(429).header('retry-after', '60').send({ error: slower })
    const shifts = duty
      .shifts(row, now() - shownDays * dayMs, now() + feedDays * dayMs)
      .map((shift) => ({ ...shift, name: duty.person(row, shift.user_id).name || `#${shift.user_id}` }))
    const host = (request.headers.host ?? 'localhost').replace(/:\d+$/, '')
    return reply
      .type('text/calendar; charset=utf-8')
      .send(rotaCalendar({ id: row.id, host, name: row.name, shifts, now: now() }))
  })
}

const slower = 'too many calls: wait a minute'

interface FeedOptions {
  /** Of the rota, and of the server: events keep their identity. */
  id: number
  host: string
  name: string
  shifts: readonly (Shift & { name: string })[]
  /** What it was made at, in milliseconds since 1970. */
  now: number
}

/** Octets of a line (RFC 5545, 3.1), without its end. */
const maxLine = 75

/** A rota as a calendar in the format of RFC 5545: an event for each shift. */
export function rotaCalendar({ id, host, name, shifts, now }: FeedOptions): string {
  const events = shifts.flatMap((shift) => [
    'BEGIN:VEVENT',
    `UID:rota-${id}-${shift.from / 1000}@${host}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(shift.from)}`,
    `DTEND:${utc(shift.to)}`,
    `SUMMARY:${escapeText(`${shift.name} · ${name}`)}`,
    // It says who can be called, not that the time of whoever reads it is taken.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Wheelhouse//Rota//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** `20261201T080000Z`. @param at milliseconds since 1970 */
const utc = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** RFC 5545, 3.3.11: what would end the value or the line. Other control characters are not allowed. */
const escapeText = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** A line in parts of 75 octets at most, none of which ends within a character. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > maxLine) {
      parts.push(part)
      // The blank that continues a line counts.
      part = ''
      octets = 1
    }
    part += character
    octets += length
  }
  return [...parts, part].join('\r\n ')
}

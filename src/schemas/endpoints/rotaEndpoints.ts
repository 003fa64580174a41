import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { moment, refs } from '../define/fields.ts'

/** Why nobody would be told in a shift. */
export const shiftProblems = ['no_notifiers', 'not_in_team', 'deleted'] as const

/** A time in which one person is on duty. */
export const rotaShift = z.object({
  from: moment(),
  to: moment(),
  user_id: z.int(),
  /** Their name; empty for somebody who was deleted. */
  name: z.string(),
  is_override: z.boolean(),
  problem: z.enum(shiftProblems).optional(),
})

const scopes = ['nezha:notification-group:read'] as const

/** Rotas and the notifiers by which people on duty are told. Only where `GET /setting` says `wheelhouse.escalations`. */
export const rotaEndpoints = {
  /** The next four weeks. */
  rotaShifts: endpoint('GET', 'wheelhouse/rotas/:id/shifts', {
    scopes,
    reply: z.object({ time_zone: z.string(), shifts: z.array(rotaShift) }),
  }),
  /** Gives its calendar other addresses, one for each who may see it; those before are of no use then. */
  renewRotaFeed: endpoint('POST', 'wheelhouse/rotas/:id/feed', {
    scopes: ['nezha:notification-group:write'],
    reply: z.object({ feed_path: z.string() }),
  }),
  /** Chooses by which notifiers of their own somebody is told while on duty. */
  setOwnNotifiers: endpoint('POST', 'wheelhouse/profile/notifiers', {
    body: z.object({ notifiers: refs('notification') }),
  }),
}

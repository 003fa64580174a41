import { z } from 'zod'
import { readDay, weekdays } from '../domain/timeOfDay.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, facts, line, name } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { timeOfDay } from './escalation.ts'
import { timeZone } from './formats/time.ts'

/** People of a rota, and its overrides: what a calendar can show. */
const [maxPeople, maxOverrides] = [50, 100]

const userId = z.int().min(1)
const day = () => line(10).refine((text) => readDay(text) !== undefined, { params: { key: 'validation.day' } })

/** Who is on duty when. Members make rotas of themselves; those of several people are made by administrators. */
export const rota = defineEntity({
  name: 'rota',
  scopes: scopesOfArea('notification-group'),
  perMember: 50,
  form: z.object({
    name: name(),
    /** In their turn. */
    people: z
      .array(userId)
      .max(maxPeople)
      .register(facts, { kind: 'json', mentions: [{ to: 'user' }] })
      .default([]),
    handover: choice({ 0: 'daily', 1: 'weekly' }).default(1),
    /** With a weekly handover. */
    weekday: choice(Object.fromEntries(weekdays.entries())).default(0),
    handover_at: timeOfDay(true).default('09:00'),
    time_zone: timeZone(),
    /** A day of the turn of the first one. */
    starts_on: day(),
    /** Days on which somebody else takes over. */
    overrides: z
      .array(
        z
          .object({ from: day(), to: day(), user_id: userId })
          .refine(({ from, to }) => from <= to, { params: { key: 'validation.override_days' } }),
      )
      .max(maxOverrides)
      .register(facts, { kind: 'json', mentions: [{ to: 'user', path: ['*', 'user_id'] }] })
      .default([]),
    ...ofTeam(),
  }),
  computed: z.object({
    /** Who is on duty now, by name. */
    on_duty: z.string().optional(),
    /** Where programs find its calendar, below the address of this server: an address of who asks. Stored is a secret for it. */
    feed_path: z.string().optional(),
  }),
  api: { path: 'wheelhouse/rotas', announced: 'escalations' },
})

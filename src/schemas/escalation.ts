import { z } from 'zod'
import { readTimeOfDay, weekdays } from '../domain/timeOfDay.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { facts, line, name } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { timeZone } from './formats/time.ts'

/** Minutes: a day. */
const maxMinutes = 1440
/** Steps of a plan. */
export const maxSteps = 5
/** Per member. A limit, because each may be at work for many incidents. */
const plansPerMember = 50

const step = z.object({
  /** Minutes after the incident began. */
  after_min: z.int().min(0).max(maxMinutes),
  /** Who is told: a notifier group, or whoever is on duty. One of both. */
  notification_group_id: z.int().min(1).optional(),
  rota_id: z.int().min(1).optional(),
})

/** A time of day as `09:30`. @param isNeeded whether it may not be empty */
export const timeOfDay = (isNeeded = false) =>
  line(5).refine((text) => (text === '' && !isNeeded) || readTimeOfDay(text) !== undefined, {
    params: { key: 'validation.time_of_day' },
  })

/** A reference to a plan, on records that people are told of. Other servers keep it as it is. */
export const escalationRef = () =>
  z
    .int()
    .min(0)
    .register(facts, { kind: 'ref', to: 'escalation', newer: true, announced: 'escalations', leftOut: 'kept' })
    .default(0)

/** Who is told of an incident, one after the other, until somebody is on it. Embedded server only. */
export const escalation = defineEntity({
  name: 'escalation',
  scopes: scopesOfArea('notification-group'),
  perMember: plansPerMember,
  form: z
    .object({
      name: name(),
      steps: z
        .array(step)
        .max(maxSteps)
        .refine(areInOrder, { params: { key: 'validation.escalation_steps' } })
        .register(facts, {
          kind: 'json',
          mentions: [
            { to: 'notification-group', path: ['*', 'notification_group_id'] },
            { to: 'rota', path: ['*', 'rota_id'] },
          ],
        })
        .default([]),
      /** How often all steps come again, and how many minutes after the last one. */
      repeat_times: z.int().min(0).max(20).default(0),
      repeat_min: z.int().min(1).max(maxMinutes).default(30),
      /** When people are told; see `EscalationTimes`. */
      days: z.array(z.enum(weekdays)).max(weekdays.length).default([]),
      from: timeOfDay().default(''),
      to: timeOfDay().default(''),
      time_zone: timeZone(),
      ...ofTeam(),
    })
    .refine(({ from, to }) => (from === '') === (to === ''), {
      path: ['to'],
      params: { key: 'validation.both_times', validatedWith: ['from'] },
    }),
  api: { path: 'wheelhouse/escalations', announced: 'escalations' },
})

/** Whether each step has one receiver, and comes after the one before it. */
function areInOrder(steps: readonly z.output<typeof step>[]): boolean {
  return steps.every(
    ({ after_min, notification_group_id, rota_id }, index) =>
      (notification_group_id === undefined) !== (rota_id === undefined) &&
      (index === 0 || after_min > (steps[index - 1]?.after_min ?? 0)),
  )
}

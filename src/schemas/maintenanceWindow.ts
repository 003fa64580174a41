import { z } from 'zod'
import { isTimeZone } from '../domain/cron/timeZone.ts'
import { longestDuration, readLocalTime, repeats, weeks } from '../domain/maintenance/windowTimes.ts'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, flag, line, moment, multiline, name, refOrNone, refs } from './define/fields.ts'
import { ofTeam } from './define/team.ts'

/** Per member. A limit, because each check of an alert or service looks at all windows. */
const windowsPerMember = 50

/**
 * A time in which somebody works on servers and services: alarms are shown but not notified, and checks of services do
 * not count. Embedded server only.
 */
export const maintenanceWindow = defineEntity({
  name: 'maintenance-window',
  scopes: scopesOfArea('alertrule'),
  perMember: windowsPerMember,
  form: z
    .object({
      name: name(),
      enabled: flag(true),
      repeat: choice(repeats).default(0),
      /** See `WindowTimes`. */
      starts_at: z
        .string()
        .max(16)
        .refine((text) => readLocalTime(text) !== undefined, {
          params: { key: 'validation.local_time' },
        }),
      week: choice(weeks).default(1),
      /** Minutes. */
      duration: z.int().min(5).max(20_160).default(60),
      /** Empty: the zone of the server. */
      time_zone: line()
        .refine((zone) => zone === '' || isTimeZone(zone), { params: { key: 'validation.time_zone' } })
        .default(''),
      servers: refs('server').default([]),
      /** All servers of these groups, those that join later too. */
      server_groups: refs('server-group').default([]),
      services: refs('service').default([]),
      /** Servers whose note has one of these tags; see `readTags`. */
      tags: line().default(''),
      /** The notifier group that is notified when it begins and ends. */
      notification_group_id: refOrNone('notification-group').default(0),
      note: multiline().optional(),
      ...ofTeam(),
    })
    .superRefine(({ repeat, duration }, context) => {
      const max = longestDuration[repeat] ?? 0
      if (duration <= max) return
      const params = { key: 'validation.window_too_long', max, validatedWith: ['repeat'] }
      context.addIssue({ code: 'custom', path: ['duration'], params })
    }),
  computed: z.object({
    /** When it closes; absent while it is closed. */
    open_until: moment().optional(),
    /** When it opens next; absent where it does not. */
    opens_at: moment().optional(),
  }),
  api: { path: 'wheelhouse/maintenance-windows', announced: 'maintenance', bodyLimit: bodyLimits.largeForm },
})

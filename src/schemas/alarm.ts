import { z } from 'zod'
import { alarmCause } from './alerts/alarmCause.ts'
import { defineEntity } from './define/entity.ts'
import { moment } from './define/fields.ts'
import { numberFilter, periodFilter, searchFilter } from './formats/listFilters.ts'

/** The states of an alarm: still running, paused because nothing is measured of its server, recovered, or withdrawn. */
export const alarmStates = ['running', 'paused', 'recovered', 'withdrawn'] as const

/** The state of an alarm, from its fields on the wire. */
export const stateOfAlarm = ({
  ended_at,
  withdrawn,
  paused,
}: {
  ended_at?: unknown
  withdrawn?: unknown
  paused?: unknown
}): (typeof alarmStates)[number] => {
  if (ended_at === undefined) return paused ? 'paused' : 'running'
  return withdrawn ? 'withdrawn' : 'recovered'
}

/**
 * An alert that fired on a server, an entry of the embedded server's alarm history; read-only. It is running while it
 * has no `ended_at` and is not `paused`. Names are those at that time: rule and server may be deleted.
 */
export const alarm = defineEntity({
  name: 'alarm',
  nameField: 'rule_name',
  scopes: { list: 'nezha:alertrule:read' },
  form: z.object({}),
  computed: z.object({
    // Numbers instead of references, so that rules and servers can be deleted.
    rule_id: z.int().optional(),
    rule_name: z.string().optional(),
    server_id: z.int().optional(),
    server_name: z.string().optional(),
    /** Of all of its rules: they failed together. */
    causes: z.array(alarmCause).optional(),
    started_at: moment().optional(),
    ended_at: moment().optional(),
    /** Whether it ended without recovery: the rule was changed or deleted, or the server was deleted. */
    withdrawn: z.boolean().optional(),
    /** Whether its server is offline, so that what was measured says nothing of now; only of alarms about load. */
    paused: z.boolean().optional(),
    /** Whether there was a notifier. */
    notified: z.boolean().optional(),
    /** `maintenance` or `muted` while notifications are held back for that reason. */
    silenced: z.string().optional(),
    /** Whether there is a snapshot of its server from when it began. */
    snapshot: z.boolean().optional(),
  }),
  api: {
    path: 'wheelhouse/alarms',
    paging: 'window',
    verbs: [],
    announced: 'alarms',
    filters: z.object({
      q: searchFilter(),
      state: z.enum(alarmStates),
      rule_id: numberFilter(),
      server_id: numberFilter(),
      started_at: periodFilter(),
    }),
  },
})

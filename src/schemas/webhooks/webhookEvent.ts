import { z } from 'zod'
import { moment } from '../define/fields.ts'

/** The version of the shape of all events. It grows when something is taken away or means something else. */
export const eventVersion = 1

const named = z.looseObject({ id: z.int(), name: z.string() })
const user = z.looseObject({ id: z.int(), username: z.string() })

const alarm = z.looseObject({
  id: z.int(),
  rule: named,
  server: named,
  started_at: moment(),
  /** What was beyond its threshold when it began. */
  causes: z.array(z.looseObject({ type: z.string() })),
})

const incident = z.looseObject({
  id: z.int(),
  title: z.string(),
  state: z.string(),
  started_at: moment(),
  /** Who is on it. */
  acknowledged_by: z.string().nullable(),
  /** The first 50 of `parts_total`. */
  parts: z.array(
    z.looseObject({
      kind: z.string(),
      /** Of the alarm, the outage or the DDNS profile; 0 where there is no such record. */
      id: z.int(),
      name: z.string(),
      role: z.enum(['cause', 'consequence']),
      server_id: z.int(),
      service_id: z.int(),
    }),
  ),
  parts_total: z.int(),
  /** The incident of which it turned out to be a part. */
  merged_into: z.int().nullable(),
})

const service = z.looseObject({ id: z.int(), name: z.string() })

const event = <Type extends string, Data extends z.ZodObject>(type: Type, data: Data) =>
  z.looseObject({
    version: z.literal(eventVersion),
    /** Also in the header `webhook-id`. The same for every try, and for every receiver. */
    id: z.string(),
    type: z.literal(type),
    /** When it happened. */
    timestamp: moment(),
    data,
  })

/** What a notifier is sent that gets events: the body of the request (docs/guides/webhooks.md). */
export const webhookEvent = z.discriminatedUnion('type', [
  event('incident.opened', z.looseObject({ incident })),
  event('incident.acknowledged', z.looseObject({ incident })),
  event('incident.resolved', z.looseObject({ incident })),
  event('alarm.raised', z.looseObject({ alarm })),
  event(
    'alarm.resolved',
    z.looseObject({
      alarm: alarm.extend({
        ended_at: moment(),
        /** Its rule or server was changed or deleted: nothing has recovered. */
        withdrawn: z.boolean(),
      }),
    }),
  ),
  /** `seen_from` is the name of the server whose check decided, `problem` what it said. */
  event('service.down', z.looseObject({ service, problem: z.string(), seen_from: z.string() })),
  event('service.up', z.looseObject({ service, seen_from: z.string() })),
  event('server.offline', z.looseObject({ server: named })),
  event('server.online', z.looseObject({ server: named })),
  event(
    'task_run.ended',
    z.looseObject({
      task: named,
      server: named,
      /** `state` and `reason` as in the list of runs; the output is its end. */
      run: z.looseObject({
        id: z.int(),
        execution_id: z.int(),
        cause: z.string(),
        state: z.string(),
        reason: z.string().nullable(),
        exit_code: z.int().nullable(),
        started_at: moment(),
        ended_at: moment(),
        output: z.string(),
        /** Whether there is more output than `output`. */
        output_cut: z.boolean(),
      }),
    }),
  ),
  event('user.signed_in', z.looseObject({ user, address: z.string(), by: z.string() })),
  event(
    'record.changed',
    z.looseObject({
      /** Of the list of changes, which has the values. */
      change_id: z.int(),
      entity: z.string(),
      record: named,
      action: z.enum(['created', 'updated', 'deleted']),
      /** The names of the fields that have other values now. */
      fields: z.array(z.string()),
      /** `null`: an agent, a command, or the server itself. */
      user: user.nullable(),
    }),
  ),
  event(
    'wheelhouse.restarted',
    z.looseObject({
      /** The file on the server with the error; `null` when it was killed, or the machine ended with it. */
      trace_file: z.string().nullable(),
    }),
  ),
  event('message', z.looseObject({ text: z.string() })),
  /** What "Send test" sends. */
  event('test', z.looseObject({ text: z.string() })),
])
export type WebhookEvent = z.output<typeof webhookEvent>

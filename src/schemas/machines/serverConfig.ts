import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { flag, jsonText } from '../define/fields.ts'

const partitions = z.array(z.string())
const interfaces = z.record(z.string(), z.boolean())

/** A list that may be absent: the agent then counts everything. */
const allowlist = <S extends z.ZodType>(schema: S, key: string) => {
  const fits = (value: unknown) => schema.nullish().safeParse(value).success
  return jsonText(z.custom<z.output<S> | null | undefined>(fits, { params: { key } }))
}

/**
 * The settings of an agent that people can change. On the wire they are one JSON text with more keys, such as the
 * agent's identity; those stay as they are.
 *
 * Not in the index of entities, because only its form is used.
 */
export const serverConfig = defineEntity({
  name: 'server-config',
  form: z.object({
    /** Seconds between two reports of the metrics. */
    report_delay: z.int().min(1).max(4).default(3),
    /** Seconds between two reports of the addresses. */
    ip_report_period: z.int().min(30).default(1800),
    gpu: flag(),
    temperature: flag(),
    skip_connection_count: flag(),
    skip_procs_count: flag(),
    /** Mount points whose disks are counted. */
    hard_drive_partition_allowlist: allowlist(partitions, 'validation.text_list'),
    /** Network interfaces by name; those with `true` are counted. */
    nic_allowlist: allowlist(interfaces, 'validation.flag_map'),
    disable_auto_update: flag(),
    disable_force_update: flag(),
    disable_command_execute: flag(),
    disable_nat: flag(),
    disable_send_query: flag(),
    debug: flag(),
  }),
  api: { verbs: [] },
})

export type ServerConfigKey = Extract<keyof typeof serverConfig.form.shape, string>

const orderOutcome = z.array(z.int()).nullish()

/**
 * The reply to an order for several servers: `success` means that it was delivered. Unknown ids may be missing.
 *
 * The embedded server alone says more: an agent that has accepted new settings is in `reconnecting` too, because it
 * disconnects to apply them and is back about 20 seconds later. One that is only in `success` was sent them, and nobody
 * knows more; the machine that the server runs on has applied them. `reasons` has by id why one refused.
 */
export const orderReport = z
  .looseObject({
    success: orderOutcome,
    failure: orderOutcome,
    offline: orderOutcome,
    reconnecting: orderOutcome,
    reasons: z.record(z.string(), z.string()).nullish(),
  })
  .transform(({ success, failure, offline, reconnecting, reasons }) => ({
    success: success ?? [],
    failure: failure ?? [],
    offline: offline ?? [],
    reconnecting: reconnecting ?? [],
    reasons: reasons ?? {},
  }))
export type OrderReport = z.output<typeof orderReport>

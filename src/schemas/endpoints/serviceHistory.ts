import { z } from 'zod'

/** Milliseconds of the parts of a check, as far as they are known. */
export const checkPhases = z.object({
  name: z.number().optional(),
  connect: z.number().optional(),
  tls: z.number().optional(),
  first_byte: z.number().optional(),
  whole: z.number().optional(),
})
export type CheckPhases = z.output<typeof checkPhases>

/**
 * How far back a history reaches, by its word on the wire. Guests get the shortest only; the longest is for servers that
 * say in `GET /setting` that they keep it (`wheelhouse.history_days`), in averages of a day.
 */
export const historyPeriods = ['1d', '7d', '30d', '365d'] as const
export type HistoryPeriod = (typeof historyPeriods)[number]

/** Days that every history reaches back; one that reaches further is announced. */
export const leastHistoryDays = 31

/**
 * The metrics of a server that have a history (docs/contract/CONTRACT.md#511-services): sizes in bytes, speeds in bytes
 * per second.
 */
export const serverMetrics = [
  'cpu',
  'memory',
  'swap',
  'disk',
  'net_in_speed',
  'net_out_speed',
  'net_in_transfer',
  'net_out_transfer',
  'load1',
  'load5',
  'load15',
  'tcp_conn',
  'udp_conn',
  'process_count',
  'temperature',
  'uptime',
  'gpu',
] as const

const count = () => z.number().default(0)
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

/**
 * `GET /service`, of one service. `current_*`: the latest checks; `total_*`: 30 days, of which `delay` (ms), `up` and
 * `down` hold one number per day, today's last.
 */
const serviceStatistics = z.looseObject({
  service_name: z.string().default(''),
  current_up: count(),
  current_down: count(),
  total_up: count(),
  total_down: count(),
  delay: listOf(z.number()),
  up: listOf(z.number()),
  down: listOf(z.number()),
  /** Embedded server only: servers that may not check this at all, as pings without the permission to send them. */
  not_permitted: z.number().optional(),
  /**
   * Embedded server only: `up`, `degraded` (slow, or down on some servers), `down` or `paused`, by what the servers that check it say now. Others leave it to `current_*`.
   */
  state: z.string().optional(),
  /** Embedded server only: since when it is `down`, RFC 3339. */
  down_since: z.string().optional(),
  /** Embedded server only: why the latest check failed, or could not be made; sent to the owner of the service only. */
  problem: z.string().optional(),
  /** Embedded server only: when the certificate of an https target runs out, RFC 3339. */
  certificate_expires_at: z.string().optional(),
})

/** `GET /service`, of one alert rule that counts traffic by cycle; the maps are by server id. Bytes. */
const cycleTransfer = z.looseObject({
  name: z.string().default(''),
  from: z.string().optional(),
  to: z.string().optional(),
  max: count(),
  min: count(),
  server_name: z.record(z.string(), z.string()).nullish(),
  transfer: z.record(z.string(), z.number()).nullish(),
  next_update: z.record(z.string(), z.string()).nullish(),
})

/** `GET /service`: what visitors see of all services, by id. */
export const serviceOverview = z.looseObject({
  services: z.record(z.string(), serviceStatistics).nullish(),
  cycle_transfer_stats: z.record(z.string(), cycleTransfer).nullish(),
})

/** `GET /service/{id}/history`: a service as each server saw it. `ts` and delays in ms; status 1 is good, 0 bad. */
export const serviceHistory = z.looseObject({
  service_id: z.int(),
  service_name: z.string().default(''),
  /** Embedded server only: how many servers have results, when `servers` has only those that need attention first. */
  servers_total: z.int().optional(),
  servers: listOf(
    z.looseObject({
      server_id: z.int(),
      server_name: z.string().default(''),
      stats: z.looseObject({
        avg_delay: count(),
        up_percent: count(),
        total_up: count(),
        total_down: count(),
        /** Embedded server only: checks that could not be made for want of permission; they are neither up nor down. */
        not_permitted: z.number().optional(),
        data_points: listOf(
          z.looseObject({
            ts: z.number(),
            delay: count(),
            status: count(),
            /**
             * Embedded server only: the mean parts of successful checks (`delay` is the whole); sent to the owner only.
             */
            phases: checkPhases.optional(),
          }),
        ),
      }),
    }),
  ),
})

/** A time in which a service was down, by what all servers that check it said together. Embedded server only. */
export const serviceOutage = z.looseObject({
  id: z.int(),
  /** RFC 3339. */
  started_at: z.string(),
  /** Absent while it lasts. */
  ended_at: z.string().optional(),
  /** Why the check failed that decided; sent to the owner of the service only. */
  problem: z.string().optional(),
  /** The server whose check decided, by its name on that day. */
  server_name: z.string().optional(),
  /** The same as `problem`, as the key of a text and its values (see `POST wheelhouse/checks/try`). */
  reason: z.string().optional(),
  reason_values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** A status code of the protocol, and the beginning of what was answered; sent to the owner only. */
  code: z.int().optional(),
  answer: z.string().optional(),
})

/**
 * `GET /server/{id}/service`: delays (ms) of every service that a server checks; `created_at` holds their moments in
 * ms. When no check was successful, the delay is `null`; real servers say 0, which no answer takes.
 */
export const serverServices = listOf(
  z.looseObject({
    monitor_id: z.int(),
    server_id: z.int(),
    monitor_name: z.string().default(''),
    server_name: z.string().default(''),
    display_index: z.number().default(0),
    created_at: listOf(z.number()),
    avg_delay: listOf(z.number().nullable()),
  }),
)

/** `GET /server/{id}/metrics`: the history of one metric; `ts` in ms. */
export const serverMetricHistory = z.looseObject({
  server_id: z.int(),
  server_name: z.string().default(''),
  metric: z.string(),
  data_points: listOf(z.looseObject({ ts: z.number(), value: count() })),
})

import { z } from 'zod'

/**
 * What an agent reports once about its machine (docs/contract/CONTRACT.md#54-servers): sizes in bytes, `boot_time` in
 * seconds.
 */
export const hostFacts = z.looseObject({
  platform: z.string().optional(),
  platform_version: z.string().optional(),
  cpu: z.array(z.string()).nullish(),
  gpu: z.array(z.string()).nullish(),
  mem_total: z.number().optional(),
  disk_total: z.number().optional(),
  swap_total: z.number().optional(),
  arch: z.string().optional(),
  virtualization: z.string().optional(),
  boot_time: z.number().optional(),
  version: z.string().optional(),
})
export type HostFacts = z.output<typeof hostFacts>

/**
 * What an agent reports every 2 s: `cpu` in percent, sizes in bytes, speeds in bytes/s, `uptime` in s; zeros left out.
 */
export const hostState = z.looseObject({
  cpu: z.number().optional(),
  mem_used: z.number().optional(),
  swap_used: z.number().optional(),
  disk_used: z.number().optional(),
  net_in_transfer: z.number().optional(),
  net_out_transfer: z.number().optional(),
  net_in_speed: z.number().optional(),
  net_out_speed: z.number().optional(),
  uptime: z.number().optional(),
  load_1: z.number().optional(),
  load_5: z.number().optional(),
  load_15: z.number().optional(),
  tcp_conn_count: z.number().optional(),
  udp_conn_count: z.number().optional(),
  process_count: z.number().optional(),
  temperatures: z.array(z.looseObject({ Name: z.string(), Temperature: z.number() })).nullish(),
  gpu: z.array(z.number()).nullish(),
})
export type HostState = z.output<typeof hostState>

/** How many values of a machine's reports were left out, because they cannot be. */
export const leftOut = z.object({
  /** Values that no machine can have, each time that one was reported. */
  values: z.int(),
  /** Counters that fell or leapt while the machine ran. */
  jumps: z.int(),
  /** When the last of them came, RFC 3339. */
  jumped_at: z.string().optional(),
})
export type LeftOut = z.output<typeof leftOut>

/** One server in a frame of `/ws/server`; `public_note` comes in a connection's first frame only. */
export interface LiveServer {
  id: number
  name?: string
  display_index?: number
  public_note?: string
  country_code?: string
  host?: HostFacts
  state?: HostState
  last_active: string
  /** Only from this server, and for those whose list has the server: the addresses of all machines with its uuid. */
  duplicate_uuid?: readonly string[]
  /** Only from this server: the metrics of `state` of which nothing true is known; they are left out, as zeros are. */
  missing?: readonly string[]
}

/**
 * One text frame of `/ws/server`, sent every 2 s (docs/contract/CONTRACT.md#103-wsserver): `now` in ms, `online` counts
 * open sockets.
 */
export interface LiveFrame {
  now: number
  online?: number
  servers?: LiveServer[] | null
}

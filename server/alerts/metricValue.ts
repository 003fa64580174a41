/**
 * What a machine told last, in the words of the wire (docs/contract/CONTRACT.md#54-servers), where a figure that is
 * zero is left out. The machine is online.
 */
export interface Reading {
  state: Figures
  host: { mem_total?: number; swap_total?: number; disk_total?: number }
}

interface Figures {
  cpu?: number
  mem_used?: number
  swap_used?: number
  disk_used?: number
  net_in_transfer?: number
  net_out_transfer?: number
  net_in_speed?: number
  net_out_speed?: number
  uptime?: number
  load_1?: number
  load_5?: number
  load_15?: number
  tcp_conn_count?: number
  udp_conn_count?: number
  process_count?: number
  temperatures?: readonly { Temperature: number }[]
  gpu?: readonly number[]
}

/**
 * The value that a rule of this type looks at (docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning); `undefined`
 * when there is none: a type that nobody knows, a machine without graphics processors or sensors. Cycles are counted
 * elsewhere.
 */
export const figureOf = (type: string, reading: Reading): number | undefined =>
  Object.hasOwn(values, type) ? values[type]?.(reading) : undefined

/** Whether `figureOf` knows the type; rules of others never fail. */
export const isWatched = (type: string): boolean => Object.hasOwn(values, type)

const values: Readonly<Record<string, (reading: Reading) => number | undefined>> = {
  cpu: ({ state }) => state.cpu ?? 0,
  gpu_max: ({ state }) => highest(state.gpu ?? []),
  // A sensor that tells 0 is one that tells nothing.
  temperature_max: ({ state }) =>
    highest((state.temperatures ?? []).map(({ Temperature }) => Temperature).filter((degrees) => degrees !== 0)),
  memory: ({ state, host }) => percent(state.mem_used, host.mem_total),
  swap: ({ state, host }) => percent(state.swap_used, host.swap_total),
  disk: ({ state, host }) => percent(state.disk_used, host.disk_total),
  net_in_speed: ({ state }) => state.net_in_speed ?? 0,
  net_out_speed: ({ state }) => state.net_out_speed ?? 0,
  // Real servers take the outgoing speed twice, by mistake.
  net_all_speed: ({ state }) => (state.net_in_speed ?? 0) + (state.net_out_speed ?? 0),
  transfer_in: ({ state }) => state.net_in_transfer ?? 0,
  transfer_out: ({ state }) => state.net_out_transfer ?? 0,
  transfer_all: ({ state }) => (state.net_in_transfer ?? 0) + (state.net_out_transfer ?? 0),
  load1: ({ state }) => state.load_1 ?? 0,
  load5: ({ state }) => state.load_5 ?? 0,
  load15: ({ state }) => state.load_15 ?? 0,
  tcp_conn_count: ({ state }) => state.tcp_conn_count ?? 0,
  udp_conn_count: ({ state }) => state.udp_conn_count ?? 0,
  process_count: ({ state }) => state.process_count ?? 0,
}

const highest = (all: readonly number[]) =>
  all.length > 0 ? all.reduce((one, other) => Math.max(one, other)) : undefined

const percent = (used = 0, total = 0) => (total > 0 ? (used / total) * 100 : 0)

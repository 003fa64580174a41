import {
  bytes,
  double,
  doubles,
  embedded,
  flag,
  float,
  list,
  type Message,
  message,
  text,
  texts,
  uint64,
} from './protobuf.ts'

/**
 * The messages of the agent's channel, with the field numbers of `docs/contract/agent.proto`
 * (docs/contract/AGENT.md#4-messages).
 */

export const hostMessage = message({
  platform: text(1),
  platform_version: text(2),
  cpu: texts(3),
  mem_total: uint64(4),
  disk_total: uint64(5),
  swap_total: uint64(6),
  arch: text(7),
  virtualization: text(8),
  boot_time: uint64(9),
  version: text(10),
  gpu: texts(11),
})

const sensorMessage = message({ name: text(1), temperature: double(2) })

/** The loads have the names that browsers know. */
export const stateMessage = message({
  cpu: double(1),
  mem_used: uint64(2),
  swap_used: uint64(3),
  disk_used: uint64(4),
  net_in_transfer: uint64(5),
  net_out_transfer: uint64(6),
  net_in_speed: uint64(7),
  net_out_speed: uint64(8),
  uptime: uint64(9),
  load_1: double(10),
  load_5: double(11),
  load_15: double(12),
  tcp_conn_count: uint64(13),
  udp_conn_count: uint64(14),
  process_count: uint64(15),
  temperatures: list(sensorMessage, 16),
  gpu: doubles(17),
})

export const taskMessage = message({ id: uint64(1), type: uint64(2), data: text(3) })

export const taskResultMessage = message({
  id: uint64(1),
  type: uint64(2),
  delay: float(3),
  data: text(4),
  successful: flag(5),
})
export type TaskResult = Message<typeof taskResultMessage>

export const receiptMessage = message({ proced: flag(1) })

export const uint64ReceiptMessage = message({ data: uint64(1) })

export const ioStreamMessage = message({ data: bytes(1) })

const ipMessage = message({ ipv4: text(1), ipv6: text(2) })

export const geoIpMessage = message({
  use6: flag(1),
  ip: embedded(ipMessage, 2),
  country_code: text(3),
  dashboard_boot_time: uint64(4),
})
export type GeoIp = Message<typeof geoIpMessage>

/** The path of a method of the service. */
export const pathOf = (method: string): string => `/proto.NezhaService/${method}`

/** The path of the streams of sessions. */
export const sessionPath = pathOf('IOStream')

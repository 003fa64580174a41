import { join } from 'node:path'
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader'
import { root } from '../root.ts'

/** The messages of the channel as agents send and read them (docs/contract/AGENT.md#4-messages): zero values are left out. */
export interface AgentMessages {
  Host: HostMessage
  State: StateMessage
  Task: TaskMessage
  TaskResult: TaskResultMessage
  Receipt: { proced?: boolean }
  Uint64Receipt: { data?: number }
  IOStreamData: { data?: Uint8Array }
  GeoIP: GeoIpMessage
}

export type MessageName = keyof AgentMessages

export interface HostMessage {
  platform?: string
  platform_version?: string
  cpu?: string[]
  mem_total?: number
  disk_total?: number
  swap_total?: number
  arch?: string
  virtualization?: string
  /** Seconds since 1970. */
  boot_time?: number
  version?: string
  gpu?: string[]
}

export interface StateMessage {
  cpu?: number
  mem_used?: number
  swap_used?: number
  disk_used?: number
  net_in_transfer?: number
  net_out_transfer?: number
  net_in_speed?: number
  net_out_speed?: number
  uptime?: number
  load1?: number
  load5?: number
  load15?: number
  tcp_conn_count?: number
  udp_conn_count?: number
  process_count?: number
  temperatures?: { name?: string; temperature?: number }[]
  gpu?: number[]
}

export interface TaskMessage {
  id?: number
  type?: number
  data?: string
}

export interface TaskResultMessage {
  id?: number
  type?: number
  /** Milliseconds for probes, seconds for commands. */
  delay?: number
  data?: string
  successful?: boolean
}

export interface GeoIpMessage {
  use6?: boolean
  ip?: { ipv4?: string; ipv6?: string }
  country_code?: string
  /** Seconds since 1970. */
  dashboard_boot_time?: number
}

/** What is sent up and down in each call. */
export const rpcs = {
  ReportSystemInfo: { up: 'Host', down: 'Receipt' },
  ReportSystemInfo2: { up: 'Host', down: 'Uint64Receipt' },
  ReportGeoIP: { up: 'GeoIP', down: 'GeoIP' },
  ReportSystemState: { up: 'State', down: 'Receipt' },
  RequestTask: { up: 'TaskResult', down: 'Task' },
  IOStream: { up: 'IOStreamData', down: 'IOStreamData' },
} as const satisfies Record<string, { up: MessageName; down: MessageName }>

export type Rpc = keyof typeof rpcs

/** The path of a call in HTTP/2. */
export const pathOf = (rpc: Rpc) => `/proto.NezhaService/${rpc}`

const loaded = loadSync(join(root, 'docs/contract/agent.proto'), { keepCase: true, longs: Number, arrays: false })
const service = loaded['proto.NezhaService'] as ServiceDefinition

type Codec = { encode(message: object): Buffer; decode(bytes: Buffer): object }
const codecs = new Map<MessageName, Codec>()
for (const [rpc, { up, down }] of Object.entries(rpcs)) {
  const method = service[rpc] as MethodDefinition<object, object>
  codecs.set(up, { encode: method.requestSerialize, decode: method.requestDeserialize })
  codecs.set(down, { encode: method.responseSerialize, decode: method.responseDeserialize })
}

const codecOf = (name: MessageName) => codecs.get(name) as Codec

export function encodeMessage<Name extends MessageName>(name: Name, message: AgentMessages[Name]): Buffer {
  return codecOf(name).encode(withoutZeroes(message) as object)
}

export function decodeMessage<Name extends MessageName>(name: Name, bytes: Uint8Array): AgentMessages[Name] {
  return withoutZeroes(codecOf(name).decode(Buffer.from(bytes))) as AgentMessages[Name]
}

/** Values that are not on the wire: 0, false, '', empty lists. A list keeps its zeroes, and an object in an object stays. */
function withoutZeroes(message: object): object {
  const isZero = (value: unknown) =>
    !value || (Array.isArray(value) && value.length === 0) || (value instanceof Uint8Array && value.length === 0)
  return Object.fromEntries(
    Object.entries(message)
      .filter(([, value]) => !isZero(value))
      .map(([key, value]) => [key, isPlain(value) ? withoutZeroes(value) : value]),
  )
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

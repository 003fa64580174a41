import {
  ChannelCredentials,
  Client,
  type ClientDuplexStream,
  Metadata,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js'
import { type AgentMessages, decodeMessage, encodeMessage, pathOf, type Rpc, rpcs } from './agentMessages.ts'
import type { AgentTrace } from './agentTrace.ts'

export type Up<Name extends Rpc> = AgentMessages[(typeof rpcs)[Name]['up']]
export type Down<Name extends Rpc> = AgentMessages[(typeof rpcs)[Name]['down']]

interface Options {
  /** `host:port`. */
  server: string
  metadata: Record<string, string>
  userAgent: string
  /** Absent: plain. `insecure` accepts any certificate. */
  tls?: { insecure: boolean; ca?: string }
  trace: AgentTrace
}

/** A stream that the agent opened. */
export interface AgentCall<Name extends Rpc> {
  readonly rpc: Name
  /** @returns false when the server reads too slowly; wait for `onDrain` */
  send(message: Up<Name>): boolean
  onMessage(listener: (message: Down<Name>) => void): void
  onDrain(listener: () => void): void
  pause(): void
  resume(): void
  halfClose(): void
  cancel(): void
  /** The status that the server ended it with; 1 after `cancel`. */
  readonly status: Promise<{ code: number; details: string }>
  readonly hasEnded: boolean
}

/** Bytes of a message that an agent takes (docs/contract/AGENT.md#1-transport). */
const mostReceivedBytes = 4_194_304

const same = (bytes: Buffer) => bytes

/** One connection of an agent: every call goes over it. */
export class AgentCalls {
  readonly #client: Client
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
    const { tls } = options
    const credentials = tls
      ? ChannelCredentials.createSsl(tls.ca ? Buffer.from(tls.ca) : null, null, null, {
          rejectUnauthorized: !tls.insecure,
        })
      : ChannelCredentials.createInsecure()
    this.#client = new Client(options.server, credentials, {
      // The library would name the address in the handshake, and Node 26 takes only names there.
      'grpc.ssl_target_name_override': 'localhost',
      'grpc.primary_user_agent': options.userAgent,
      // Otherwise all agents of a process would share one connection.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_receive_message_length': mostReceivedBytes,
      'grpc.max_send_message_length': -1,
      'grpc.enable_retries': 0,
    })
  }

  /** @throws ServiceError with the status of the server */
  unary<Name extends Rpc>(rpc: Name, message: Up<Name>, deadlineMs?: number): Promise<Down<Name>> {
    const { trace } = this.#options
    const call = trace.open(rpc, this.#options.metadata, deadlineMs)
    const bytes = encodeMessage(rpcs[rpc].up, message)
    trace.add({ call, rpc, dir: 'up', type: rpcs[rpc].up, bytes })
    const deadline = deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + deadlineMs
    return new Promise((resolve, reject) => {
      const request = this.#client.makeUnaryRequest(
        pathOf(rpc),
        same,
        same,
        bytes,
        this.#metadata(),
        { deadline },
        (error: ServiceError | null, reply?: Buffer) => {
          if (error || !reply) return reject(error)
          trace.add({ call, rpc, dir: 'down', type: rpcs[rpc].down, bytes: reply })
          resolve(decodeMessage(rpcs[rpc].down, reply) as Down<Name>)
        },
      )
      request.on('status', ({ code, details }) => trace.add({ call, rpc, event: 'status', code, details }))
    })
  }

  stream<Name extends Rpc>(rpc: Name): AgentCall<Name> {
    const { trace } = this.#options
    const call = trace.open(rpc, this.#options.metadata)
    const stream = this.#client.makeBidiStreamRequest(pathOf(rpc), same, same, this.#metadata())
    return callOver(stream, { rpc, call, trace })
  }

  close(): void {
    this.#client.close()
  }

  #metadata(): Metadata {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(this.#options.metadata)) metadata.set(name, value)
    return metadata
  }
}

function callOver<Name extends Rpc>(
  stream: ClientDuplexStream<Buffer, Buffer>,
  { rpc, call, trace }: { rpc: Name; call: number; trace: AgentTrace },
): AgentCall<Name> {
  const { up, down } = rpcs[rpc]
  let hasEnded = false
  let isHalfClosed = false
  const status = new Promise<StatusObject>((resolve) => {
    stream.on('status', (ended: StatusObject) => {
      hasEnded = true
      if (ended.code !== 1) trace.add({ call, rpc, event: 'status', code: ended.code, details: ended.details })
      resolve(ended)
    })
  })
  // The status says the same.
  stream.on('error', () => {})
  return {
    rpc,
    send(message) {
      if (hasEnded || isHalfClosed) return true
      const bytes = encodeMessage(up, message)
      trace.add({ call, rpc, dir: 'up', type: up, bytes })
      return stream.write(bytes)
    },
    onMessage(listener) {
      stream.on('data', (bytes: Buffer) => {
        trace.add({ call, rpc, dir: 'down', type: down, bytes })
        listener(decodeMessage(down, bytes) as Down<Name>)
      })
    },
    onDrain: (listener) => void stream.on('drain', listener),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    halfClose() {
      if (hasEnded || isHalfClosed) return
      isHalfClosed = true
      trace.add({ call, rpc, event: 'agent half-close' })
      stream.end()
    },
    cancel() {
      if (hasEnded) return
      trace.add({ call, rpc, event: 'agent cancel' })
      // What was sent before goes out first.
      setImmediate(() => stream.cancel())
    },
    status,
    get hasEnded() {
      return hasEnded
    },
  }
}

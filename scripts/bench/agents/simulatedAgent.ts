import { connect, type Socket } from 'node:net'
import {
  decodeMessage,
  encodeMessage,
  pathOf,
  type Rpc,
  type TaskMessage,
} from '../../../tests/support/agent/agentMessages.ts'
import { defaultHost, defaultState } from '../../../tests/support/agent/hostReport.ts'
import {
  clientStart,
  createFrameReader,
  type Frame,
  flags,
  frame,
  frameTypes,
  headerBlock,
  messageFrame,
} from '../../../tests/support/agent/http2Frames.ts'

export interface SimulatedOptions {
  port: number
  secret: string
  uuid: string
  /** An address of its own, so that no two machines have the same. */
  ipv4: string
  /** Milliseconds between a receipt and the next report. */
  everyMs: number
  /** Milliseconds before it connects again. */
  reconnectMs: number
  /** @param change 1 with the first receipt of a connection, -1 when that has ended */
  onOnline(change: 1 | -1): void
  /** @param waitedMs from the report to its receipt */
  onReceipt(waitedMs: number): void
  /** A task other than a keepalive. */
  onTask(): void
}

/** The uuid of one of the simulated agents. */
export const simulatedUuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

const noPing = Buffer.alloc(8)
const streams = { info: 1, tasks: 3, states: 5, infoAgain: 7, addresses: 9 } as const

/**
 * An agent that costs so little that thousands fit beside the server that is measured: it writes the bytes of HTTP/2
 * itself. It connects, reports in lock step, asks for a ping after each receipt as the real ones do, and answers tasks;
 * `tests/support/agent/testAgent.ts` is the one that does all that an agent does.
 */
export class SimulatedAgent {
  readonly #options: SimulatedOptions
  readonly #headers: Partial<Record<Rpc, Buffer>> = {}
  #socket: Socket | undefined
  #isOnline = false
  #states = 0
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined
  #partial: Buffer = Buffer.alloc(0)

  constructor(options: SimulatedOptions) {
    this.#options = options
  }

  start(): void {
    const { port, reconnectMs } = this.#options
    this.#partial = Buffer.alloc(0)
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    this.#socket = socket
    let hasSettings = false
    const read = createFrameReader((received) => {
      if (received.type === frameTypes.settings && !(received.flag & flags.ack)) {
        socket.write(frame(frameTypes.settings, flags.ack, 0, Buffer.alloc(0)))
        if (!hasSettings) this.#greet()
        hasSettings = true
      } else if (this.#socket === socket) this.#take(received)
    })
    socket.on('data', read)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(this.#timer)
      if (this.#isOnline) this.#options.onOnline(-1)
      this.#isOnline = false
      this.#timer = setTimeout(() => this.start(), reconnectMs)
    })
    socket.write(clientStart)
  }

  #greet(): void {
    this.#open(streams.info, 'ReportSystemInfo2')
    this.#send(streams.info, encodeMessage('Host', { ...defaultHost(), version: '2.3.3' }), flags.endStream)
  }

  #take({ type, flag, stream, payload }: Frame): void {
    if (type === frameTypes.ping && !(flag & flags.ack)) {
      this.#socket?.write(frame(frameTypes.ping, flags.ack, 0, payload))
    } else if (type === frameTypes.data) {
      if (stream === streams.info) this.#openStreams()
      else if (stream === streams.states) this.#takeReceipt()
      else if (stream === streams.tasks) this.#takeTasks(payload)
    } else if (
      type === frameTypes.goAway ||
      ((stream === streams.tasks || stream === streams.states) &&
        (type === frameTypes.reset || (type === frameTypes.headers && flag & flags.endStream)))
    ) {
      this.#socket?.destroy()
    }
  }

  #openStreams(): void {
    this.#open(streams.tasks, 'RequestTask')
    this.#open(streams.states, 'ReportSystemState')
    this.#report()
  }

  #report(): void {
    this.#sentAt = performance.now()
    this.#send(streams.states, encodeMessage('State', defaultState(this.#states)))
    this.#states += 1
  }

  #takeReceipt(): void {
    const { everyMs, ipv4, onOnline, onReceipt } = this.#options
    onReceipt(performance.now() - this.#sentAt)
    this.#socket?.write(frame(frameTypes.ping, 0, 0, noPing))
    if (!this.#isOnline) {
      this.#isOnline = true
      onOnline(1)
      this.#open(streams.addresses, 'ReportGeoIP')
      this.#send(streams.addresses, encodeMessage('GeoIP', { ip: { ipv4 } }), flags.endStream)
    }
    this.#timer = setTimeout(() => this.#report(), everyMs)
  }

  #takeTasks(payload: Buffer): void {
    this.#partial = this.#partial.length === 0 ? payload : Buffer.concat([this.#partial, payload])
    while (this.#partial.length >= 5) {
      const end = 5 + this.#partial.readUInt32BE(1)
      if (this.#partial.length < end) return
      this.#answer(decodeMessage('Task', this.#partial.subarray(5, end)))
      this.#partial = this.#partial.subarray(end)
    }
  }

  #answer({ id, type }: TaskMessage): void {
    if (type === 7) {
      this.#send(streams.tasks, encodeMessage('TaskResult', { type }))
      return
    }
    this.#options.onTask()
    const delay = 5 + (this.#states % 20)
    this.#send(streams.tasks, encodeMessage('TaskResult', { id, type, delay, successful: true }))
  }

  #open(stream: number, rpc: Rpc): void {
    const { secret, uuid } = this.#options
    this.#headers[rpc] ??= headerBlock({
      ':method': 'POST',
      ':scheme': 'http',
      ':path': pathOf(rpc),
      ':authority': '127.0.0.1',
      'content-type': 'application/grpc',
      'user-agent': 'grpc-go/1.83.0',
      te: 'trailers',
      'client-secret': secret,
      'client-uuid': uuid,
      client_secret: secret,
      client_uuid: uuid,
    })
    this.#socket?.write(frame(frameTypes.headers, flags.endHeaders, stream, this.#headers[rpc]))
  }

  #send(stream: number, message: Uint8Array, flag = 0): void {
    if (this.#socket && !this.#socket.destroyed) this.#socket.write(messageFrame(stream, message, flag))
  }
}

import type { Load } from '../concurrency/load.ts'
import {
  type AgentConnection,
  AgentNotConnected,
  type AgentResult,
  type AgentStream,
  type AgentTask,
  type StreamTaskType,
  streamIdKey,
} from '../machines/hosts/agent/agentConnection.ts'
import { AgentHost, offlineAfterMs } from '../machines/hosts/agent/agentHost.ts'
import type { HostAddresses, HostDetails, HostFacts, HostState } from '../machines/hosts/host.ts'
import { TaskStream } from './agentTasks.ts'
import type { AgentIdentity } from './authenticateAgent.ts'
import { CurrentStream, type OpenStream } from './currentStream.ts'
import type { GrpcCall, GrpcConnection } from './grpc/grpcCall.ts'
import { type GrpcStatus, grpcCodes } from './grpc/grpcStatus.ts'
import { listenToStates } from './grpc/stateReports.ts'
import type { IoStreams } from './ioStreams.ts'

/** What the sessions of all agents have in common. */
export interface SessionShared {
  load: Pick<Load, 'lateMs'>
  /** Milliseconds since 1970. */
  now: () => number
  /** See `Store.whenDurable`. Orders wait for it. */
  whenDurable(act: () => void): void
  ioStreams: IoStreams
  /** A task stream was opened. @returns what is called when it has ended */
  keepAlive(stream: TaskStream): () => void
}

/** Milliseconds for which this server may be late before silence is no longer the fault of agents. */
const mostLateMs = 1000

/**
 * Milliseconds for which the reports of an agent may be missing whose node cannot be reached: it notices that, pauses for
 * ten seconds (docs/contract/AGENT.md#1-transport) and connects to another one.
 */
const movingMs = 13_000

type Facts = { host?: HostDetails; geoip?: HostAddresses }

/** All streams of a uuid since the start of the server, and the machine behind them. */
export class AgentSession implements AgentConnection {
  readonly uuid: string
  readonly host: AgentHost
  /** Whose secret the agent used last. */
  userId: number
  readonly #shared: SessionShared
  readonly #states = new CurrentStream<OpenStream>()
  readonly #tasks = new CurrentStream<TaskStream>()
  /** What each of several machines has reported about itself. */
  readonly #factsOf = new WeakMap<GrpcConnection, Facts>()

  /** @param facts what was known of the machine before */
  constructor({ uuid, userId }: AgentIdentity, facts: HostFacts | undefined, shared: SessionShared) {
    this.uuid = uuid
    this.userId = userId
    this.#shared = shared
    const lateMs = () => shared.load.lateMs() + (this.#states.current()?.call.isLost() ? movingMs : 0)
    this.host = new AgentHost({ connection: this, facts, lateMs })
  }

  receiveHost(call: GrpcCall, host: HostDetails): void {
    this.#receive(call, { host })
  }

  receiveAddresses(call: GrpcCall, geoip: HostAddresses): void {
    this.#receive(call, { geoip })
  }

  openStateStream(call: GrpcCall, address: string): void {
    const { load, now } = this.#shared
    const states = this.#states
    const stream = { call, address }
    if (!states.add(stream, now())) {
      call.end(superseded('state'))
      return
    }
    // The agent has come by another node.
    const lost = states.all().filter((other) => other !== stream && other.call.isLost())
    for (const other of lost) other.call.end()
    // Its sessions came by the same node, and may look alive for as long as that one stands still.
    if (lost.length > 0) this.#shared.ioStreams.endAll(this.uuid)
    let hasWaited = false
    const silence = setTimeout(() => {
      const isMoving = call.isLost() && !hasWaited
      hasWaited = call.isLost()
      // Its report, or its receipt, may wait for its turn here.
      if (isMoving || load.lateMs() > mostLateMs) silence.refresh()
      else call.end(silent('report'))
    }, offlineAfterMs)
    const receiveState = (state: HostState) => {
      silence.refresh()
      const before = states.current()
      const counts = states.used(stream, now())
      if (states.current() !== before) this.#showCurrent()
      if (counts) this.host.receiveState(state, new Date(now()))
    }
    if (call.onState) call.onState(receiveState)
    else {
      listenToStates(call, (state, sendReceipt) => {
        receiveState(state)
        sendReceipt()
      })
    }
    // Agent 2.3 waits ten seconds more when its end is not answered.
    call.onHalfClose(() => call.end())
    call.onClose(() => {
      clearTimeout(silence)
      const hadDuplicates = states.hasDuplicates()
      states.remove(stream)
      if (hadDuplicates) this.#showCurrent()
      if (!states.current()) this.host.disconnected()
    })
  }

  openTaskStream(call: GrpcCall, address: string): void {
    const { now, whenDurable } = this.#shared
    const tasks = this.#tasks
    const onResult = (used: TaskStream) => void tasks.used(used, now())
    const stream = new TaskStream(call, { address, now, onResult, whenDurable })
    if (!tasks.add(stream, now())) {
      call.end(superseded('request task'))
      return
    }
    const forget = this.#shared.keepAlive(stream)
    call.onHalfClose(() => call.end())
    call.onClose(() => {
      forget()
      tasks.remove(stream)
    })
  }

  openIoStream(call: GrpcCall): void {
    this.#shared.ioStreams.accept(this.uuid, call)
  }

  isConnected(): boolean {
    return this.#states.current() !== undefined || this.#tasks.current() !== undefined
  }

  /** Ends all streams. */
  end(status: GrpcStatus): void {
    for (const { call } of [...this.#states.all(), ...this.#tasks.all()]) call.end(status)
    this.#shared.ioStreams.endAll(this.uuid)
  }

  canReceiveTasks(): boolean {
    return !(this.#taskStream() instanceof AgentNotConnected)
  }

  send(task: AgentTask): boolean {
    const stream = this.#taskStream()
    return !(stream instanceof AgentNotConnected) && stream.send(task) !== undefined
  }

  async request(task: AgentTask, options: { timeoutMs: number; signal?: AbortSignal }): Promise<AgentResult> {
    return this.#connectedStream().request(task, options)
  }

  async openStream(type: StreamTaskType, data: object, signal?: AbortSignal): Promise<AgentStream> {
    const stream = this.#connectedStream()
    const ask = (id: string) => stream.send({ type, data: JSON.stringify({ [streamIdKey(type)]: id, ...data }) })
    return this.#shared.ioStreams.open(this.uuid, ask, signal)
  }

  /** @throws AgentNotConnected */
  #connectedStream(): TaskStream {
    const stream = this.#taskStream()
    if (stream instanceof AgentNotConnected) throw stream
    return stream
  }

  /** The task stream of the machine whose reports are shown, or why there is none. */
  #taskStream(): TaskStream | AgentNotConnected {
    const [states, tasks] = [this.#states, this.#tasks]
    const state = states.current()
    if (!state || !states.hasDuplicates()) return tasks.current() ?? new AgentNotConnected('the agent is not connected')
    const sameConnection = tasks.all().find(({ call }) => call.connection === state.call.connection)
    if (sameConnection) return sameConnection
    // Behind a proxy each stream has a connection of its own.
    const sameAddress = tasks.all().filter(({ address }) => address === state.address)
    const [only] = sameAddress
    if (only && sameAddress.length === 1) return only
    return new AgentNotConnected('several machines use the uuid of this server: give each its own')
  }

  #isShown({ connection }: GrpcCall): boolean {
    return !this.#states.hasDuplicates() || this.#states.current()?.call.connection === connection
  }

  #showCurrent(): void {
    const current = this.#states.current()
    const duplicates = this.#states.hasDuplicates() ? this.#states.all().map(({ address }) => address) : undefined
    this.host.replaceFacts({ ...(current && this.#factsOf.get(current.call.connection)), duplicates })
  }

  #receive(call: GrpcCall, facts: Facts): void {
    this.#factsOf.set(call.connection, { ...this.#factsOf.get(call.connection), ...facts })
    if (!this.#isShown(call)) return
    if (facts.host) this.host.receiveHost(facts.host)
    if (facts.geoip) this.host.receiveAddresses(facts.geoip)
  }
}

const superseded = (kind: string) => ({ code: grpcCodes.unknown, details: `${kind} stream superseded` })

/** The status for an agent of which nothing came. */
export const silent = (missing: string) => ({ code: grpcCodes.unknown, details: `no ${missing} for too long` })

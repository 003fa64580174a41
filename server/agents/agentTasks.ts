import {
  AgentGone,
  AgentNotConnected,
  type AgentResult,
  type AgentTask,
  taskTypes,
} from '../machines/hosts/agent/agentConnection.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'
import { type TaskResult, taskMessage, taskResultMessage } from './grpc/nezhaService.ts'
import { type Pace, paceCall } from './grpc/pace.ts'
import { waitForAgent } from './waitForAgent.ts'

interface Order {
  task: { id: number; type: number; data: string }
  /** What it takes while it waits. */
  bytes: number
  /** Whether what it follows from is durable. */
  isDue: boolean
}

interface RequestOptions {
  /** Milliseconds. */
  timeoutMs: number
  signal?: AbortSignal
}

interface PendingRequest {
  type: number
  resolve(result: AgentResult): void
  reject(error: Error): void
}

/** Bytes of a task; agents accept no longer message. */
const maxTaskBytes = 4 * 1024 * 1024 - 64
/** Bytes on their way from which on further orders wait: those cannot be taken back. */
const highWaterMark = 256 * 1024

/** Bytes of a result: agents put the whole output of a command into one. */
const maxResultBytes = 16 * 1024 * 1024

/** Bytes of orders that wait for an agent to read: two of the longest. One that reads nothing is ended beyond them. */
const maxUnsentBytes = 8 * 1024 * 1024
/** What an order takes beside its text. */
const bytesPerOrder = 512

/** Results beyond those that were asked for: of orders of an earlier connection. A long one counts as several. */
const unaskedRate = { burst: 1000, perSecond: 20 }
const bytesPerUnasked = 16 * 1024

/** Orders without a result that are remembered: some kinds are never answered. */
const maxOwed = 10_000

/** Ids are unique over all agents and restarts within a second, so that no late result meets another request. */
let lastId = Date.now() * 1000

interface TaskStreamOptions {
  /** The agent's address. */
  address: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Called with every result that was asked for, and the stream on which it came. */
  onResult(stream: TaskStream): void
  /** See `Store.whenDurable`. */
  whenDurable(act: () => void): void
}

/** One open task stream: tasks go out on it, results come back on it (docs/contract/AGENT.md#6-task-types). */
export class TaskStream {
  readonly call: GrpcCall
  readonly #options: TaskStreamOptions
  /** Those that have not been answered, by their ids. */
  #pending: Map<number, PendingRequest> | undefined
  /** Orders that wait for the agent to read those before. Their requests may end meanwhile. */
  #waiting: Set<Order> | undefined
  #waitingBytes = 0
  /** How many results there may be of orders without an id, by type. */
  #expected: Map<number, number> | undefined
  /** How many orders have no result yet. */
  #owed = 0
  readonly #pace: Pace
  #lastResultAt: number
  #isOpen = true

  constructor(call: GrpcCall, options: TaskStreamOptions) {
    this.call = call
    this.#options = options
    this.#pace = paceCall(call, unaskedRate)
    this.#lastResultAt = options.now()
    call.onClose(() => this.#close())
    call.onMessage((bytes) => this.#receive(bytes), maxResultBytes)
  }

  get address(): string {
    return this.#options.address
  }

  /** Milliseconds since 1970 of the last result that was asked for; an agent answers every keepalive. */
  lastResultAt(): number {
    return this.#lastResultAt
  }

  /** @returns a function that takes it back as long as it has not left; undefined when the stream has ended */
  send(task: AgentTask): (() => void) | undefined {
    const takeBack = this.#send(task, 0)
    if (takeBack) {
      this.#expected ??= new Map()
      this.#expected.set(task.type, (this.#expected.get(task.type) ?? 0) + 1)
    }
    return takeBack
  }

  async request(task: AgentTask, { timeoutMs, signal }: RequestOptions): Promise<AgentResult> {
    signal?.throwIfAborted()
    lastId++
    const id = lastId
    const answer = Promise.withResolvers<AgentResult>()
    const takeBack = this.#send(task, id)
    if (!takeBack) throw new AgentNotConnected('the agent is not connected')
    this.#pending ??= new Map()
    this.#pending.set(id, { type: task.type, resolve: answer.resolve, reject: answer.reject })
    try {
      const timeoutMessage = 'the agent did not answer in time'
      return await waitForAgent(answer.promise, { timeoutMs, timeoutMessage, signal })
    } finally {
      this.#pending.delete(id)
      takeBack()
    }
  }

  #close(): void {
    this.#isOpen = false
    this.#waiting?.clear()
    const gone = () => new AgentGone('the agent disconnected before it answered')
    for (const { reject } of [...(this.#pending?.values() ?? [])]) reject(gone())
  }

  /** @returns whether somebody has asked for it */
  #isAsked({ id, type }: TaskResult): boolean {
    const request = this.#pending?.get(id)
    if (request) return request.type === type
    const left = this.#expected?.get(type) ?? 0
    if (id !== 0 || left === 0) return false
    this.#expected?.set(type, left - 1)
    return true
  }

  #receive(bytes: Uint8Array): void {
    // As many results as orders, and a few more: what nobody asked for must not take the time of others.
    if (this.#owed > 0) this.#owed--
    else if (!this.#pace.take(1 + bytes.length / bytesPerUnasked)) return
    const result = taskResultMessage.decode(bytes)
    // One that nobody asked for, or that comes too late, is no sign of life either.
    if (!this.#isAsked(result)) return
    this.#lastResultAt = this.#options.now()
    this.#options.onResult(this)
    const { id, delay, data, successful } = result
    this.#pending?.get(id)?.resolve({ delay, data, successful })
  }

  #sendWaiting(): void {
    for (const order of this.#waiting ?? []) {
      if (!order.isDue || this.call.pendingBytes() >= highWaterMark) return
      this.#dropWaiting(order)
      if (!this.call.send(taskMessage.encode(order.task))) return
    }
  }

  #dropWaiting(order: Order): boolean {
    if (!this.#waiting?.delete(order)) return false
    this.#waitingBytes -= order.bytes
    return true
  }

  #send({ type, data = '' }: AgentTask, id: number): (() => void) | undefined {
    if (!this.#isOpen) return undefined
    const order = { task: { id, type, data }, bytes: Buffer.byteLength(data) + bytesPerOrder, isDue: false }
    if (order.bytes - bytesPerOrder > maxTaskBytes) throw new Error('an agent accepts at most 4 MiB at once')
    if (this.call.pendingBytes() + this.#waitingBytes + order.bytes > maxUnsentBytes) {
      this.call.end(unread)
      return undefined
    }
    this.#owed = Math.min(maxOwed, this.#owed + 1)
    if (!this.#waiting) {
      this.#waiting = new Set()
      this.call.onDrain(() => this.#sendWaiting())
    }
    this.#waiting.add(order)
    this.#waitingBytes += order.bytes
    const becomesDue = () => {
      order.isDue = true
      this.#sendWaiting()
    }
    // A sign of life orders nothing.
    if (type === taskTypes.keepalive) becomesDue()
    else this.#options.whenDurable(becomesDue)
    return () => {
      if (this.#dropWaiting(order)) this.#owed--
    }
  }
}

/** A task that only keeps the connection alive: agents before 2.3 reconnect when none comes for 30 seconds. */
export const keepaliveTask: AgentTask = { type: taskTypes.keepalive }

const unread = {
  code: grpcCodes.resourceExhausted,
  details: `this agent has not read ${maxUnsentBytes / 1024 / 1024} MiB of orders`,
}

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
import { paceCall } from './grpc/pace.ts'
import { waitForAgent } from './waitForAgent.ts'

interface Order {
  task: { id: number; type: number; data: string }
  /** What it takes while it waits. */
  bytes: number
  /** Whether what it follows from is durable. */
  isDue: boolean
}

interface PendingRequest {
  type: number
  resolve(result: AgentResult): void
  reject(error: Error): void
}

/** One open task stream: tasks go out on it, results come back on it (docs/contract/AGENT.md#6-task-types). */
export interface TaskStream {
  readonly call: GrpcCall
  /** The agent's address. */
  readonly address: string
  /** Milliseconds since 1970 of the last result that was asked for; an agent answers every keepalive. */
  lastResultAt(): number
  /** @returns a function that takes it back as long as it has not left; undefined when the stream has ended */
  send(task: AgentTask): (() => void) | undefined
  request(task: AgentTask, options: { timeoutMs: number; signal?: AbortSignal }): Promise<AgentResult>
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
  address: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Called with every result that was asked for. */
  onResult(): void
  /** See `Store.whenDurable`. */
  whenDurable(act: () => void): void
}

export function createTaskStream(
  call: GrpcCall,
  { address, now, onResult, whenDurable }: TaskStreamOptions,
): TaskStream {
  const pending = new Map<number, PendingRequest>()
  /** Orders that wait for the agent to read those before. Their requests may end meanwhile. */
  const waiting = new Set<Order>()
  let waitingBytes = 0
  /** How many results there may be of orders without an id, by type. */
  const expected = new Map<number, number>()
  /** How many orders have no result yet. */
  let owed = 0
  const pace = paceCall(call, unaskedRate)
  let lastResultAt = now()
  let isOpen = true

  call.onClose(() => {
    isOpen = false
    waiting.clear()
    for (const { reject } of [...pending.values()]) reject(new AgentGone('the agent disconnected before it answered'))
  })

  /** @returns whether somebody has asked for it */
  function isAsked({ id, type }: TaskResult): boolean {
    if (pending.has(id)) return pending.get(id)?.type === type
    const left = expected.get(type) ?? 0
    if (id !== 0 || left === 0) return false
    expected.set(type, left - 1)
    return true
  }

  call.onMessage((bytes) => {
    // As many results as orders, and a few more: what nobody asked for must not take the time of others.
    if (owed > 0) owed--
    else if (!pace.take(1 + bytes.length / bytesPerUnasked)) return
    const result = taskResultMessage.decode(bytes)
    // One that nobody asked for, or that comes too late, is no sign of life either.
    if (!isAsked(result)) return
    lastResultAt = now()
    onResult()
    const { id, delay, data, successful } = result
    pending.get(id)?.resolve({ delay, data, successful })
  }, maxResultBytes)

  call.onDrain(sendWaiting)

  function sendWaiting(): void {
    for (const order of waiting) {
      if (!order.isDue || call.pendingBytes() >= highWaterMark) return
      dropWaiting(order)
      if (!call.send(taskMessage.encode(order.task))) return
    }
  }

  function dropWaiting(order: Order): boolean {
    if (!waiting.delete(order)) return false
    waitingBytes -= order.bytes
    return true
  }

  function send({ type, data = '' }: AgentTask, id: number): (() => void) | undefined {
    if (!isOpen) return undefined
    const order = { task: { id, type, data }, bytes: Buffer.byteLength(data) + bytesPerOrder, isDue: false }
    if (order.bytes - bytesPerOrder > maxTaskBytes) throw new Error('an agent accepts at most 4 MiB at once')
    if (call.pendingBytes() + waitingBytes + order.bytes > maxUnsentBytes) {
      call.end(unread)
      return undefined
    }
    owed = Math.min(maxOwed, owed + 1)
    waiting.add(order)
    waitingBytes += order.bytes
    const becomesDue = () => {
      order.isDue = true
      sendWaiting()
    }
    // A sign of life orders nothing.
    if (type === taskTypes.keepalive) becomesDue()
    else whenDurable(becomesDue)
    return () => {
      if (dropWaiting(order)) owed--
    }
  }

  return {
    call,
    address,
    lastResultAt: () => lastResultAt,
    send(task) {
      const takeBack = send(task, 0)
      if (takeBack) expected.set(task.type, (expected.get(task.type) ?? 0) + 1)
      return takeBack
    },
    async request(task, { timeoutMs, signal }) {
      signal?.throwIfAborted()
      lastId++
      const id = lastId
      const answer = Promise.withResolvers<AgentResult>()
      const takeBack = send(task, id)
      if (!takeBack) throw new AgentNotConnected('the agent is not connected')
      pending.set(id, { type: task.type, resolve: answer.resolve, reject: answer.reject })
      try {
        const timeoutMessage = 'the agent did not answer in time'
        return await waitForAgent(answer.promise, { timeoutMs, timeoutMessage, signal })
      } finally {
        pending.delete(id)
        takeBack()
      }
    },
  }
}

/** A task that only keeps the connection alive: agents before 2.3 reconnect when none comes for 30 seconds. */
export const keepaliveTask: AgentTask = { type: taskTypes.keepalive }

const unread = {
  code: grpcCodes.resourceExhausted,
  details: `this agent has not read ${maxUnsentBytes / 1024 / 1024} MiB of orders`,
}

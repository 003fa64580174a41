import {
  AgentGone,
  AgentNotConnected,
  type AgentResult,
  type AgentTask,
  taskTypes,
} from '../machines/hosts/agent/agentConnection.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { type TaskResult, taskMessage, taskResultMessage } from './grpc/nezhaService.ts'
import { waitForAgent } from './waitForAgent.ts'

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
  /** Milliseconds since 1970 of the last result; an agent answers every keepalive. */
  lastResultAt(): number
  send(task: AgentTask): boolean
  request(task: AgentTask, options: { timeoutMs: number; signal?: AbortSignal }): Promise<AgentResult>
}

/** Bytes of a task; agents accept no longer message. */
const maxTaskBytes = 4 * 1024 * 1024 - 64

/** Ids are unique over all agents and restarts within a second, so that no late result meets another request. */
let lastId = Date.now() * 1000

interface TaskStreamOptions {
  address: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Called with every result, also with one that nobody waits for. */
  onResult(): void
}

export function createTaskStream(call: GrpcCall, { address, now, onResult }: TaskStreamOptions): TaskStream {
  const pending = new Map<number, PendingRequest>()
  let lastResultAt = now()
  let isOpen = true

  call.onClose(() => {
    isOpen = false
    for (const { reject } of [...pending.values()]) reject(new AgentGone('the agent disconnected before it answered'))
  })

  function receive({ id, type, delay, data, successful }: TaskResult): void {
    lastResultAt = now()
    onResult()
    const request = pending.get(id)
    // A result that nobody asked for, or that comes too late, is ignored.
    if (request?.type === type) request.resolve({ delay, data, successful })
  }

  call.onMessage((bytes) => receive(taskResultMessage.decode(bytes)))

  function send({ type, data = '' }: AgentTask, id: number): boolean {
    if (!isOpen) return false
    const bytes = taskMessage.encode({ id, type, data })
    if (bytes.length > maxTaskBytes) throw new Error('an agent accepts at most 4 MiB at once')
    call.send(bytes)
    return true
  }

  return {
    call,
    address,
    lastResultAt: () => lastResultAt,
    send: (task) => send(task, 0),
    async request(task, { timeoutMs, signal }) {
      signal?.throwIfAborted()
      lastId++
      const id = lastId
      const answer = Promise.withResolvers<AgentResult>()
      pending.set(id, { type: task.type, resolve: answer.resolve, reject: answer.reject })
      try {
        if (!send(task, id)) throw new AgentNotConnected('the agent is not connected')
        const timeoutMessage = 'the agent did not answer in time'
        return await waitForAgent(answer.promise, { timeoutMs, timeoutMessage, signal })
      } finally {
        pending.delete(id)
      }
    },
  }
}

/** A task that only keeps the connection alive: agents before 2.3 reconnect when none comes for 30 seconds. */
export const keepaliveTask: AgentTask = { type: taskTypes.keepalive }

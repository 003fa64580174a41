import { z } from 'zod'
import { errorMessage } from '../../../../src/domain/errors.ts'
import { type HostOperations, OperationError } from '../operations.ts'
import { type AgentConnection, AgentGone, AgentTimeout, taskTypes } from './agentConnection.ts'
import type { AgentStreams } from './agentStreams.ts'
import { downloadByAgent, uploadByAgent } from './agentTransfer.ts'
import { isOlderThan } from './agentVersion.ts'

/** Milliseconds in which an agent answers; a program gets its own time besides. */
const answerMs = 30_000
const execGraceMs = 5000
/** Older agents do not know these tasks, and never answer. */
const firstWithOperations = '2.1.0'

/** `omittable` is left out by agents when it is zero, empty or false. */
const execReply = z.object({
  exit_code: z.int(),
  stdout: z.string().default(''),
  stderr: z.string().default(''),
  duration_ms: z.int().default(0),
  stdout_truncated: z.boolean().optional(),
  stderr_truncated: z.boolean().optional(),
  timed_out: z.boolean().optional(),
  error: z.string().optional(),
})
const entry = z.object({
  name: z.string(),
  type: z.string(),
  size: z.int(),
  mode: z.string(),
  mtime: z.int(),
  is_symlink: z.boolean().optional(),
  link_target: z.string().optional(),
})
const listReply = z.object({
  // A list without entries is null in the language of the agent.
  entries: z.array(entry).nullish(),
  truncated: z.boolean().optional(),
  total: z.int().optional(),
})
const readReply = z.object({
  content: z.string(),
  encoding: z.string(),
  size: z.int(),
  sha256: z.string().optional(),
  truncated: z.boolean().optional(),
})
const writeReply = z.object({ size: z.int(), sha256: z.string() })
const removeReply = z.object({ deleted_count: z.int() })
const refusal = z.object({ error: z.string().min(1) })

interface Options {
  connection: AgentConnection
  streams: AgentStreams
  /** Of the agent. */
  version: () => string
}

/** The programs and files behind an agent. */
export function createAgentOperations({ connection, streams, version }: Options): HostOperations {
  /** @throws OperationError */
  async function ask(type: number, order: object, timeoutMs: number, signal: AbortSignal): Promise<unknown> {
    requireVersion(version())
    try {
      const { data } = await connection.request({ type, data: JSON.stringify(order) }, { timeoutMs, signal })
      return parsed(data)
    } catch (error) {
      throw operationError(error, signal)
    }
  }

  async function askFiles<T>(type: number, order: object, reply: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const answer = await ask(type, order, answerMs, signal)
    const refused = refusal.safeParse(answer)
    if (refused.success) throw new OperationError('refused', refused.data.error)
    return understood(reply, answer)
  }

  return {
    async exec(order, signal) {
      const timeoutMs = order.timeout_seconds * 1000 + execGraceMs
      return understood(execReply, await ask(taskTypes.exec, order, timeoutMs, signal))
    },
    async list(order, signal) {
      const { entries, ...rest } = await askFiles(taskTypes.listFolder, order, listReply, signal)
      return { entries: entries ?? [], ...rest }
    },
    read: (order, signal) => askFiles(taskTypes.readFile, order, readReply, signal),
    write: (order, signal) => askFiles(taskTypes.writeFile, order, writeReply, signal),
    remove: (order, signal) => askFiles(taskTypes.deleteFile, order, removeReply, signal),
    async download(path, signal) {
      requireVersion(version())
      return downloadByAgent(streams, path, signal)
    },
    async upload(order, content, signal) {
      requireVersion(version())
      // A stream without data would never be complete.
      if (order.size === 0) return this.write({ ...order, content: '' }, signal)
      return uploadByAgent(streams, order, content, signal)
    },
  }
}

/** @throws OperationError when the agent does not know these tasks; one without a version counts as old */
export function requireVersion(version: string): void {
  if (version === '' || isOlderThan(version, firstWithOperations)) {
    throw new OperationError('unsupported', 'agent does not support this MCP capability; please upgrade the agent')
  }
}

/** What went wrong with a task; what is not about the agent stays as it is. */
export function operationError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof AgentTimeout) return new OperationError('timeout', 'agent did not respond within timeout', error)
  if (error instanceof AgentGone) return new OperationError('offline', 'agent offline', error)
  if (error instanceof OperationError) return error
  return new OperationError('refused', errorMessage(error), error)
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (error) {
    // An agent that could not read the order says so in words.
    throw new OperationError('refused', data.slice(0, maxReasonLength) || 'the agent sent no answer', error)
  }
}

/** Characters of a reason that is no JSON. */
const maxReasonLength = 512

function understood<T>(schema: z.ZodType<T>, answer: unknown): T {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  throw new OperationError('refused', 'the agent sent an answer of an unknown shape', result.error)
}

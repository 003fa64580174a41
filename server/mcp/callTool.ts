import { includesScope } from '../../src/schemas/define/access.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { askSafely } from '../concurrency/askSafely.ts'
import type { Log } from '../log.ts'
import { OperationError, type OperationFailure } from '../machines/hosts/operations.ts'
import { untilAborted } from '../outbound/untilAborted.ts'
import {
  type CallContext,
  type Caller,
  cancelledFailure,
  denied,
  type Outcome,
  type Tool,
  ToolFailure,
} from './tools/tool.ts'

/** The `result` of a call (docs/contract/MCP.md#4-tool-results). */
export interface ToolResult {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: { [key: string]: unknown }
  isError?: true
}

export interface CallServices {
  audit: AuditLog
  log: Pick<Log, 'error'>
  running: RunningCalls
  /** Whether the token, and what its owner needs to use it, still count. */
  isAlive(caller: Pick<Caller, 'person'>): boolean
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Calls a tool, and records it; failures are results too. @param ended aborted when the client has disconnected */
export async function callTool(
  tool: Tool,
  args: unknown,
  caller: Caller,
  { audit, log, running, isAlive, now }: CallServices,
  ended?: AbortSignal,
): Promise<ToolResult> {
  const began = now()
  let target: string | undefined
  const detail: Record<string, string | number | boolean> = {}
  const problems: (() => ToolFailure | undefined)[] = [
    () => (isAlive(caller) ? undefined : cancelledFailure()),
    () => (ended?.aborted ? cancelledFailure() : undefined),
  ]
  const problem = () => problems.map((find) => find()).find((failure) => failure !== undefined)

  async function run(): Promise<object> {
    const { person } = caller
    if (tool.scope && !includesScope(person.token.scopes, tool.scope)) {
      throw new ToolFailure('scope_denied', `missing required scope: ${tool.scope}`)
    }
    return running.run(person, problem, (signal) => {
      const context: CallContext = {
        caller,
        signal,
        note({ target: noted, ...more }) {
          target = noted ?? target
          for (const [name, value] of Object.entries(more)) if (value !== undefined) detail[name] = value
        },
        endWhen: (isOver) => void problems.push(() => (isOver() ? denied() : undefined)),
      }
      return untilAborted(tool.call(args, context), signal)
    })
  }

  function record(outcome: Outcome, failure?: ToolFailure): void {
    const { person, address } = caller
    const more = { outcome, ms: now() - began, ...(failure && { error: failure.message.slice(0, maxErrorLength) }) }
    audit.write({
      action: `mcp.${tool.name}`,
      person,
      address,
      ...(target && { target }),
      detail: { ...detail, ...more },
    })
  }

  try {
    const result = await run()
    record('ok')
    return success(result)
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) log.error(`The MCP tool ${tool.name} failed:`, error)
    const reported = failure ?? new ToolFailure('agent_error', 'internal server error: the log says more')
    record(reported.outcome, reported)
    return failed(reported)
  }
}

/** Characters of an error in the audit log. */
const maxErrorLength = 512

const outcomes: Readonly<Record<OperationFailure, Outcome>> = {
  refused: 'agent_error',
  timeout: 'agent_timeout',
  offline: 'server_offline',
  unsupported: 'unsupported_agent',
}

/** `undefined` for a fault of this server. */
function toFailure(error: unknown): ToolFailure | undefined {
  if (error instanceof ToolFailure) return error
  if (error instanceof OperationError) return new ToolFailure(outcomes[error.failure], error.message)
  const hasTimedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return hasTimedOut ? new ToolFailure('agent_timeout', 'agent did not respond within timeout') : undefined
}

const success = (result: object): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result as { [key: string]: unknown },
})

const failed = ({ message, structured }: ToolFailure): ToolResult => ({
  content: [{ type: 'text', text: message }],
  ...(structured && { structuredContent: structured as { [key: string]: unknown } }),
  isError: true,
})

/**
 * Calls of tools that run at the same time: a program may run for five minutes, and each holds an answer in memory. One
 * person, who may have a hundred tokens, leaves three quarters of them to others.
 */
const maxRunning = { perToken: 8, perPerson: 16, total: 64 }
/** Milliseconds between two looks whether the running calls are still allowed. */
const watchMs = 250

/** The calls under way, and what ends them early. */
interface RunningCalls {
  /**
   * Runs a call, which has to end with its signal. A call counts for its token and for the owner of that.
   * @param problem why it must not begin or go on; asked again while it runs
   * @throws ToolFailure of `problem`, or when too many run
   */
  run<T>(
    person: CallingPerson,
    problem: () => ToolFailure | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Ends all running calls. */
  stop(failure: ToolFailure): void
}

type CallingPerson = Caller['person']

interface RunningCall {
  person: CallingPerson
  problem: () => ToolFailure | undefined
  controller: AbortController
}

export function createRunningCalls(log: Pick<Log, 'error'>): RunningCalls {
  const running = new Set<RunningCall>()
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    for (const { problem, controller } of [...running]) {
      const text = 'Whether a call of a tool may go on could not be found out; it was ended:'
      const failure = askSafely(problem, { fallback: cancelledFailure(), log, failure: text })
      if (failure) controller.abort(failure)
    }
  }

  function refuseBeyondLimits({ id, token }: CallingPerson): void {
    const own = [...running].filter(({ person }) => person.id === id)
    const ofToken = own.filter(({ person }) => person.token.id === token.id)
    if (ofToken.length >= maxRunning.perToken) throw tooMany('of this token', maxRunning.perToken)
    if (own.length >= maxRunning.perPerson) throw tooMany('of one person', maxRunning.perPerson)
    if (running.size >= maxRunning.total) throw tooMany('in all', maxRunning.total)
  }

  return {
    async run(person, problem, work) {
      const failure = problem()
      if (failure) throw failure
      refuseBeyondLimits(person)
      const call: RunningCall = { person, problem, controller: new AbortController() }
      running.add(call)
      timer ??= setInterval(check, watchMs).unref()
      try {
        return await work(call.controller.signal)
      } finally {
        running.delete(call)
        if (running.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    stop(failure) {
      for (const { controller } of [...running]) controller.abort(failure)
    },
  }
}

const tooMany = (whose: string, limit: number) =>
  new ToolFailure('too_many', `too many calls are running: at most ${limit} ${whose} at the same time; try again later`)

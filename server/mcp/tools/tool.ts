import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '../../../src/schemas/define/access.ts'
import { fieldsIn, type Values } from '../../../src/schemas/define/values.ts'
import type { ServerRow } from '../../entities/entityTable.ts'
import { may, mayReach, type Person, type TokenRights } from '../../person.ts'
import { ApiError } from '../../wire/apiCall.ts'
import type { ValueOf, WireType } from '../../wire/parseJson.ts'
import { readParsedFields } from '../../wire/readFields.ts'

/** Parts of the JSON Schemas of results. */
export const integer = { type: 'integer' }
export const text = { type: 'string' }
export const flag = { type: 'boolean' }
export const moment = { type: 'string', format: 'date-time' }
export const anyObject = { type: 'object' }
export const array = (items: Values) => ({ type: 'array', items })
export const object = (
  properties: Readonly<Record<string, Values>>,
  required: readonly string[] = [],
): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** An argument: its type on the wire, which is enforced, and its JSON Schema, which only tells clients what makes sense. */
interface Argument {
  type: WireType
  schema: Values
}

export type ArgumentTypes = Readonly<Record<string, Argument>>

/** The arguments of a tool; one that was not given is `undefined`, or nothing (0, '' or false) when it was null. */
type ArgumentsOf<Types extends ArgumentTypes> = { [Name in keyof Types]?: ValueOf<Types[Name]['type']> }

/** What an argument can be. */
export const argument = {
  id: { type: { kind: 'uint64' }, schema: { type: 'integer' } },
  text: { type: { kind: 'string' }, schema: { type: 'string' } },
  flag: { type: { kind: 'bool' }, schema: { type: 'boolean' } },
  ids: { type: { kind: 'list', of: { kind: 'uint64' } }, schema: { type: 'array', items: { type: 'integer' } } },
  texts: { type: { kind: 'list', of: { kind: 'string' } }, schema: { type: 'array', items: { type: 'string' } } },
  textByName: { type: { kind: 'map', key: 'string', of: { kind: 'string' } }, schema: { type: 'object' } },
  encoding: { type: { kind: 'string' }, schema: { type: 'string', enum: ['utf8', 'base64'] } },
  integer: (bounds: { minimum?: number; maximum?: number } = {}) =>
    ({ type: { kind: 'int' }, schema: { type: 'integer', ...bounds } }) as const,
} as const

/**
 * Reads the arguments of a call; a call without any is the same as one with `{}`, and unknown ones are ignored.
 * @throws ToolFailure in the words of the contract
 */
function readArguments<const Types extends ArgumentTypes>(given: unknown, input: Types): ArgumentsOf<Types> {
  const types = Object.fromEntries(Object.entries(input).map(([name, { type }]) => [name, type]))
  try {
    return readParsedFields(given ?? {}, 'Arguments', types) as ArgumentsOf<Types>
  } catch (error) {
    if (error instanceof ApiError) throw badArgument(`invalid arguments: ${error.message}`)
    throw error
  }
}

/** The owner of a token, and the request in whose name a tool is called. */
export interface Caller {
  person: Person & { token: TokenRights }
  /** The client's address; '' when addresses are not known. */
  address: string
  request: FastifyRequest
}

/** JSON Schema of an object, as `tools/list` shows it: without `default` and `additionalProperties`. */
interface ObjectSchema {
  [key: string]: unknown
  type: 'object'
  properties: Readonly<Record<string, Values>>
  required?: readonly string[]
}

/** What a call may do beside its work. */
export interface CallContext {
  caller: Caller
  /** Aborted when the call has to end. */
  signal: AbortSignal
  /** Adds to the line of the audit log. Never content. */
  note(detail: { target?: string; [name: string]: string | number | boolean | undefined }): void
  /** Ends the call as soon as `problem` returns true; it is asked again and again while the call runs. */
  endWhen(problem: () => boolean): void
}

/** One tool (docs/contract/MCP.md#5-tools). */
export interface Tool {
  name: string
  description: string
  /** What the token needs; absent: nothing. */
  scope?: TokenScope
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  /** @throws ToolFailure, OperationError, or what is a fault of the server */
  call(args: unknown, context: CallContext): Promise<object>
}

interface ToolOptions<Types extends ArgumentTypes> extends Omit<Tool, 'call' | 'inputSchema'> {
  /** The arguments by name. */
  input: Types
  required?: readonly (keyof Types & string)[]
  run(args: ArgumentsOf<Types>, context: CallContext): object | Promise<object>
}

/** How a call ended, as the audit log has it (docs/contract/MCP.md#7-audit). */
export type Outcome =
  | 'ok'
  | 'scope_denied'
  | 'permission_denied'
  | 'server_offline'
  | 'agent_timeout'
  | 'agent_error'
  | 'mcp_disabled'
  | 'invalid_args'
  | 'unsupported_agent'
  | 'cancelled'
  | 'too_many'

/** A call that failed; its message is the answer (docs/contract/MCP.md#4-tool-results). */
export class ToolFailure extends Error {
  readonly outcome: Outcome
  readonly structured: object | undefined

  constructor(outcome: Outcome, message: string, structured?: object) {
    super(message)
    this.outcome = outcome
    this.structured = structured
  }
}

export const denied = () => new ToolFailure('permission_denied', 'permission denied')
export const offline = () => new ToolFailure('server_offline', 'agent offline')
export const badArgument = (message: string) => new ToolFailure('invalid_args', message)
export const switchedOffMessage = 'MCP is disabled by the dashboard administrator'
export const switchedOffFailure = () => new ToolFailure('mcp_disabled', switchedOffMessage)
/** The token was deleted or has expired. */
export const cancelledFailure = () => new ToolFailure('cancelled', 'context canceled')

/** A tool of its declaration. */
export function defineTool<const Types extends ArgumentTypes>(options: ToolOptions<Types>): Tool {
  const { name, description, scope, input, required = [], outputSchema, run } = options
  const properties = Object.fromEntries(Object.entries(input).map(([key, { schema }]) => [key, schema]))
  return {
    name,
    description,
    ...(scope && { scope }),
    outputSchema,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    async call(given, context) {
      return run(readArguments(given, input), context)
    },
  }
}

/** The rows of servers, and who may do what with them. */
export interface ServerRows {
  get(id: number): ServerRow | undefined
}

type WithServer<Types extends ArgumentTypes> = Types & { server_id: typeof argument.id }

interface ServerToolOptions<Types extends ArgumentTypes> extends Omit<ToolOptions<WithServer<Types>>, 'input' | 'run'> {
  input: Types
  /** Whether the owner of the token may use it. Default: those may who may act on the server. */
  mayUse?: (context: CallContext, row: ServerRow) => boolean
  /** What is wrong with the arguments whatever server they are for. @throws ToolFailure */
  checkFirst?: (args: ArgumentsOf<WithServer<Types>>) => void
  run(args: ArgumentsOf<WithServer<Types>>, context: CallContext & { row: ServerRow }): object | Promise<object>
}

/**
 * A tool for one server, with the checks in the order of the contract (docs/contract/MCP.md#4-tool-results). A call ends
 * when its server gets another owner, or the person loses the right.
 */
export function serverTool<const Types extends ArgumentTypes>(
  servers: ServerRows,
  { input, required = [], mayUse, checkFirst, run, ...tool }: ServerToolOptions<Types>,
): Tool {
  return defineTool<WithServer<Types>>({
    ...tool,
    input: { server_id: argument.id, ...input },
    required: ['server_id', ...required.filter((name) => name !== 'server_id')],
    run(args, context) {
      checkFirst?.(args)
      const { server_id: id } = fieldsIn(args)
      if (typeof id !== 'number' || id === 0) throw badArgument('server_id required')
      const { person } = context.caller
      if (!mayReach(person, [id])) throw denied()
      const row = servers.get(id)
      if (!row) throw offline()
      const isAllowed = (now: ServerRow) => mayUse?.(context, now) ?? may(person, 'act', now, [id])
      if (!isAllowed(row)) throw denied()
      context.note({ target: `server ${id}` })
      context.endWhen(() => {
        const now = servers.get(id)
        return now?.user_id !== row.user_id || !isAllowed(now)
      })
      return run(args, { ...context, row })
    },
  })
}

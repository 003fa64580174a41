import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '../../../src/schemas/define/access.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { Person, TokenRights } from '../../person.ts'
import type { ArgumentsOf, ArgumentTypes } from './readArguments.ts'

/** The owner of a token, and the request in whose name a tool is called. */
export interface Caller {
  person: Person & { token: TokenRights }
  /** The client's address; '' when addresses are not known. */
  address: string
  request: FastifyRequest
}

/** JSON Schema of an object, as `tools/list` shows it: without `default` and `additionalProperties`. */
export interface ObjectSchema {
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

export interface ToolOptions<Types extends ArgumentTypes> extends Omit<Tool, 'call' | 'inputSchema'> {
  /** The arguments by name. */
  input: Types
  required?: readonly (keyof Types & string)[]
  run(args: ArgumentsOf<Types>, context: CallContext): object | Promise<object>
}

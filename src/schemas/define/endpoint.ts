import { z } from 'zod'
import type { Rule, TokenScope } from './access.ts'
import type { Effect } from './effects.ts'

const KiB = 1024

/**
 * How many bytes of a request's body the embedded server reads (docs/decisions/limits.md). What a form may hold has to
 * fit, in any script: a character takes up to three bytes.
 */
export const bodyLimits = {
  /** Calls without a body, and the sign-in, which anybody can send. */
  small: 4 * KiB,
  /** The reply of a passkey: its id alone may have 1 KiB, and stands in it twice. */
  passkey: 16 * KiB,
  /** Forms, and lists of ids. */
  form: 256 * KiB,
  /** Forms with texts that people write or paste, or with several lists of ids. */
  largeForm: 1024 * KiB,
  /** The settings of the site with their custom code. */
  customCode: 4 * 1024 * KiB,
  /** A message of the Model Context Protocol: the content of a file may be in it (docs/contract/MCP.md#2-order-of-the-checks). */
  mcp: 8 * 1024 * KiB,
  /** What a configuration file changes, with the values from before: as long as a file may be, four times. */
  configuration: 16 * 1024 * KiB,
  /** One part of a file that is imported. */
  importPart: 1024 * KiB,
} as const

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * A call outside CRUD, typed for both ends: the console's `call` takes `InputOf` and resolves with `ReplyOf`; the
 * server's `route` hands its handler `ParamsOf`, `QueryOf` and `BodyOf`, and sends `ReplyDataOf`.
 */
export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  method: Method
  /** Below `/api/v1/`, without a query. `:id` stands for a number, any other `:name` for a text. */
  path: Path
  /** What stands in the path. */
  params?: z.ZodType
  query?: Query
  body?: Body
  reply?: Reply
  /** Media types of what it sends in place of an envelope when it succeeds: a download. */
  sends?: readonly string[]
  access: Rule
  /** Bytes of the body that the embedded server reads. */
  bodyLimit: number
  /** The verb of servers before v2.1.0, tried once when the newer one answers 404. */
  older?: Method
  /** What it can lead to: the embedded server asks again before it who is at the keyboard. Default: nothing of these. */
  leadsTo?: Effect
  /** Whether it works for people who have to set up a second factor first. */
  beforeSetup?: boolean
  /**
   * What an API token needs for it, all of them. Without any, tokens are refused; where everybody may call, they are not
   * looked at.
   */
  scopes?: readonly TokenScope[]
  /** Whether it keeps to the servers of a token that is limited to some. Without it, such tokens are refused. */
  keepsToServers?: boolean
  /** Whether it makes a record: the console sends it again with the same id as long as it had no answer. */
  makesRecord?: boolean
  /** The path at which the records are made that it changes or deletes, where its own begins with another name. */
  changes?: string
}

interface EndpointOptions<Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType> {
  /** An object schema: one field for each name of the query. */
  query?: Query
  /** What travels as JSON. A GET has none. */
  body?: Body
  /** The envelope's `data`. Left out: the reply has none. */
  reply?: Reply
  sends?: readonly string[]
  /** Default: any signed-in person. */
  access?: Rule
  /** Bytes; one of `bodyLimits`. Default: those of a form, where there is a body. */
  bodyLimit?: number
  older?: Method
  leadsTo?: Effect
  beforeSetup?: boolean
  scopes?: readonly TokenScope[]
  keepsToServers?: boolean
  makesRecord?: boolean
  changes?: string
}

/** Declares one endpoint. @example endpoint('POST', 'cron/:id/manual', { older: 'GET' }) */
export function endpoint<
  const Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Reply extends z.ZodType = z.ZodUndefined,
>(method: Method, path: Path, options: EndpointOptions<Query, Body, Reply> = {}): Endpoint<Path, Query, Body, Reply> {
  const bodyLimit = options.body ? bodyLimits.form : bodyLimits.small
  return { method, path, params: paramsSchema(path), access: 'user', bodyLimit, ...options }
}

function paramsSchema(path: string): z.ZodType | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  const schemas = names.map((name) => [name, name === 'id' ? z.int() : z.string().min(1)])
  return names.length === 0 ? undefined : z.object(Object.fromEntries(schemas))
}

/** The names of a path's parameters: `'id'` of `cron/:id/manual`. */
type ParamName<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? ParamName<First> | ParamName<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

/** The parameters of a path: `{ id: number }` of `cron/:id/manual`, `{ provider: string }` of `oauth2/:provider`. */
type PathParams<Path extends string> = { [Name in ParamName<Path>]: Name extends 'id' ? number : string }

/** What one schema adds to the input of a call. */
type Part<Schema extends z.ZodType> = Schema extends z.ZodUndefined ? unknown : z.input<Schema>

type Input<Path extends string, Query extends z.ZodType, Body extends z.ZodType> = Part<Query> &
  Part<Body> &
  ([ParamName<Path>] extends [never] ? unknown : PathParams<Path>)

/**
 * What the console gives to `call`: parameters, query and body in one object; a body that is a list stands alone.
 * `unknown` for an endpoint of which only the interface is known.
 */
export type InputOf<E> =
  E extends Endpoint<infer Path, infer Query, infer Body>
    ? string extends Path
      ? unknown
      : unknown extends Input<Path, Query, Body>
        ? undefined
        : Input<Path, Query, Body>
    : never

/** What `call` resolves with. */
export type ReplyOf<E> = E extends Endpoint<string, z.ZodType, z.ZodType, infer Reply> ? z.output<Reply> : never

/** What a handler of the server finds in `request.params`. */
export type ParamsOf<E> = E extends Endpoint<infer Path> ? PathParams<Path> : never

/** What a handler finds in `request.query`: texts as they were sent, '' for what was left out. */
export type QueryOf<E> = E extends Endpoint<string, infer Query> ? { [Name in keyof z.output<Query>]: string } : never

/** What a handler finds in `request.body`. */
export type BodyOf<E> = E extends Endpoint<string, z.ZodType, infer Body> ? z.output<Body> : never

/** What a handler gives back: the reply's `data` before the console has filled in defaults. */
export type ReplyDataOf<E> = E extends Endpoint<string, z.ZodType, z.ZodType, infer Reply> ? z.input<Reply> : never

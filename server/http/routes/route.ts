import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { z } from 'zod'
import type { Rule } from '../../../src/schemas/define/access.ts'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyDataOf } from '../../../src/schemas/define/endpoint.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { success } from '../../wire/apiCall.ts'
import { readPathId } from '../../wire/readFields.ts'
import { describeCall } from './openapi.ts'

/** A request whose parameters, query and body have the types of the endpoint. */
export type RequestOf<E extends Endpoint> = FastifyRequest<{
  Params: ParamsOf<E>
  Querystring: QueryOf<E>
  Body: BodyOf<E>
}>

type Handler<E extends Endpoint> = [ReplyDataOf<E>] extends [undefined]
  ? (request: RequestOf<E>, reply: FastifyReply) => void | Promise<void>
  : (request: RequestOf<E>, reply: FastifyReply) => ReplyDataOf<E> | Promise<ReplyDataOf<E> | FastifyReply>

/** Reads the text of a body. @throws ApiError in the contract's words */
type BodyReader<E extends Endpoint> = (text: unknown) => BodyOf<E>

/**
 * Registers the handler of a call outside CRUD on its declaration: path, verb and access come from there, and the
 * types of what the handler gets and gives back. What it gives back travels as `data`, unless it has sent the reply
 * itself; to refuse, it throws an ApiError.
 * @param called the endpoint's name in `endpoints`; of what the audit log records, with its action
 * @param rest the handler; before it, where the endpoint has a body, the reader of that body
 *
 * @example route(app, { name: 'runCron', audit: 'cron.run' }, endpoints.runCron, ({ params }) => tasks.run(params.id))
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  called: string | { name: string; audit: string },
  endpoint: E,
  ...rest: BodyOf<E> extends undefined ? [handler: Handler<E>] : [readBody: BodyReader<E>, handler: Handler<E>]
): void {
  const handler = rest.at(-1) as Handler<E>
  const readBody = rest.length === 2 ? (rest[0] as BodyReader<E>) : undefined
  const { name, audit } = typeof called === 'string' ? { name: called } : called
  app.route({
    method: endpoint.method,
    url: `/api/v1/${endpoint.path}`,
    bodyLimit: endpoint.bodyLimit,
    // What sends the answer itself, as a download that works once, is not done for nobody.
    ...(!endpoint.reply && { exposeHeadRoute: false }),
    config: { describe: () => describeCall(name, endpoint), ...(audit && { auditAction: audit }) },
    onRequest: app.guard(endpoint.access, endpoint),
    handler: async (request, reply) => {
      request.params = readParams(request.params)
      request.query = firstValues(endpoint, request.query)
      if (readBody) request.body = readBody(request.body)
      const data = await handler(request as RequestOf<E>, reply)
      // One that was sent and whose reader left in the middle does not count as sent.
      return reply.sent || reply.raw.headersSent ? reply : success(data)
    },
  })
}

/** @throws ApiError when the id is not a number */
function readParams(params: unknown): Record<string, number | string> {
  const texts = params as Record<string, string>
  return texts.id === undefined ? texts : { ...texts, id: readPathId(texts.id) }
}

/** The texts of the names that the endpoint declares. Of a name that was given twice, the first one counts. */
function firstValues({ query }: Endpoint, given: unknown): Record<string, string> {
  if (!query) return {}
  const values = given as Record<string, string | string[] | undefined>
  const names = Object.keys((query as z.ZodObject).shape)
  return Object.fromEntries(names.map((name) => [name, [values[name] ?? ''].flat()[0] ?? '']))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `<area>.<verb>`, as `user.delete`: the action under which the audit log records a request of this route, once
     * it was answered with success. Routes without it are not recorded.
     */
    auditAction?: string
  }
  interface FastifyRequest {
    /** What the handler adds to the line in the audit log; see `addAuditDetails`. */
    auditDetails?: AuditDetails
  }
}

interface AuditDetails {
  /** What it was done to: `server 1`, `user 7`, a path. */
  target?: string
  /** Numbers and outcomes by name. */
  detail?: Readonly<Record<string, string | number | boolean>>
}

/** Adds to the line that the audit log gets for this request. Never content or secrets. */
export function addAuditDetails(request: FastifyRequest, { detail = {}, ...details }: AuditDetails): void {
  request.auditDetails = { ...request.auditDetails, ...details, ...(Object.keys(detail).length > 0 && { detail }) }
}

/** More than these are counted: a line has to stay a line. */
const namedAtMost = 20

/** Records or addresses as the target of an action: `user 7, 9`. Nothing for none. */
export function auditTarget(kind: string, values: readonly (number | string)[]): string | undefined {
  if (values.length === 0) return undefined
  const more = values.length - namedAtMost
  const named = values.slice(0, namedAtMost).map((value) => String(value).slice(0, 64))
  return `${kind} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Characters of all names together. */
const maxNameLength = 128

/**
 * The names of records as a detail of an action, so that they can be read after the records were renamed or deleted;
 * nothing for none.
 * @param nameOf called for the records that are named. Default: the values are names
 */
export function auditNames<T>(values: readonly T[], nameOf: (value: T) => unknown = (name) => name): { name?: string } {
  const name = values.slice(0, namedAtMost).map(nameOf).join(', ').slice(0, maxNameLength)
  return name ? { name } : {}
}

/**
 * Makes the `onRequest` hook that refuses a request or sets `request.person`. Public routes take an invalid session
 * for none; the others answer `ApiErrorUnauthorized`, require the CSRF header on every call but GET, and refuse
 * members with `permission denied`. An API token needs the scopes of the route, and no CSRF header. It runs before the
 * body is read, so that bodies of unknown clients are not.
 */
export type Guard = (rule: Rule, options?: GuardOptions) => onRequestAsyncHookHandler

/**
 * See `Endpoint`: before what people prove again who they are, what works before a required second factor is set up, and which
 * API tokens may call.
 */
export type GuardOptions = Pick<Endpoint, 'leadsTo' | 'beforeSetup' | 'scopes' | 'keepsToServers'>

declare module 'fastify' {
  interface FastifyInstance {
    guard: Guard
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entity whose list the route is. */
    listedEntity?: Entity
  }
}

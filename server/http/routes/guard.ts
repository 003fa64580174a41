import type { onRequestAsyncHookHandler } from 'fastify'
import type { Rule } from '../../../src/schemas/define/access.ts'
import type { Endpoint } from '../../../src/schemas/define/endpoint.ts'

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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../src/schemas/endpoints/index.ts'
import { deedOf } from '../../audit/recordRequests.ts'
import type { Guard } from '../../auth/guard.ts'
import { success } from '../../wire/envelope.ts'
import { schemaOf } from './openapi.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * Registers the handler of a call outside CRUD on its declaration: path, verb and access come from there. What the
 * handler gives back travels as `data`; to refuse, it throws an ApiError.
 * @param name the endpoint's name in `endpoints`
 */
export function handle(app: FastifyInstance, guard: Guard, name: string, endpoint: Endpoint, handler: Handler): void {
  app.route({
    method: endpoint.method,
    url: `/api/v1/${endpoint.path}`,
    schema: schemaOf(name, endpoint),
    ...deedOf(name),
    onRequest: guard(endpoint.access),
    handler: async (request, reply) => {
      const data = await handler(request, reply)
      return reply.sent ? reply : success(data)
    },
  })
}

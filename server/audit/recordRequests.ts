import type { FastifyInstance } from 'fastify'
import type {} from '../http/routes/auditAction.ts'
import type { AuditLog } from './auditLog.ts'

/**
 * Writes a line for each request that was answered with success on a route with an `auditAction`, and for the first of
 * several uses of an API token from one address.
 */
export function recordRequests(app: FastifyInstance, audit: AuditLog): void {
  app.addHook('preHandler', async ({ isNewTokenAddress, person, address }) => {
    if (!isNewTokenAddress) return
    audit.write({ action: 'api-token.use', person, address, target: `api-token ${person?.token?.id}` })
  })
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { auditAction: action } = request.routeOptions.config
    if (action && isSuccess(payload)) {
      const { person, address, auditDetails } = request
      audit.write({ action, person, address, ...auditDetails })
    }
    return payload
  })
}

const isSuccess = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && (payload as { success?: unknown }).success === true

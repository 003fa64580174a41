import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fieldsIn } from '../../src/schemas/define/values.ts'
import type { EntityHooks } from '../api/entityHooks.ts'

import { type AuditLog, openAuditLog } from './auditLog.ts'

/** The audit log, page by page. Nobody can change it. */
const auditHooks = (audit: AuditLog): EntityHooks => ({
  pagedRows: {
    async page(offset, limit, _context, filter) {
      const { rows, total } = await audit.read(offset, Math.min(limit, maxPageSize), filter)
      return { rows: rows.map((row) => ({ ...row })), total }
    },
  },
})

const maxPageSize = 1000

/**
 * Writes a line for each request that was answered with success on a route with an `auditAction`, and for the first of
 * several uses of an API token from one address.
 */
function recordRequests(app: FastifyInstance, audit: AuditLog): void {
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

const isSuccess = (payload: unknown) => fieldsIn(payload).success === true

declare module 'fastify' {
  interface FastifyInstance {
    audit: AuditLog
  }
}

interface AuditOptions {
  /** Default: in memory. */
  audit?: AuditLog
}

/** The audit log: what is written into it by itself, and its list for administrators. */
export const auditPlugin = fp(
  async (app: FastifyInstance, { audit = openAuditLog() }: AuditOptions) => {
    app.decorate('audit', audit)
    recordRequests(app, audit)
    app.entityHooks.set('audit', auditHooks(audit))
  },
  { name: 'audit', dependencies: ['entity-hooks'] },
)

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { auditHooks } from './auditHooks.ts'
import { type Audit, openAudit } from './auditLog.ts'
import { recordRequests } from './recordRequests.ts'

declare module 'fastify' {
  interface FastifyInstance {
    audit: Audit
  }
}

interface AuditOptions {
  /** Default: in memory. */
  audit?: Audit
}

/** The audit log: what is written into it by itself, and its list for administrators. */
export const auditPlugin = fp(
  async (app: FastifyInstance, { audit = openAudit() }: AuditOptions) => {
    app.decorate('audit', audit)
    recordRequests(app, audit)
    app.entityHooks.set('audit', auditHooks(audit))
  },
  { name: 'audit', dependencies: ['entity-hooks'] },
)

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { auditHooks } from './auditHooks.ts'
import { type AuditLog, openAuditLog } from './auditLog.ts'
import { recordRequests } from './recordRequests.ts'

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

import type { EntityHooks } from '../api/entityHooks.ts'
import type { AuditLog } from './auditLog.ts'

/** The audit log, page by page. Nobody can change it. */
export const auditHooks = (audit: AuditLog): EntityHooks => ({
  pagedRows: {
    async page(offset, limit, _context, filter) {
      const { rows, total } = await audit.read(offset, Math.min(limit, maxPageSize), filter)
      return { rows: rows.map((row) => ({ ...row })), total }
    },
  },
})

const maxPageSize = 1000

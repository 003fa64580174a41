import type { Behaviour } from '../api/entityHooks.ts'
import type { Audit } from './auditLog.ts'

/** What was written down, for administrators to read; nobody can change it from here. */
export const auditBehaviour = (audit: Audit): Behaviour => ({
  window: {
    async page(offset, limit) {
      const { rows, total } = await audit.read(offset, Math.min(limit, mostAtOnce))
      return { rows: rows.map((row) => ({ ...row })), total }
    },
  },
})

/** Lines of one page: what a screen can show, and a server holds without noticing. */
const mostAtOnce = 1000

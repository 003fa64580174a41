import { column } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { filterByRecord } from '../../engine/define/filter.ts'
import { audit } from '../../schemas/audit.ts'
import { AuditAddress, AuditDetail, AuditTime, AuditUser } from './auditCells.tsx'
import { AuditAction, AuditTarget } from './auditTarget.tsx'

export default defineResource(audit, {
  file: async () => (await import('./auditFile.ts')).auditFile,
  filters: [filterByRecord('user_id', 'user'), 'action', 'target', 'address', 'at'],
  columns: [
    column('at', AuditTime),
    column('username', AuditUser),
    column('action', AuditAction),
    column('target', AuditTarget),
    column('address', AuditAddress),
    column('detail', AuditDetail),
  ],
})

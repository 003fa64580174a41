import { AuditAction, AuditAddress, AuditDetail, AuditTime, AuditUser } from '../custom/cells/auditCells.tsx'
import { audit } from '../schemas/audit.ts'
import { column, defineResource } from './engine/define/defineResource.ts'

export default defineResource(audit, {
  path: 'settings/audit',
  menu: { tabOf: 'settings' },
  nameField: 'action',
  columns: [
    column('at', AuditTime),
    column('username', AuditUser),
    column('action', AuditAction),
    'target',
    column('address', AuditAddress),
    column('detail', AuditDetail),
  ],
})

import { defineResource, filterByRecord } from '../../engine/define/defineResource.ts'
import { audit } from '../../schemas/audit.ts'
import { columns } from './columns.tsx'

export default defineResource(audit, {
  columns,
  card: { beside: [], metrics: ['at', 'username', 'address'], below: ['target'] },
  filters: [filterByRecord('user_id', 'user'), 'action', 'target', 'address', 'at'],
})

import { notificationGroup } from '../schemas/notificationGroup.ts'
import { defineResource } from './engine/define/defineResource.ts'
import { warning } from './engine/define/formNote.ts'

export default defineResource(notificationGroup, {
  menu: { tabOf: 'server-group' },
  columns: ['id', 'name', 'notifications'],
  filters: ['name', 'notifications'],
  notes: [warning('no_notifiers', ({ notifications }) => !(notifications as unknown[] | null)?.length)],
})

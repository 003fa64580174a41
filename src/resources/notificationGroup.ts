import { notificationGroup } from '../schemas/notificationGroup.ts'
import { defineResource } from './engine/define/defineResource.ts'

export default defineResource(notificationGroup, {
  menu: { tabOf: 'server-group' },
  columns: ['id', 'name', 'notifications'],
  filters: ['name', 'notifications'],
})

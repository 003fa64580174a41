import { action } from '../../engine/define/action.ts'
import { defineResource, filterByRecord } from '../../engine/define/defineResource.ts'
import { delivery } from '../../schemas/delivery.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { columns } from './columns.tsx'

export default defineResource(delivery, {
  columns,
  card: { beside: ['state'], metrics: ['at', 'notification_group_name'], below: ['message'] },
  filters: [
    'state',
    'event',
    filterByRecord('notification_id', 'notification'),
    filterByRecord('notification_group_id', 'notification-group'),
    'at',
  ],
  rowActions: [
    action('send_again', endpoints.sendAgain, {
      announced: 'webhooks',
      when: ({ webhook_id }) => Boolean(webhook_id),
    }),
  ],
})

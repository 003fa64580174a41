import { action } from '../../engine/define/action.ts'
import { column } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { filterByRecord } from '../../engine/define/filter.ts'
import { delivery } from '../../schemas/delivery.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { DeliveryEvent, deliveryEventText } from '../notification-group/eventCells.tsx'
import { DeliveryMessage, DeliveryReply, DeliveryState, deliveryReplyText } from './deliveryCells.tsx'

export default defineResource(delivery, {
  file: async () => (await import('./deliveryFile.ts')).deliveryFile,
  filters: [
    'state',
    'event',
    filterByRecord('notification_id', 'notification'),
    filterByRecord('notification_group_id', 'notification-group'),
    'at',
  ],
  columns: [
    'at',
    'notification_name',
    'notification_group_name',
    column('event', DeliveryEvent, { text: deliveryEventText }),
    column('message', DeliveryMessage),
    column('state', DeliveryState),
    column('reply', DeliveryReply, { text: deliveryReplyText }),
    column('tries', undefined, { align: 'end', width: 80 }),
    column('duration', undefined, { align: 'end', width: 110 }),
  ],
  rowActions: [
    action('send_again', endpoints.sendAgain, {
      announced: 'webhooks',
      when: ({ webhook_id }) => Boolean(webhook_id),
    }),
  ],
})

import { DeliveryMessage, DeliveryReply, DeliveryState, deliveryReplyText } from '../custom/cells/deliveryCells.tsx'
import { delivery } from '../schemas/delivery.ts'
import { column, defineResource } from './engine/define/defineResource.ts'

export default defineResource(delivery, {
  menu: { tabOf: 'notification' },
  nameField: 'notification_name',
  columns: [
    'at',
    'notification_name',
    'notification_group_name',
    column('message', DeliveryMessage),
    column('state', DeliveryState),
    column('reply', DeliveryReply, { text: deliveryReplyText }),
    column('tries', undefined, { align: 'end', width: 80 }),
    column('duration', undefined, { align: 'end', width: 110 }),
  ],
})

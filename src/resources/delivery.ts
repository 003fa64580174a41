import { DeliveryState } from '../custom/cells/DeliveryState.tsx'
import { delivery } from '../schemas/delivery.ts'
import { column, defineResource } from './engine/defineResource.ts'

export default defineResource(delivery, {
  menu: { tabOf: 'notification' },
  nameField: 'message',
  columns: [
    'at',
    'notification_name',
    'notification_group_name',
    'message',
    column('state', DeliveryState),
    column('code', undefined, { align: 'end', width: 80 }),
    'reply',
    column('tries', undefined, { align: 'end', width: 80 }),
    column('duration', undefined, { align: 'end', width: 110 }),
  ],
})

import type { delivery as entity } from '../../src/schemas/delivery.ts'
import type { EntityTexts } from '../types.ts'

/** The delivery history of the embedded server. */
export const delivery = {
  name: 'Delivery |||| Deliveries',
  counted: '%{smart_count} delivery |||| %{smart_count} deliveries',
  empty: 'How every notice went at every notifier is written down here.',
  fields: {
    id: 'ID',
    created_at: 'Time',
    updated_at: 'Time',
    at: 'Time',
    notification_id: 'Notifier ID',
    notification_name: 'Notifier',
    notification_group_id: 'Group ID',
    notification_group_name: 'Group',
    message: 'Message',
    state: 'Result',
    code: 'Status',
    reply: 'Reply',
    tries: 'Tries',
    duration: 'Took (ms)',
    count: 'Notices',
  },
  choices: {
    state: { sent: 'Sent', failed: 'Failed', dropped: 'Dropped', stopped: 'Interrupted' },
  },
} satisfies EntityTexts<typeof entity>

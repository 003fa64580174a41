import type { audit as entity } from '../../src/schemas/audit.ts'
import type { EntityTexts } from '../types.ts'

/** The audit log of the embedded server. */
export const audit = {
  name: 'Audit log |||| Audit log',
  counted: '%{smart_count} entry of the audit log |||| %{smart_count} entries of the audit log',
  empty: 'What people did is written down here: sign-ins, terminals, files, users, tasks, settings and other changes.',
  fields: {
    id: 'ID',
    created_at: 'Time',
    updated_at: 'Time',
    at: 'Time',
    action: 'What was done',
    user_id: 'User ID',
    username: 'Who',
    address: 'IP',
    target: 'On what',
    detail: 'Details',
    unreadable: 'Line that cannot be read',
  },
  values: { unreadable: 'Line that cannot be read: %{text}' },
} satisfies EntityTexts<typeof entity>

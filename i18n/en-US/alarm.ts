import type { alarm as entity } from '../../src/schemas/alarm.ts'
import type { EntityTexts } from '../types.ts'

/** The alarm history of the embedded server. */
export const alarm = {
  name: 'Alarm |||| Alarms',
  counted: '%{smart_count} alarm |||| %{smart_count} alarms',
  empty: 'Whenever an alert rule fires, it is written down here: on which server, on what value, and for how long.',
  fields: {
    id: 'ID',
    created_at: 'Time',
    updated_at: 'Time',
    rule_id: 'Rule ID',
    rule_name: 'Rule',
    server_id: 'Server ID',
    server_name: 'Server',
    causes: 'Cause',
    started_at: 'Started',
    ended_at: 'Status',
    withdrawn: 'Withdrawn',
    notified: 'Notified',
  },
  columns: { rule: 'Rule', duration: 'Duration' },
} satisfies EntityTexts<typeof entity>

import { AlarmCauses, AlarmDuration, AlarmRule, AlarmServer, AlarmState } from '../custom/cells/lazyCells.tsx'
import { alarm } from '../schemas/alarm.ts'
import { column, defineResource, derived } from './engine/define/defineResource.ts'

export default defineResource(alarm, {
  menu: { tabOf: 'notification' },
  nameField: 'rule_name',
  columns: [
    column('ended_at', AlarmState, { width: 130 }),
    'started_at',
    derived('duration', AlarmDuration, { width: 130 }),
    derived('rule', AlarmRule, { text: ({ rule_name }) => String(rule_name ?? '') }),
    column('server_name', AlarmServer),
    column('causes', AlarmCauses),
    column('notified', undefined, { width: 110 }),
  ],
})

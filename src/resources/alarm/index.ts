import { dialog } from '../../engine/define/action.ts'
import { column, derived } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { filterByRecord, filterByState } from '../../engine/define/filter.ts'
import { alarm, stateOfAlarm } from '../../schemas/alarm.ts'
import { AlarmCauses, AlarmDuration, AlarmNotified, AlarmRule, AlarmServer, AlarmState } from './alarmCells.tsx'
import { alarmStateWords } from './alarmStates.ts'

export default defineResource(alarm, {
  file: async () => (await import('./alarmFile.ts')).alarmFile,
  filters: [
    filterByState('state', alarmStateWords),
    filterByRecord('rule_id', 'alert-rule'),
    filterByRecord('server_id', 'server'),
    'started_at',
  ],
  rowActions: [
    dialog('mute', () => import('../mute/MuteDialog.tsx'), {
      ...{ access: 'user', announced: 'maintenance' },
      when: (alarm) => stateOfAlarm(alarm) === 'running',
    }),
  ],
  columns: [
    column('ended_at', AlarmState, { width: 130 }),
    'started_at',
    derived('duration', AlarmDuration, { width: 130 }),
    derived('rule', AlarmRule),
    column('server_name', AlarmServer),
    column('causes', AlarmCauses),
    column('notified', AlarmNotified, { width: 130 }),
  ],
})

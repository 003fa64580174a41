import { dialog } from '../../engine/define/action.ts'
import { defineResource, filterByRecord, filterByState } from '../../engine/define/defineResource.ts'
import { alarm } from '../../schemas/alarm.ts'
import { alarmStateWords, columns } from './columns.tsx'

export default defineResource(alarm, {
  filters: [
    filterByState('state', alarmStateWords),
    filterByRecord('rule_id', 'alert-rule'),
    filterByRecord('server_id', 'server'),
    'started_at',
  ],
  rowActions: [
    dialog('snapshot', async () => ({ default: (await import('../server/inspect/SnapshotView.tsx')).SnapshotDialog }), {
      access: 'user',
      announced: 'inspect',
      // The server says that there is one to those alone who may read it.
      right: 'see',
      when: ({ snapshot }) => snapshot === true,
    }),
    dialog('mute', async () => ({ default: (await import('../mute/MuteDialog.tsx')).MuteDialog }), {
      access: 'user',
      announced: 'maintenance',
      right: 'act',
      when: ({ ended_at }) => ended_at === undefined,
    }),
  ],
  columns,
  card: { beside: ['ended_at'], metrics: ['started_at', 'duration'], below: ['server_name', 'causes'] },
})

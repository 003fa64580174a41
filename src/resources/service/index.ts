import { ServiceId } from '../../components/cells/idCells.tsx'
import { dialog } from '../../engine/define/action.ts'
import { column, derived } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { filterByState } from '../../engine/define/filter.ts'
import { warning } from '../../engine/define/formNote.ts'
import { field, section } from '../../engine/define/section.ts'
import { isEmptyGroup } from '../../schemas/notificationGroup.ts'
import { service } from '../../schemas/service.ts'
import ServiceStatus from './ServiceStatus.tsx'
import {
  matchesServiceState,
  serviceStateSortValue,
  serviceStatesSnapshot,
  serviceStateWords,
} from './serviceStates.ts'

export default defineResource(service, {
  order: 'display_index',
  file: async () => (await import('./serviceFile.ts')).serviceFile,
  columns: [
    column('id', ServiceId, { width: 64 }),
    'name',
    derived('status', ServiceStatus, { sortValue: serviceStateSortValue }),
    'type',
    'target',
    column('duration', undefined, { align: 'end' }),
    'cover',
    'skip_servers',
    'notification_group_id',
    'notify',
    'latency_notify',
    'enable_trigger_task',
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'hide_for_guest',
  ],
  filters: [
    'name',
    filterByState('status', serviceStateWords, matchesServiceState),
    'target',
    'type',
    'cover',
    'notification_group_id',
    'notify',
    'enable_trigger_task',
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'hide_for_guest',
  ],
  snapshot: serviceStatesSnapshot,
  form: [
    'name',
    'type',
    field('target', () => import('./ServiceTargetInput.tsx')),
    'duration',
    section('servers', ['cover', 'skip_servers']),
    section('notifications', ['notification_group_id', 'notify', 'latency_notify', 'min_latency', 'max_latency']),
    section('tasks', ['enable_trigger_task', 'fail_trigger_tasks', 'recover_trigger_tasks']),
    section('visibility', ['hide_for_guest', 'display_index']),
  ],
  notes: [
    warning('notifications_off', ({ notification_group_id, notify }) => Boolean(notification_group_id) && !notify),
    warning(
      'no_group',
      ({ notification_group_id, notify, latency_notify }) =>
        !notification_group_id && (notify === true || latency_notify === true),
    ),
    warning('empty_group', isEmptyGroup, { related: 'notification-group' }),
  ],
  rowActions: [
    dialog('mute', () => import('../mute/MuteDialog.tsx'), {
      access: 'user',
      announced: 'maintenance',
      address: 'mute',
    }),
    'edit',
    'delete',
  ],
})

import { ServiceChartsDialog } from '../custom/actions/lazyDialogs.ts'
import { ServiceId } from '../custom/cells/idCells.tsx'
import { ServiceStatus } from '../custom/cells/lazyCells.tsx'
import { ServiceTargetInput } from '../custom/inputs/lazyInputs.ts'
import { service } from '../schemas/service.ts'
import { column, defineResource, derived, dialog, field, section } from './engine/define/defineResource.ts'

export default defineResource(service, {
  columns: [
    column('id', ServiceId, { width: 64 }),
    'name',
    derived('status', ServiceStatus, { sortValue: false }),
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
  form: [
    'name',
    'type',
    field('target', { Input: ServiceTargetInput }),
    'duration',
    section('servers', ['cover', 'skip_servers']),
    section('notices', ['notification_group_id', 'notify', 'latency_notify', 'min_latency', 'max_latency']),
    section('tasks', ['enable_trigger_task', 'fail_trigger_tasks', 'recover_trigger_tasks']),
    section('visibility', ['hide_for_guest', 'display_index']),
  ],
  rowActions: [dialog('charts', ServiceChartsDialog, { access: 'user' }), 'edit', 'delete'],
})

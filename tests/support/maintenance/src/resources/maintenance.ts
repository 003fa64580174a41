import { action, column, defineResource, section } from '../../../../../src/resources/engine/define/defineResource.ts'
import { Minutes } from '../custom/cells/Minutes.tsx'
import { endpoints } from '../schemas/endpoints/index.ts'
import { maintenance } from '../schemas/maintenance.ts'

export default defineResource(maintenance, {
  columns: [
    'id',
    'name',
    'servers',
    'repeat',
    'starts_at',
    column('duration', Minutes, { align: 'end' }),
    'mute_alerts',
    'last_started_at',
  ],
  filters: ['name', 'servers', 'repeat', 'mute_alerts'],
  form: [
    'name',
    'servers',
    section('window', ['repeat', 'starts_at', 'duration']),
    'mute_alerts',
    'notification_group_id',
    'note',
  ],
  rowActions: [action('start', endpoints.startMaintenance, { confirm: true }), 'edit', 'delete'],
})

import { action } from '../../../../../../src/engine/define/action.ts'
import { column, defineResource } from '../../../../../../src/engine/define/defineResource.ts'
import { section } from '../../../../../../src/engine/define/form.ts'
import { drill } from '../../schemas/drill.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { Minutes } from './Minutes.tsx'

export default defineResource(drill, {
  columns: [
    'id',
    'name',
    'servers',
    'repeat',
    'starts_at',
    column('duration', { Cell: Minutes, align: 'end' }),
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
  rowActions: [action('start', endpoints.startDrill, { confirm: true }), 'edit', 'delete'],
})

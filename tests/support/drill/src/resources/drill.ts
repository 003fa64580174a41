import { action } from '../../../../../src/resources/engine/define/action.ts'
import { column } from '../../../../../src/resources/engine/define/column.ts'
import { defineResource } from '../../../../../src/resources/engine/define/defineResource.ts'
import { section } from '../../../../../src/resources/engine/define/section.ts'
import { Minutes } from '../custom/cells/Minutes.tsx'
import { drill } from '../schemas/drill.ts'
import { endpoints } from '../schemas/endpoints/index.ts'

export default defineResource(drill, {
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
  rowActions: [action('start', endpoints.startDrill, { confirm: true }), 'edit', 'delete'],
})

import { column } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { warning } from '../../engine/define/formNote.ts'
import { field, section } from '../../engine/define/section.ts'
import { maintenanceWindow } from '../../schemas/maintenanceWindow.ts'

const isBlank = (ids: unknown) => !(ids as unknown[] | null)?.length

export default defineResource(maintenanceWindow, {
  columns: [
    'id',
    'name',
    'enabled',
    'open_until',
    'opens_at',
    'repeat',
    column('duration', { align: 'end' }),
    'servers',
    'server_groups',
    'tags',
    'services',
    'notification_group_id',
  ],
  filters: ['name', 'enabled', 'repeat', 'servers', 'server_groups', 'services', 'tags'],
  form: [
    'name',
    'enabled',
    section('when', ['repeat', field('starts_at', () => import('./LocalTimeInput.tsx'))]),
    section('', ['week'], { when: ({ repeat }) => repeat === 3 }),
    section('', ['duration', field('time_zone', () => import('./TimeZoneInput.tsx'))]),
    section('what', ['servers', 'server_groups', 'tags', 'services']),
    section('notifications', ['notification_group_id', 'note']),
  ],
  notes: [
    warning('nothing_covered', ({ servers, server_groups, services, tags }) =>
      [servers, server_groups, services, tags].every(isBlank),
    ),
  ],
})

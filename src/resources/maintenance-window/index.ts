import { timeInput } from '../../components/inputs/timeInput.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { field, section, warning } from '../../engine/define/form.ts'
import { maintenanceWindow } from '../../schemas/maintenanceWindow.ts'

const isBlank = (value: string | readonly unknown[] | null | undefined) => !value?.length

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
  card: { beside: [], metrics: ['enabled', 'opens_at', 'open_until'], below: ['servers'] },
  filters: ['name', 'enabled', 'repeat', 'servers', 'server_groups', 'services', 'tags'],
  form: [
    'name',
    'enabled',
    section('when', ['repeat', field('starts_at', timeInput('LocalTimeInput'))]),
    section('', ['week'], { when: ({ repeat }) => repeat === 3 }),
    section('', ['duration', field('time_zone', () => import('./WindowZoneInput.tsx'))]),
    section('what', ['servers', 'server_groups', 'tags', 'services']),
    section('notifications', ['notification_group_id', 'note']),
  ],
  notes: [
    warning('nothing_covered', ({ servers, server_groups, services, tags }) =>
      [servers, server_groups, services, tags].every(isBlank),
    ),
  ],
})

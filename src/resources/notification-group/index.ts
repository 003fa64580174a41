import { defineResource } from '../../engine/define/defineResource.ts'
import { warning } from '../../engine/define/formNote.ts'
import { field } from '../../engine/define/section.ts'
import type { Values } from '../../schemas/define/values.ts'
import { notificationGroup } from '../../schemas/notificationGroup.ts'
import { columns } from './columns.tsx'

const idsOf = ({ notifications }: Values) => (notifications as number[] | null) ?? []

export default defineResource(notificationGroup, {
  columns,
  filters: ['name', 'notifications'],
  form: ['name', 'notifications', field('events', () => import('./EventsInput.tsx'))],
  notes: [
    warning('no_notifiers', (values) => idsOf(values).length === 0),
    warning(
      'no_event_notifier',
      (values, { related }) => {
        const isIn = (id: unknown) => idsOf(values).includes(Number(id))
        const asks = ((values.events as unknown[] | null) ?? []).length > 0
        return asks && related !== undefined && !related.some(({ id, send_events }) => send_events && isIn(id))
      },
      { related: 'notification' },
    ),
  ],
})

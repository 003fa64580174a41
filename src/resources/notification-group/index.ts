import { defineResource } from '../../engine/define/defineResource.ts'
import { type FormValues, field, section, warning } from '../../engine/define/form.ts'
import { eachAlarm, notificationGroup } from '../../schemas/notificationGroup.ts'
import { notificationSetup } from '../notification/setup/notificationSetup.ts'
import { columns } from './columns.tsx'

const idsOf = ({ notifications }: FormValues<typeof notificationGroup>) => notifications ?? []

export default defineResource(notificationGroup, {
  guide: notificationSetup,
  columns,
  card: { beside: [], metrics: ['notifications'], below: ['events'] },
  filters: ['name', 'notifications'],
  form: [
    'name',
    'notifications',
    'messages',
    section('', ['settle'], { when: ({ messages }) => messages !== eachAlarm }),
    'snapshot',
    field('events', () => import('./EventsInput.tsx')),
  ],
  notes: [
    warning('no_notifiers', (values) => idsOf(values).length === 0),
    warning(
      'no_event_notifier',
      (values, { related }) => {
        const isIn = (id: unknown) => idsOf(values).includes(Number(id))
        return (
          Boolean(values.events?.length) &&
          related !== undefined &&
          !related.some(({ id, send_events }) => send_events && isIn(id))
        )
      },
      { related: 'notification' },
    ),
  ],
})

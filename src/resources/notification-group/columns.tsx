import { useRecordContext, useTranslate } from 'react-admin'
import { column } from '../../engine/define/defineResource.ts'
import { TextCell } from '../../engine/kinds/cells.tsx'
import type { Row } from '../../records/queryRows.ts'
import type { notificationGroup } from '../../schemas/notificationGroup.ts'
import { eventTypes } from '../../schemas/webhooks/eventTypes.ts'

type Group = Row<typeof notificationGroup>

/** The events that a notifier group asks for. */
function GroupEvents() {
  const translate = useTranslate()
  const group = useRecordContext<Group>()
  return <TextCell entity="notification-group" value={group && eventsText(group, translate)} />
}

const eventsText = ({ events }: Group, translate: (key: string) => string) =>
  (events ?? []).map((type) => eventText(type, translate)).join(', ')

export const columns = [
  column('id'),
  column('name'),
  column('notifications'),
  column('events', {
    Cell: GroupEvents,
    text: (row: Group, { language }) => eventsText(row, language.translate),
    sort: false,
    announced: 'webhooks',
  }),
]

/** The name of an event in words; one that this console does not know as it is. */
export const eventText = (type: string, translate: (key: string) => string): string =>
  eventTypes.some((one) => one === type)
    ? translate(`resources.notification-group.values.${type.replaceAll('.', '_')}`)
    : type

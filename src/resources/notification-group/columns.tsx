import { useRecordContext, useTranslate } from 'react-admin'
import { column } from '../../engine/define/column.ts'
import { TextCell } from '../../engine/kinds/cells.tsx'
import type { Row } from '../../records/queryRows.ts'
import type { notificationGroup } from '../../schemas/notificationGroup.ts'
import { eventText } from './eventText.ts'

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

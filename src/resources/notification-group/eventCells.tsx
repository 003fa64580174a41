import { useRecordContext, useTranslate } from 'react-admin'
import { TextCell } from '../../engine/kinds/cells.tsx'
import type { TextValue } from '../../records/queryRows.ts'
import { eventText } from './eventText.ts'

/** The events that a notifier group asks for. */
export function GroupEvents() {
  const translate = useTranslate()
  return <TextCell entity="notification-group" value={textOf(useRecordContext()?.events, translate)} />
}

/** The event of a delivery. */
export function DeliveryEvent() {
  const translate = useTranslate()
  const event = useRecordContext()?.event
  return event ? eventText(event, translate) : null
}

/** For search and export. */
export const groupEventsText: TextValue = ({ events }, { language }) => textOf(events, language.translate)

export const deliveryEventText: TextValue = ({ event }, { language }) =>
  event ? eventText(String(event), language.translate) : ''

const textOf = (events: unknown, translate: (key: string) => string) =>
  ((events ?? []) as readonly string[]).map((type) => eventText(type, translate)).join(', ')

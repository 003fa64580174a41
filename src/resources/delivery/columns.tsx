import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { column } from '../../engine/define/defineResource.ts'
import type { Row } from '../../records/queryRows.ts'
import { type delivery, deliveryState, deliveryStates } from '../../schemas/delivery.ts'
import { eventText } from '../notification-group/columns.tsx'

type Delivery = Row<typeof delivery>

const useDelivery = () => useRecordContext<Delivery>()

/** The result of a notification as a dot and a word, with the count when the row stands for several. */
export function DeliveryState() {
  const record = useDelivery()
  const translate = useTranslate()
  if (!record) return null
  const result = record.state === deliveryState.sent ? 'succeeded' : 'failed'
  return <ResultText data-result={result}>{stateText(record, translate)}</ResultText>
}

/** The result as a word: 'Dropped × 12'. */
function stateText({ state, count = 1 }: Delivery, translate: (key: string) => string): string {
  const name = deliveryStates[state as keyof typeof deliveryStates]
  const text = name ? translate(`resources.delivery.choices.state.${name}`) : String(state ?? '')
  return count > 1 ? `${text} × ${count}` : text
}

/** The reply: `401 Unauthorized`; without a status code if nobody answered. The text of an empty reply begins with it. */
function replyText({ code, reply = '' }: Delivery): string {
  return !code || reply.split(' ')[0] === String(code) ? reply : `${code} ${reply}`.trim()
}

function DeliveryReply() {
  const record = useDelivery()
  return <WrappedText>{record ? replyText(record) : null}</WrappedText>
}

export const DeliveryMessage = () => <WrappedText>{useDelivery()?.message}</WrappedText>

/**
 * Texts that the server has shortened already: they wrap instead of being cut again. A long name in another column leaves
 * them room for a few words in a line.
 */
const WrappedText = styled('span')({
  display: 'block',
  paddingBlock: 4,
  whiteSpace: 'normal',
  overflowWrap: 'anywhere',
  'td > &': { minWidth: '28ch' },
})

/** The event, in words; none for a message. */
function DeliveryEvent() {
  const translate = useTranslate()
  const event = useDelivery()?.event
  return event ? eventText(event, translate) : null
}

export const columns = [
  column('at'),
  column('state', { Cell: DeliveryState, file: (row: Delivery, { language }) => stateText(row, language.translate) }),
  column('notification_name'),
  column('notification_group_name'),
  column('event', {
    Cell: DeliveryEvent,
    text: ({ event }: Delivery, { language }) => (event ? eventText(event, language.translate) : ''),
  }),
  column('message', { Cell: DeliveryMessage }),
  column('reply', { Cell: DeliveryReply, text: replyText }),
  column('tries', { align: 'end', width: 80 }),
  column('duration', { align: 'end', width: 110 }),
]

import { styled } from '@mui/material/styles'
import { type Identifier, RecordContextProvider, useGetList, useRecordContext, useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { column } from '../../engine/define/defineResource.ts'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import type { Row } from '../../records/queryRows.ts'
import { type delivery, deliveryState, deliveryStates } from '../../schemas/delivery.ts'
import { eventText } from '../notification-group/columns.tsx'

type Delivery = Row<typeof delivery>

const useDelivery = () => useRecordContext<Delivery>()

/** The result of a notification as a dot and a word, with the count when the row stands for several. */
function DeliveryState() {
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

const DeliveryMessage = () => <WrappedText>{useDelivery()?.message}</WrappedText>

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

const refreshMs = 30_000
const shown = 20

/**
 * The latest notifications, and whether they arrived; absent where the server keeps no delivery log.
 * @param filter what they are about
 */
export function NotificationList({ filter }: { filter: { service_id: Identifier } | { incident_id: Identifier } }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const areStored = useSetting()?.wheelhouse?.deliveries === true
  const { data, error, refetch } = useGetList(
    'delivery',
    { filter, pagination: { page: 1, perPage: shown } },
    { enabled: areStored, refetchInterval: refreshMs },
  )
  if (!areStored || (!data && !error)) return null
  // Its page says itself that nobody was told.
  if ('incident_id' in filter && data?.length === 0) return null
  return (
    <Panel title={translate('app.overview.notifications')}>
      {error && !data ? <RetryAlert error={error} onRetry={refetch} /> : null}
      {data?.length === 0 ? <p>{translate('app.overview.no_notifications')}</p> : null}
      <EventList>
        {data?.map((delivery) => (
          <RecordContextProvider key={delivery.id} value={delivery}>
            <li>
              <div>
                <DeliveryState />
                <span>{delivery.notification_name}</span>
                <DeliveryMessage />
              </div>
              <time dateTime={delivery.at}>{formatDateTime(Date.parse(delivery.at), locale)}</time>
            </li>
          </RecordContextProvider>
        ))}
      </EventList>
    </Panel>
  )
}

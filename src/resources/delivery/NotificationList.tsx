import { type Identifier, RecordContextProvider, useGetList, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { DeliveryMessage, DeliveryState } from './columns.tsx'

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

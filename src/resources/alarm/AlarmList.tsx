import { type RaRecord, RecordContextProvider, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList } from '../../components/overview/EventList.tsx'
import { Panel } from '../../components/Panel.tsx'
import { AlarmCauses, AlarmDuration, AlarmRule, AlarmState } from './columns.tsx'

/** The alarms of a server in the period of the charts, running ones first; absent without any. */
export function AlarmList({ alarms }: { alarms: readonly RaRecord[] }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  if (alarms.length === 0) return null
  return (
    <Panel title={translate('resources.alarm.name', { smart_count: 2 })}>
      <EventList>
        {alarms.map((alarm) => (
          <RecordContextProvider key={alarm.id} value={alarm}>
            <li>
              <div>
                <AlarmState /> <AlarmRule /> <AlarmCauses />
              </div>
              <div>
                <time dateTime={alarm.started_at}>{formatDateTime(Date.parse(alarm.started_at), locale)}</time>
                <span>
                  <AlarmDuration />
                </span>
              </div>
            </li>
          </RecordContextProvider>
        ))}
      </EventList>
    </Panel>
  )
}

import Link from '@mui/material/Link'
import { Suspense, useState } from 'react'
import { type RaRecord, RecordContextProvider, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { AlarmCauses, AlarmDuration, AlarmRule, AlarmState } from './columns.tsx'

const SnapshotDialog = lazyPart(() => import('./SnapshotDialog.tsx'))

/** The alarms of a server in the period of the charts, running ones first; absent without any. */
export function AlarmList({ alarms }: { alarms: readonly RaRecord[] }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const [shown, setShown] = useState<RaRecord>()
  const canInspect = useSetting()?.wheelhouse?.inspect === true
  if (alarms.length === 0) return null
  return (
    <Panel title={translate('resources.alarm.name', { smart_count: 2 })}>
      <EventList>
        {alarms.map((alarm) => (
          <RecordContextProvider key={alarm.id} value={alarm}>
            <li>
              <div>
                <AlarmState /> <AlarmRule /> <AlarmCauses />
                {alarm.snapshot && canInspect ? (
                  <Link component="button" type="button" variant="body2" onClick={() => setShown(alarm)}>
                    {translate('resources.alarm.actions.snapshot.label')}
                  </Link>
                ) : null}
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
      <Suspense>{shown ? <SnapshotDialog records={[shown]} onClose={() => setShown(undefined)} /> : null}</Suspense>
    </Panel>
  )
}

import '../../engine/parts/row.css'
import Link from '@mui/material/Link'
import { Suspense, useEffect, useState } from 'react'
import {
  LinkBase,
  type RaRecord,
  RecordContextProvider,
  useBasename,
  useRecordContext,
  useTranslate,
} from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDateTime, formatDuration, type Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { column, derived } from '../../engine/define/defineResource.ts'
import { FlagCell } from '../../engine/kinds/cells.tsx'
import { useRecords } from '../../engine/kinds/reference/useNames.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { serverNow } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import { type alarm, type alarmStates, stateOfAlarm } from '../../schemas/alarm.ts'
import { alarmCauseText } from '../alert-rule/alertRule.ts'

type Alarm = Row<typeof alarm>

const useAlarm = () => useRecordContext<Alarm>()

/** The text keys of the states of an alarm. */
export const alarmStateWords: Readonly<Record<(typeof alarmStates)[number], string>> = {
  running: 'app.alarm.running',
  paused: 'app.alarm.paused',
  recovered: 'app.alarm.recovered',
  withdrawn: 'app.alarm.withdrawn',
}

/** Whether the alarm is still running, is paused, has recovered, or was withdrawn. */
function AlarmState() {
  const record = useAlarm()
  const translate = useTranslate()
  if (!record) return null
  const state = stateOfAlarm(record)
  const word = translate(alarmStateWords[state])
  if (state === 'withdrawn') return <span title={translate('app.alarm.withdrawn_why')}>{word}</span>
  if (state === 'paused') return <span title={translate('app.alarm.paused_why')}>{word}</span>
  return <ResultText data-result={state === 'running' ? 'failed' : 'succeeded'}>{word}</ResultText>
}

/** The rule, by its name when the alarm started; links to the current rule, where the person sees it. */
function AlarmRule() {
  const record = useAlarm()
  const ruleOf = useRecords('alert-rule')
  if (!record) return null
  const { rule_id: id, rule_name: name } = record
  if (id === undefined || !ruleOf(id)) return named(name, id)
  return <RecordLink path={`alert-rule/${id}`} id={id} name={name} />
}

/** The server, by its name when the alarm started; links to the current server. */
export function AlarmServer() {
  const record = useAlarm()
  return record ? (
    <RecordLink path={`server/${record.server_id}/overview`} id={record.server_id} name={record.server_name} />
  ) : null
}

const named = (name: string | undefined, id: number | undefined) => name || `#${id}`

function RecordLink({ path, id, name }: { path: string; id?: number; name?: string }) {
  const basename = useBasename()
  return (
    <LinkBase className="name-link" to={`${basename}/${path}`} title={`${name} #${id}`}>
      {named(name, id)}
    </LinkBase>
  )
}

/** Whether notifications were sent or, if not, whether it is muted or in maintenance. */
export function AlarmNotified() {
  const record = useAlarm()
  const translate = useTranslate()
  if (record?.silenced) return translate(`app.alarm.silenced_${record.silenced}`)
  return <FlagCell value={record?.notified} entity="alarm" />
}

/** The values that triggered the alarm: 'CPU use 97.5%, above 90%'. */
function AlarmCauses() {
  const record = useAlarm()
  const language = useLanguage()
  const text = record ? causesText(record, language) : ''
  return <span title={text}>{text}</span>
}

const causesText = ({ causes = [] }: Alarm, language: Language) =>
  causes.map((cause) => alarmCauseText(cause, language)).join(' · ')

/** How long the alarm lasted; for a running one, the time counts up. */
function AlarmDuration() {
  const record = useAlarm()
  const { translate } = useLanguage()
  const now = useSeconds(record !== undefined && isRunning(record))
  const start = Date.parse(String(record?.started_at))
  if (Number.isNaN(start)) return null
  const end = record && !isRunning(record) ? Date.parse(String(record.ended_at)) : now
  return <>{formatDuration(Math.max(0, end - start) / 1000, translate)}</>
}

const isRunning = ({ ended_at }: Alarm) => ended_at === undefined

/** The server's time, ms since 1970, updated every second while `isOn`. */
function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}

/** Seconds, up to now for one that is running. */
function durationText({ started_at, ended_at }: Alarm): string {
  const start = Date.parse(started_at ?? '')
  const end = ended_at === undefined ? serverNow() : Date.parse(ended_at)
  return Number.isNaN(start) ? '' : String(Math.round(Math.max(0, end - start) / 1000))
}

export const columns = [
  column('ended_at', {
    Cell: AlarmState,
    file: (row: Alarm, { language }) => language.translate(alarmStateWords[stateOfAlarm(row)]),
    width: 130,
  }),
  column('started_at'),
  derived('duration', { Cell: AlarmDuration, file: [{ unit: 's', text: durationText }], width: 130 }),
  derived('rule', { Cell: AlarmRule, file: ({ rule_name, rule_id }: Alarm) => named(rule_name, rule_id) }),
  column('server_name', {
    Cell: AlarmServer,
    file: ({ server_name, server_id }: Alarm) => named(server_name, server_id),
  }),
  column('causes', { Cell: AlarmCauses, file: (row: Alarm, { language }) => causesText(row, language) }),
  column('notified', {
    Cell: AlarmNotified,
    file: ({ notified, silenced }: Alarm, { language: { translate } }) =>
      silenced ? translate(`app.alarm.silenced_${silenced}`) : String(Boolean(notified)),
    width: 130,
  }),
]

const SnapshotDialog = lazyPart(async () => ({
  default: (await import('../server/inspect/SnapshotView.tsx')).SnapshotDialog,
}))

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

import { useEffect, useState } from 'react'
import { LinkBase, type RaRecord, useBasename, useRecordContext, useTranslate } from 'react-admin'
import '../../engine/parts/row.css'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { FlagCell } from '../../engine/kinds/cells.tsx'
import { serverNow } from '../../live/serverClock.ts'
import { stateOfAlarm } from '../../schemas/alarm.ts'
import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { alarmCauseText } from '../alert-rule/alertRuleText.ts'
import { alarmStateWords } from './alarmStates.ts'

/** Whether the alarm is still running, has recovered, or was withdrawn. */
export function AlarmState() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record) return null
  const state = stateOfAlarm(record)
  const word = translate(alarmStateWords[state])
  if (state === 'withdrawn') return <span title={translate('app.alarm.withdrawn_why')}>{word}</span>
  return <ResultText data-result={state === 'running' ? 'failed' : 'succeeded'}>{word}</ResultText>
}

/** The rule, by its name when the alarm started; links to the current rule. */
export function AlarmRule() {
  const record = useRecordContext()
  return record ? (
    <RecordLink path={`alert-rule/${record.rule_id}`} id={record.rule_id} name={record.rule_name} />
  ) : null
}

/** The server, by its name when the alarm started; links to the current server. */
export function AlarmServer() {
  const record = useRecordContext()
  return record ? (
    <RecordLink path={`server/${record.server_id}/overview`} id={record.server_id} name={record.server_name} />
  ) : null
}

function RecordLink({ path, id, name }: { path: string; id: number; name: string }) {
  const basename = useBasename()
  return (
    <LinkBase className="name-link" to={`${basename}/${path}`} title={`${name} #${id}`}>
      {name || `#${id}`}
    </LinkBase>
  )
}

/** Whether notifications were sent or, if not, whether it is muted or in maintenance. */
export function AlarmNotified() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (record?.silenced) return translate(`app.alarm.silenced_${record.silenced}`)
  return <FlagCell value={record?.notified} entity="alarm" />
}

/** The values that triggered the alarm: 'CPU use 97.5%, above 90%'. */
export function AlarmCauses() {
  const record = useRecordContext()
  const language = useLanguage()
  const causes = (record?.causes ?? []) as readonly AlarmCause[]
  const text = causes.map((cause) => alarmCauseText(cause, language)).join(' · ')
  return <span title={text}>{text}</span>
}

/** How long the alarm lasted; for a running one, the time counts up. */
export function AlarmDuration() {
  const record = useRecordContext()
  const { translate } = useLanguage()
  const now = useSeconds(record !== undefined && isRunning(record))
  const start = Date.parse(String(record?.started_at))
  if (Number.isNaN(start)) return null
  const end = record && !isRunning(record) ? Date.parse(String(record.ended_at)) : now
  return <>{formatDuration(Math.max(0, end - start) / 1000, translate)}</>
}

const isRunning = (record: RaRecord) => stateOfAlarm(record) === 'running'

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

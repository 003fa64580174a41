import { useEffect, useState } from 'react'
import { LinkBase, type RaRecord, useBasename, useRecordContext, useTranslate } from 'react-admin'
import '../../resources/engine/parts/row.css'
import { serverNow } from '../../live/serverClock.ts'
import type { AlarmCause } from '../../schemas/alarm.ts'
import { alertRuleTypes } from '../../schemas/alerts/alertRuleTypes.ts'
import { formatRuleValue, ruleTypeText } from '../format/alertRuleText.ts'
import { formatDuration } from '../format/format.ts'
import { type Language, useLanguage } from '../format/useLanguage.ts'
import { ResultText } from './ResultText.tsx'

/** Whether the alarm is still running, has recovered, or was withdrawn. */
export function AlarmState() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record) return null
  if (isRunning(record)) return <ResultText data-result="failed">{translate('app.alarm.running')}</ResultText>
  if (!record.withdrawn) return <ResultText data-result="succeeded">{translate('app.alarm.recovered')}</ResultText>
  return <span title={translate('app.alarm.withdrawn_why')}>{translate('app.alarm.withdrawn')}</span>
}

/** The rule, by its name when the alarm started; links to the current rule. */
export function AlarmRule() {
  const record = useRecordContext()
  return record ? <RecordLink path="alert-rule" id={record.rule_id} name={record.rule_name} /> : null
}

/** The server, by its name when the alarm started; links to the current server. */
export function AlarmServer() {
  const record = useRecordContext()
  return record ? <RecordLink path="server" id={record.server_id} name={record.server_name} /> : null
}

function RecordLink({ path, id, name }: { path: string; id: number; name: string }) {
  const basename = useBasename()
  return (
    <LinkBase className="name-link" to={`${basename}/${path}/${id}`} title={`${name} #${id}`}>
      {name || `#${id}`}
    </LinkBase>
  )
}

/** The values that triggered the alarm: 'CPU use 97.5%, above 90%'. */
export function AlarmCauses() {
  const record = useRecordContext()
  const language = useLanguage()
  const causes = (record?.causes ?? []) as readonly AlarmCause[]
  const text = causes.map((cause) => causeText(cause, language)).join(' · ')
  return <span title={text}>{text}</span>
}

function causeText({ type, value, min, max }: AlarmCause, language: Language): string {
  const { translate, locale } = language
  const what = ruleTypeText(type, language)
  if (value === undefined) return what
  const isAbove = max !== undefined && value > max
  const bound = isAbove ? max : min
  const { unit = 'number' } = alertRuleTypes[type] ?? {}
  const args = { what, value: formatRuleValue(value, unit, locale), bound: formatRuleValue(bound ?? 0, unit, locale) }
  return translate(isAbove ? 'app.alarm.above' : 'app.alarm.below', args)
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

const isRunning = (record: RaRecord) => record.ended_at === undefined

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

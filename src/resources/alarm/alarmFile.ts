import type { FileColumns } from '../../engine/define/column.ts'
import { serverNow } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import { stateOfAlarm } from '../../schemas/alarm.ts'
import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { alarmCauseText } from '../alert-rule/alertRuleText.ts'
import { alarmStateWords } from './alarmStates.ts'

/** Seconds, up to now for one that is running. */
function durationText({ started_at, ended_at }: Row): string {
  const start = Date.parse(String(started_at))
  const end = ended_at === undefined ? serverNow() : Date.parse(String(ended_at))
  return Number.isNaN(start) ? '' : String(Math.round(Math.max(0, end - start) / 1000))
}

const named = (name: unknown, id: unknown) => String(name || `#${id}`)

export const alarmFile: FileColumns = {
  ended_at: [{ text: (row, { language }) => language.translate(alarmStateWords[stateOfAlarm(row)]) }],
  duration: [{ unit: 's', text: durationText }],
  rule: [{ text: ({ rule_name, rule_id }) => named(rule_name, rule_id) }],
  server_name: [{ text: ({ server_name, server_id }) => named(server_name, server_id) }],
  notified: [
    {
      text: ({ notified, silenced }, { language: { translate } }) =>
        silenced ? translate(`app.alarm.silenced_${silenced}`) : String(Boolean(notified)),
    },
  ],
  causes: [
    {
      text: ({ causes = [] }, { language }) =>
        (causes as readonly AlarmCause[]).map((cause) => alarmCauseText(cause, language)).join(' · '),
    },
  ],
}

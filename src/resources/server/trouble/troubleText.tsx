import {
  formatClock,
  formatDateTime,
  formatDuration,
  formatPercent,
  type Language,
} from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { useServerClock } from '../../../live/serverClock.ts'
import type { AlarmCause } from '../../../schemas/alerts/alarmCause.ts'
import { alertRuleTypes } from '../../../schemas/alerts/alertRuleTypes.ts'
import { formatRuleValue, ruleTypeText, withDetail } from '../../alert-rule/alertRule.ts'

/** One word for what kind of trouble it is: 'Offline', 'Alarm'. */
export function troubleWord({ kind, severity }: Trouble, { translate }: Language): string {
  switch (kind) {
    case 'server_offline':
      return translate('app.trouble.offline')
    case 'service_down':
      return translate('app.trouble.down')
    case 'disk_full':
      return translate('app.trouble.disk')
    case 'undelivered':
      return translate('app.trouble.undelivered')
    default:
      return translate(severity === 'warning' || severity === 'silenced' ? 'app.trouble.warning' : 'app.trouble.alarm')
  }
}

/** Milliseconds: the clock of the screen moves on every 30 s, and 'for 0 s' says nothing. */
const briefMs = 30_000

/** The cause: 'CPU use 97.5%, limit 90% for 6 min'. @param now ms since 1970 by the server's clock */
export function causeText(trouble: Trouble, now: number, language: Language): string {
  const { translate } = language
  const length = (ms: number) => formatDuration(Math.max(0, ms) / 1000, translate, 1)
  const isBrief = trouble.since !== undefined && now - trouble.since < briefMs
  const lasting = (what: string) =>
    trouble.since === undefined || isBrief
      ? what
      : translate('app.trouble.for', { what, duration: length(now - trouble.since) })
  switch (trouble.kind) {
    case 'server_offline':
      if (trouble.since === undefined) return translate('resources.server.values.not_since_start')
      return isBrief
        ? translate('app.trouble.not_reporting')
        : translate('app.trouble.no_report', { duration: length(now - trouble.since) })
    case 'alarm':
      return lasting(trouble.causes.map((cause) => limitText(cause, language)).join(' · ') || trouble.rule_name)
    case 'disk_full':
      return translate('app.trouble.disk_full', { percent: formatPercent(trouble.percent, language.locale) })
    case 'traffic_used':
      return translate('app.trouble.traffic_used', { percent: formatPercent(trouble.percent, language.locale) })
    case 'contract_end': {
      const rest = trouble.expires_at - now
      return rest > 0
        ? translate('app.trouble.contract_ends', { duration: length(rest) })
        : translate('app.trouble.contract_ended', { duration: length(-rest) })
    }
    case 'shared_uuid':
      return translate('resources.server.values.shared_uuid', { addresses: trouble.addresses.join(', ') })
    case 'service_down':
      return lasting(trouble.problem || translate('app.trouble.no_answer'))
    case 'certificate': {
      const rest = trouble.expires_at - now
      return rest > 0
        ? translate('app.trouble.certificate_ends', { duration: length(rest) })
        : translate('app.trouble.certificate_ended', { duration: length(-rest) })
    }
    case 'agent_turned_away':
      return translate('app.trouble.turned_away', { address: trouble.address })
    case 'undelivered':
      return trouble.problem
        ? translate('app.trouble.given_up_why', { cause: trouble.problem })
        : translate('app.trouble.given_up')
    case 'console':
      return translate(`app.status.${trouble.warning}`)
  }
}

/** A measured value with its limit, or only what was measured, where there is no value. */
function limitText(cause: AlarmCause, language: Language): string {
  const { type, value, min, max } = cause
  const what = withDetail(ruleTypeText(type, language), cause)
  if (value === undefined) return what
  const limit = max !== undefined && value > max ? max : min
  const { unit = 'number' } = alertRuleTypes[type] ?? {}
  const [shown, bound] = [value, limit ?? 0].map((number) => formatRuleValue(number, unit, language.locale))
  return language.translate('app.trouble.limit', { what, value: shown, bound })
}

/** The moment: '13:58' within a day, else with its date. @param at ms since 1970 */
export function momentText(at: number, now: number, { locale }: Language): string {
  if (now - at >= 86_400_000) return formatDateTime(at, locale)
  return formatClock(at, locale)
}

/** Why something is wrong, in a row below the name. */
export function TroubleCause({ trouble }: { trouble: Trouble }) {
  const text = causeText(trouble, useServerClock(), useLanguage())
  return (
    <small className="cell-cause" data-severity={trouble.severity} title={text}>
      {text}
    </small>
  )
}

import type status from '../../i18n/en-US/status.json'
import { fillPlural, fillText } from '../../i18n/fillText.ts'
import type { StatusIncident } from '../schemas/status/publicStatus.ts'
import { isTrouble, type StatusSummary } from '../schemas/status/summary.ts'

/** All texts of the status page in one language. */
export type StatusTexts = typeof status

type NamedIncident = Pick<StatusIncident, 'kind' | 'name' | 'ended_at'>

/** What an incident says: `Shop was down`. */
export function incidentSentence({ kind, name, ended_at }: NamedIncident, texts: StatusTexts): string {
  const [lasting, past] =
    kind === 'service_down' ? [texts.serviceIsDown, texts.serviceDown] : [texts.serverIsOffline, texts.serverOffline]
  return fillText(ended_at === undefined ? lasting : past, { name })
}

/** `All systems are up`, or `1 service is down since 14:02, 2 servers are offline`. @param timeOf writes a moment */
export function sentenceOf(
  summary: StatusSummary,
  texts: StatusTexts,
  locale: string,
  timeOf: (at: number) => string,
): string {
  if (summary.isEmpty) return texts.nothingShown
  if (!isTrouble(summary)) return texts.allUp
  const { down, since, offline } = summary
  const parts = [
    ...(down > 0
      ? [
          since === undefined
            ? fillPlural(texts.servicesDown, down, locale)
            : fillPlural(texts.servicesDownSince, down, locale, { time: timeOf(since) }),
        ]
      : []),
    ...(offline > 0 ? [fillPlural(texts.serversOffline, offline, locale)] : []),
  ]
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts)
}

/**
 * `14:02`, with the day in front when it is another one.
 * @param at milliseconds since 1970 @param now the same @param timeZone default: that of this machine; named in the text
 */
export function shortTime(at: number, now: number, locale: string, timeZone?: string): string {
  const day = (moment: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment)
  return new Intl.DateTimeFormat(locale, {
    ...(day(at) !== day(now) && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone && { timeZone, timeZoneName: 'short' }),
  }).format(at)
}

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `12 days`, `3 hr`: the largest whole unit. */
export function formatLength(seconds: number, locale: string): string {
  const [unit, size] = steps.find(([, length]) => seconds >= length) ?? steps[2]
  const unitDisplay = unit === 'day' ? 'long' : 'short'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(Math.floor(seconds / size))
}

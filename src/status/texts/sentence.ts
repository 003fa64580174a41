import { fillPlural } from '../../../i18n/fillText.ts'
import { isTrouble, type StatusSummary } from '../../schemas/status/summary.ts'
import type { StatusTexts } from './statusTexts.ts'

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

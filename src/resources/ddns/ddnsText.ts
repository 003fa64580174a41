import { formatAge } from '../../components/format/format.ts'
import type { Language } from '../../components/format/useLanguage.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'

/** What the updates of a profile's domain names have come to; without a summary no server uses it. */
export function ddnsSummaryText(summary: DdnsSummary | undefined, now: number, { translate }: Language): string {
  if (!summary) return translate('app.ddns.unused')
  const { names, done, failed, waiting, at } = summary
  if (waiting > 0) return translate('app.ddns.states.waiting')
  if (failed > 0) return translate('app.ddns.failed_of', { failed, total: names })
  return done === 0 || !at ? translate('app.ddns.nothing_yet') : formatAge(Date.parse(at), now, translate)
}

import type status from '../../../i18n/en-US/status.json'
import { fillText } from '../../../i18n/fillText.ts'
import type { StatusIncident } from '../../schemas/status/publicStatus.ts'

/** All texts of the status page in one language. */
export type StatusTexts = typeof status

type NamedIncident = Pick<StatusIncident, 'kind' | 'name' | 'ended_at'>

/** What an incident says: `Shop was down`. */
export function incidentSentence({ kind, name, ended_at }: NamedIncident, texts: StatusTexts): string {
  const [lasting, past] =
    kind === 'service_down' ? [texts.serviceIsDown, texts.serviceDown] : [texts.serverIsOffline, texts.serverOffline]
  return fillText(ended_at === undefined ? lasting : past, { name })
}

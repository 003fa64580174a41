import './silence.css'
import { formatDateTime, type Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { serverNow } from '../../live/serverClock.ts'
import type { Silence } from './silences.ts'

/** Until when a server or service is in maintenance or muted. */
export default function SilenceText({ silence }: { silence: Silence }) {
  const language = useLanguage()
  const { until } = silence
  const text =
    until === undefined
      ? language.translate('app.mute.muted_now')
      : language.translate(`app.mute.${silence.kind}_until`, { time: timeText(until, language) })
  return <small className="cell-silence">{text}</small>
}

/** '06:00' within a day, else with its day. @param at milliseconds since 1970 */
function timeText(at: number, { locale }: Language): string {
  if (at - serverNow() >= 86_400_000) return formatDateTime(at, locale, 'short')
  return new Date(at).toLocaleTimeString(locale, { timeStyle: 'short' })
}

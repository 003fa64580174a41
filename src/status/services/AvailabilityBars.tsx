/** @jsxImportSource preact */
import { fillText } from '../../../i18n/fillText.ts'
import { formatPercentFloor } from '../../components/format/format.ts'
import { dayStatus } from '../../domain/availability.ts'
import type { StatusService } from '../../schemas/status/publicStatus.ts'
import { useLanguage } from '../parts/language.ts'

interface AvailabilityBarsProps {
  service: StatusService
  /** The last of the days: `2026-11-21`. */
  today: string
}

const dayMs = 86_400_000
/** Days that fit on a phone. */
const daysOnPhone = 30

/** A bar for each day, 30 on phones and 90 elsewhere. */
export function AvailabilityBars({ service: { up, down_minutes, up_30, up_90 }, today }: AvailabilityBarsProps) {
  const { texts, locale } = useLanguage()
  const dayText = (index: number) => {
    const at = Date.parse(today) - (up.length - 1 - index) * dayMs
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  }
  const title = (share: number | null, index: number) =>
    share === null
      ? fillText(texts.dayWithoutChecks, { day: dayText(index) })
      : fillText(texts.dayAvailability, {
          day: dayText(index),
          percent: formatPercentFloor(share * 100, locale),
          minutes: down_minutes[index] ?? 0,
        })
  const sum = (count: number, share: number | null) =>
    `${fillText(texts.lastDays, { count })}: ${share === null ? texts.noData : fillText(texts.availability, { percent: formatPercentFloor(share * 100, locale) })}`
  return (
    <>
      <div class="days" role="img" aria-label={`${sum(30, up_30)}. ${sum(90, up_90)}`}>
        {up.map((share, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other name than its place
            key={index}
            class={`day ${dayStatus(share === null ? undefined : share * 100)} ${index < up.length - daysOnPhone ? 'older' : ''}`}
            title={title(share, index)}
          />
        ))}
      </div>
      <div class="row quiet" aria-hidden="true">
        <span class="wide-only">{sum(90, up_90)}</span>
        <span class="narrow-only">{sum(30, up_30)}</span>
        <span>{texts.today}</span>
      </div>
    </>
  )
}

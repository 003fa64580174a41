import { styled } from '@mui/material/styles'
import { useLocaleState, useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import { TimeZoneInput } from '../../components/inputs/timeInputs.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { isTimeZone } from '../../domain/cron/timeZone.ts'
import { nextOccurrences, occurrenceAt } from '../../domain/maintenance/occurrences.ts'
import { readLocalTime, type WindowTimes } from '../../domain/maintenance/windowTimes.ts'
import type { InputProps } from '../../engine/kinds/parts/kind.tsx'
import { serverNow } from '../../live/serverClock.ts'

/** The zone of a window; below it, the next times that it is open. */
export default function WindowZoneInput(props: InputProps) {
  return (
    <div>
      <TimeZoneInput {...props} />
      <div role="status">
        <WindowPreview />
      </div>
    </div>
  )
}

const shown = 3

/** The next times that the window in the form is open, the running one first; nothing while the form is incomplete. */
function WindowPreview() {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const serverZone = useSetting()?.wheelhouse?.timezone ?? 'UTC'
  const [repeat, starts_at, week, duration, time_zone] = useWatch({
    name: ['repeat', 'starts_at', 'week', 'duration', 'time_zone'],
  })
  const zone = String(time_zone ?? '').trim() || serverZone
  const window: WindowTimes = { repeat, starts_at: String(starts_at ?? ''), week, duration: Number(duration) }
  if (readLocalTime(window.starts_at) === undefined || !(window.duration > 0) || !isTimeZone(zone)) return null
  const now = serverNow()
  const current = occurrenceAt(window, now, zone)
  const times = [...(current ? [current] : []), ...nextOccurrences(window, now, zone, shown)].slice(0, shown)
  if (times.length === 0) return <Frame>{translate('resources.maintenance-window.values.never')}</Frame>
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (
    <Frame>
      <p>{translate('resources.maintenance-window.values.next_times', { zone })}</p>
      <ol>
        {times.map(({ from, to }) => (
          <li key={from}>{format.formatRange(from, to)}</li>
        ))}
      </ol>
    </Frame>
  )
}

const Frame = styled('div')(({ theme }) => ({
  marginTop: theme.spacing(1),
  padding: theme.spacing(1, 1.5),
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontSize: 13,
  '& p': { margin: theme.spacing(0.5, 0), color: theme.vars.palette.text.secondary },
  '& ol': { margin: 0, paddingLeft: theme.spacing(2.5), fontVariantNumeric: 'tabular-nums' },
}))

import { styled } from '@mui/material/styles'
import type { z } from 'zod'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { zoneOffset } from '../../domain/cron/timeZone.ts'
import { momentOf } from '../../domain/cron/zoneChange.ts'
import type { rotaShift } from '../../schemas/endpoints/rotaEndpoints.ts'

interface RotaCalendarProps {
  shifts: readonly z.output<typeof rotaShift>[]
  /** Of the days. */
  zone: string
  /** Milliseconds since 1970. */
  now: number
}

const dayMs = 86_400_000
const [weeks, daysOfWeek] = [4, 7]

/** Four weeks from today on, a line for each, with a bar for each shift. For eyes only: the list below says the same. */
export function RotaCalendar({ shifts, zone, now }: RotaCalendarProps) {
  const { translate, locale } = useLanguage()
  const today = Math.floor((now + zoneOffset(zone, now)) / dayMs)
  const midnight = (day: number) => momentOf(zone, day * dayMs)
  const format = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })
  const [weekday, date] = [format({ weekday: 'short' }), format({ day: 'numeric', month: 'short' })]
  const turns = [...new Set(shifts.map(({ user_id }) => user_id))].sort((one, other) => one - other)
  return (
    <Frame aria-hidden="true">
      {Array.from({ length: weeks }, (_, week) => {
        const first = today + week * daysOfWeek
        const [from, to] = [midnight(first), midnight(first + daysOfWeek)]
        const place = (at: number) => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * 100
        const inWeek = shifts
          .map((shift) => ({ ...shift, begin: Date.parse(shift.from), end: Date.parse(shift.to) }))
          .filter(({ begin, end }) => begin < to && end > from)
        return (
          <div key={first}>
            <ol>
              {Array.from({ length: daysOfWeek }, (_, index) => first + index).map((day) => (
                <li key={day}>
                  <span>{weekday.format(day * dayMs)}</span> <span>{date.format(day * dayMs)}</span>
                </li>
              ))}
            </ol>
            <div className="line">
              {inWeek.map(({ begin, end, user_id, name, problem, is_override }) => (
                <span
                  key={begin}
                  data-turn={turns.indexOf(user_id) % 2}
                  data-problem={problem !== undefined}
                  data-override={is_override}
                  style={{ left: `${place(begin)}%`, width: `calc(${place(end) - place(begin)}% - 2px)` }}
                  {...hoverTitle(() => name || translate('app.rota.deleted'))}
                >
                  {problem ? '⚠ ' : ''}
                  {name || translate('app.rota.deleted')}
                </span>
              ))}
            </div>
          </div>
        )
      })}
    </Frame>
  )
}

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  fontSize: 12,
  fontVariantNumeric: 'tabular-nums',
  '& ol': {
    display: 'grid',
    gridTemplateColumns: 'repeat(7, minmax(0, 1fr))',
    margin: 0,
    padding: 0,
    listStyle: 'none',
    color: theme.vars.palette.text.secondary,
  },
  '& li': {
    paddingLeft: 4,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
    lineHeight: 1.3,
  },
  '& li > span': { display: 'inline-block', [theme.breakpoints.down('sm')]: { fontSize: 11 } },
  '& .line': { position: 'relative', height: 32 },
  '& .line > span': {
    position: 'absolute',
    insetBlock: 2,
    padding: '4px 6px',
    overflow: 'hidden',
    whiteSpace: 'nowrap',
    textOverflow: 'ellipsis',
    fontSize: 13,
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.action.selected,
    border: `1px solid ${theme.vars.palette.primary.main}`,
    borderRadius: theme.shape.borderRadius,
  },
  '& .line > span[data-turn="1"]': {
    background: theme.vars.palette.sunken,
    borderColor: theme.vars.palette.control,
  },
  '& .line > span[data-override=true]': { borderStyle: 'dashed' },
  '& .line > span[data-problem=true]': {
    borderColor: theme.vars.palette.warning.main,
    borderWidth: 2,
    paddingBlock: 3,
  },
}))

import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RaRecord, useDataProvider, useRefresh } from 'react-admin'
import type { z } from 'zod'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { OverviewPage, ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { Copied, EventList, Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { momentOf, zoneOffset } from '../../domain/cron/timeZone.ts'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import { rotaEndpoints, type rotaShift } from '../../schemas/endpoints/rotaEndpoints.ts'
import type { rota } from '../../schemas/rota.ts'

type RotaRow = Row<typeof rota>

/** Who is on duty in the next four weeks, where nobody would be told, and the address of the calendar for programs. */
export default function RotaPage() {
  return (
    <OverviewPage<RaRecord & RotaRow>
      banner={(record) => <Gaps rota={record} />}
      state={(record) => <OnDuty rota={record} />}
      metrics={(record) => <Calendar rota={record} />}
      main={(record) => <ShiftList rota={record} />}
      aside={(record) => <Feed rota={record} />}
    />
  )
}

/** The shifts of the next four weeks; asked again when the rota was saved. */
function useShifts({ id, updated_at }: RotaRow) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useQuery({
    queryKey: ['rota', 'shifts', id, updated_at],
    queryFn: () => call(rotaEndpoints.rotaShifts, { id }),
  })
}

function OnDuty({ rota: record }: { rota: RotaRow }) {
  const { translate } = useLanguage()
  const name = record.on_duty
  return (
    <ResultText data-result={name ? 'succeeded' : 'failed'}>
      {`${translate('resources.rota.fields.on_duty')}: ${name || translate('app.rota.nobody')}`}
    </ResultText>
  )
}

/** People who would not be told; more are named when somebody asks, so that the calendar stays in view. */
const firstGaps = 2

/** Each person once who would not be told. */
function Gaps({ rota: record }: { rota: RotaRow }) {
  const { translate } = useLanguage()
  const { data } = useShifts(record)
  const gaps = new Map((data?.shifts ?? []).filter(({ problem }) => problem).map((shift) => [shift.user_id, shift]))
  const { shown, ...rest } = useFirstRows([...gaps.values()], firstGaps)
  if (shown.length === 0) return null
  return (
    <Alert severity="warning" sx={{ marginBottom: 1 }}>
      {shown.map(({ user_id, name, problem }) => (
        <div key={user_id}>{translate(`app.rota.gap_${problem}`, { name, id: user_id })}</div>
      ))}
      <ShowAllButton {...rest} />
    </Alert>
  )
}

function Calendar({ rota: record }: { rota: RotaRow }) {
  const { translate } = useLanguage()
  const { data, error, refetch } = useShifts(record)
  const now = useServerClock()
  return (
    <Panel title={translate('app.rota.calendar')} hint={data && translate('app.rota.zone', { zone: data.time_zone })}>
      {error ? <RetryAlert error={error} onRetry={refetch} /> : null}
      {data ? <RotaCalendar shifts={data.shifts} zone={data.time_zone} now={now} /> : null}
    </Panel>
  )
}

/** The same in words. */
function ShiftList({ rota: record }: { rota: RotaRow }) {
  const { translate, locale } = useLanguage()
  const { data } = useShifts(record)
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: data?.time_zone })
  return (
    <Panel title={translate('app.rota.title')}>
      <EventList>
        {(data?.shifts ?? []).map((shift) => (
          <li key={shift.from}>
            <div>
              <ResultText data-result={shift.problem ? 'failed' : 'succeeded'}>
                {shift.name || translate('app.rota.deleted')}
              </ResultText>
              {shift.is_override ? <span>{translate('app.rota.override')}</span> : null}
            </div>
            <time dateTime={shift.from}>{format.formatRange(Date.parse(shift.from), Date.parse(shift.to))}</time>
          </li>
        ))}
      </EventList>
    </Panel>
  )
}

/** The address under which calendar programs read it. */
function Feed({ rota: { id, feed_path } }: { rota: RotaRow }) {
  const { translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const renewal = useMutation({
    mutationFn: () => call(rotaEndpoints.renewRotaFeed, { id }),
    onSuccess: () => refresh(),
  })
  const path = renewal.data?.feed_path ?? feed_path
  const title = translate('resources.rota.fields.feed_path')
  return (
    <Panel title={title} hint={translate('app.rota.feed_hint')}>
      {path ? (
        <Copied text={`${window.location.origin}${path}`} name={title} />
      ) : (
        <p>{translate('app.rota.feed_none')}</p>
      )}
      {path ? <p>{translate('app.rota.feed_renew_hint')}</p> : null}
      {renewal.error ? <Alert severity="error">{translate(renewal.error.message)}</Alert> : null}
      <Button variant="outlined" size="small" loading={renewal.isPending} onClick={() => renewal.mutate()}>
        {translate(path ? 'app.rota.feed_renew' : 'app.rota.feed_create')}
      </Button>
    </Panel>
  )
}

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
function RotaCalendar({ shifts, zone, now }: RotaCalendarProps) {
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
  '& .line': { position: 'relative', height: 32, [theme.breakpoints.down('sm')]: { height: 52 } },
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
    // A day of a phone is as wide as half a name: it takes several lines.
    [theme.breakpoints.down('sm')]: {
      padding: '2px 3px',
      fontSize: 11,
      lineHeight: 1.15,
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
      textOverflow: 'clip',
    },
  },
  '& .line > span[data-turn="1"]': {
    background: theme.vars.palette.sunken,
    borderColor: theme.vars.palette.control,
  },
  '& .line > span[data-override=true]': { borderStyle: 'dashed' },
  '& .line > span[data-problem=true]': {
    borderColor: theme.vars.palette.warning.main,
    borderWidth: 2,
    [theme.breakpoints.up('sm')]: { paddingBlock: 3 },
  },
}))

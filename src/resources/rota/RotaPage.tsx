import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RaRecord, useDataProvider, useRefresh } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList } from '../../components/overview/EventList.tsx'
import { Copied } from '../../components/overview/FactList.tsx'
import { OverviewPage } from '../../components/overview/OverviewPage.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import { rotaEndpoints } from '../../schemas/endpoints/rotaEndpoints.ts'
import type { rota } from '../../schemas/rota.ts'
import { RotaCalendar } from './RotaCalendar.tsx'

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

/** Each person once who would not be told. */
function Gaps({ rota: record }: { rota: RotaRow }) {
  const { translate } = useLanguage()
  const { data } = useShifts(record)
  const gaps = new Map((data?.shifts ?? []).filter(({ problem }) => problem).map((shift) => [shift.user_id, shift]))
  return [...gaps.values()].map(({ user_id, name, problem }) => (
    <Alert key={user_id} severity="warning" sx={{ marginBottom: 1 }}>
      {translate(`app.rota.gap_${problem}`, { name, id: user_id })}
    </Alert>
  ))
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

import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { LinkBase, type RaRecord, useBasename, useDataProvider, useNavigate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { OverviewPage, ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { EventList, Fact, FactList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useStartAction } from '../../engine/actions/ActionRunner.tsx'
import { opensDialog } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { serverNow, useServerClock } from '../../live/serverClock.ts'
import { inspectEndpoints } from '../../schemas/endpoints/inspectEndpoints.ts'
import { NotificationList } from '../delivery/columns.tsx'
import { SnapshotView } from '../server/inspect/SnapshotView.tsx'
import { ChangesBefore } from './ChangesBefore.tsx'
import { type Incident, IncidentDuration, type IncidentPart, IncidentState } from './columns.tsx'
import { IncidentCharts } from './IncidentCharts.tsx'

const firstShown = 20

/** Everything about one incident: what it consists of, who was told, what people did, and what changed before. */
export default function IncidentPage() {
  return (
    <OverviewPage<RaRecord & Incident>
      banner={(record) => <MovedTo id={record.merged_into} />}
      state={() => <IncidentState />}
      buttons={(record) => <AcknowledgeButton record={record} />}
      metrics={() => null}
      main={(record) => <Main incident={record} />}
      aside={(record) => <Facts incident={record} />}
    />
  )
}

/** Leads an old address to the incident that this one has become part of. */
function MovedTo({ id }: { id?: number }) {
  const basename = useBasename()
  const navigate = useNavigate()
  useEffect(() => {
    if (id !== undefined) navigate(`${basename}/incident/${id}/overview`, { replace: true })
  }, [id, basename, navigate])
  return null
}

/** What is done first stands beside the menu, too. */
function AcknowledgeButton({ record }: { record: RaRecord }) {
  const { offers, rowActions, texts } = useScreen()
  const start = useStartAction()
  const acknowledge = rowActions.find((one) => opensDialog(one) && one.action === 'acknowledge')
  if (!acknowledge || !offers(acknowledge, record)) return null
  return (
    <Button variant="contained" onClick={() => start(acknowledge, [record], 'row')}>
      {texts.action('acknowledge', 'label')}
    </Button>
  )
}

function Main({ incident }: { incident: RaRecord & Incident }) {
  const canInspect = useSetting()?.wheelhouse?.inspect === true
  return (
    <>
      <Parts parts={incident.parts ?? []} />
      <IncidentCharts incident={incident} />
      {canInspect ? <IncidentSnapshots parts={incident.parts ?? []} /> : null}
      <Diary incident={incident} />
      <Told incident={incident} />
      <NotificationList filter={{ incident_id: incident.id }} />
      <ChangesBefore incident={incident} />
    </>
  )
}

function Facts({ incident: { started_at, resolved_at, acknowledged_at, acknowledged_by } }: { incident: Incident }) {
  const { translate, locale } = useLanguage()
  const time = (text: string | undefined) => (text ? formatDateTime(Date.parse(text), locale) : undefined)
  const label = (name: string) => translate(`resources.incident.fields.${name}`)
  return (
    <Panel title={translate('app.incident.facts')}>
      <FactList>
        <Fact name={label('started_at')}>{time(started_at)}</Fact>
        <Fact name={translate('resources.incident.columns.duration')}>
          <IncidentDuration />
        </Fact>
        <Fact name={label('acknowledged_by')}>{acknowledged_by}</Fact>
        <Fact name={label('acknowledged_at')}>{time(acknowledged_at)}</Fact>
        <Fact name={label('resolved_at')}>{time(resolved_at)}</Fact>
      </FactList>
    </Panel>
  )
}

/** What it consists of, causes first. */
function Parts({ parts }: { parts: readonly IncidentPart[] }) {
  const { translate } = useLanguage()
  const ordered = [...parts].sort((one, other) => Number(one.role !== 'cause') - Number(other.role !== 'cause'))
  const { shown, ...rest } = useFirstRows(ordered, firstShown)
  return (
    <Panel title={translate('resources.incident.fields.parts')}>
      <EventList>
        {shown.map((part) => (
          <PartEntry
            key={`${part.kind} ${part.id} ${part.server_id} ${part.service_id} ${part.name} ${part.started_at}`}
            part={part}
          />
        ))}
      </EventList>
      <ShowAllButton {...rest} />
    </Panel>
  )
}

function PartEntry({ part }: { part: IncidentPart }) {
  const { translate, locale } = useLanguage()
  const now = useServerClock()
  const from = Date.parse(part.started_at)
  const lasting = lastingTexts[part.kind]
  const length = formatDuration(
    Math.max(1000, (part.ended_at ? Date.parse(part.ended_at) : now) - from) / 1000,
    translate,
  )
  return (
    <li>
      <div>
        {part.paused ? (
          <span title={translate('app.alarm.paused_why')}>{translate('app.alarm.paused')}</span>
        ) : (
          <ResultText data-result={part.ended_at ? 'succeeded' : 'failed'}>
            {!part.ended_at && lasting ? translate(lasting, { duration: length }) : length}
          </ResultText>
        )}
        <PartLink part={part} />
        <span>{translate(`app.incident.kinds.${part.kind}`)}</span>
        <span>{translate(`app.incident.roles.${part.role}`)}</span>
        {part.withdrawn ? <span>{translate('app.alarm.withdrawn')}</span> : null}
      </div>
      <time dateTime={part.started_at}>{formatDateTime(from, locale)}</time>
    </li>
  )
}

/** How it is said that a part lasts. An alarm is not "down", and of a contract only the time is said. */
const lastingTexts: Readonly<Partial<Record<IncidentPart['kind'], string>>> = {
  alarm: 'app.backtest.lasts',
  outage: 'app.overview.lasting',
  offline: 'app.overview.lasting',
}

/** The name of a part, leading to the charts of what it is about. */
function PartLink({ part: { name, server_id, service_id } }: { part: IncidentPart }) {
  const basename = useBasename()
  const path = service_id ? `service/${service_id}` : `server/${server_id}`
  return (
    <LinkBase className="name-link" to={`${basename}/${path}/overview`}>
      <strong>{name}</strong>
    </LinkBase>
  )
}

/** What people did, and what happened by itself. */
function Diary({ incident: { entries = [] } }: { incident: Incident }) {
  const { translate } = useLanguage()
  return (
    <Panel title={translate('resources.incident.fields.entries')}>
      {entries.length === 0 ? <p>{translate('app.incident.no_entries')}</p> : null}
      <EventList>
        {entries.map((entry) => (
          <Dated key={`${entry.at} ${entry.kind} ${entry.name} ${entry.text}`} at={entry.at}>
            <strong>{translate(`app.incident.entries.${entry.kind}`)}</strong>
            {entry.name ? <span>{entry.name}</span> : null}
            {entry.text ? <span style={{ whiteSpace: 'pre-line' }}>{entry.text}</span> : null}
          </Dated>
        ))}
      </EventList>
    </Panel>
  )
}

function Dated({ at, children }: { at: string; children: ReactNode }) {
  const { locale } = useLanguage()
  return (
    <li>
      <div>{children}</div>
      <time dateTime={at}>{formatDateTime(Date.parse(at), locale)}</time>
    </li>
  )
}

/** Which groups were told; the notifications below say whether it arrived. */
function Told({ incident: { notices = [] } }: { incident: Incident }) {
  const { translate } = useLanguage()
  return (
    <Panel title={translate('app.incident.told')}>
      {notices.length === 0 ? <p>{translate('app.incident.nobody_told')}</p> : null}
      <EventList>
        {notices.map((notice) => (
          <Dated key={`${notice.at} ${notice.notification_group_id} ${notice.message}`} at={notice.at}>
            <strong>{notice.notification_group_name}</strong>
            <span>{translate(`app.incident.notices.${notice.kind}`)}</span>
            <span>{notice.message}</span>
          </Dated>
        ))}
      </EventList>
    </Panel>
  )
}

/** Servers: each is a question. More are shown when somebody asks. */
const firstSnapshots = 2
/** Milliseconds in which one may still come, and between two questions meanwhile. */
const awaitedMs = 180_000
const pollMs = 3000

/** What the machines said of themselves when the alarms of an incident began, causes first; one for each machine. */
function IncidentSnapshots({ parts }: { parts: readonly IncidentPart[] }) {
  const alarms = parts
    .filter(({ kind, server_id }) => kind === 'alarm' && server_id > 0)
    .toSorted((one, other) => Number(one.role !== 'cause') - Number(other.role !== 'cause'))
  const first = [...new Map(alarms.toReversed().map((part) => [part.server_id, part])).values()].reverse()
  const { shown, ...rest } = useFirstRows(first, firstSnapshots)
  return (
    <>
      {shown.map((part) => (
        <PartSnapshot key={part.id} part={part} />
      ))}
      <ShowAllButton {...rest} />
    </>
  )
}

/** Nothing where none was taken, or for somebody who may not look into the machine. */
function PartSnapshot({ part: { id, name, started_at } }: { part: IncidentPart }) {
  const { translate, locale } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data } = useQuery({
    queryKey: ['alarm', 'snapshot', id],
    queryFn: () => call(inspectEndpoints.alarmSnapshot, { id }),
    retry: false,
    refetchInterval: ({ state: { data, error } }) =>
      !data?.at && !error && serverNow() - Date.parse(started_at) < awaitedMs && pollMs,
  })
  if (!data?.at) return null
  const time = formatDateTime(Date.parse(data.at), locale)
  return (
    <Panel title={translate('app.alarm.snapshot_of', { name, time })}>
      <SnapshotView snapshot={data} />
    </Panel>
  )
}

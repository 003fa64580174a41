import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useRecordContext, useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDuration, type Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useSetting } from '../../components/useSetting.ts'
import type { Trouble } from '../../domain/trouble/trouble.ts'
import { column, derived } from '../../engine/define/defineResource.ts'
import { serverNow, useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import { incident } from '../../schemas/incident.ts'
import type { incidentStates } from '../../schemas/incidents/incidentRecord.ts'

export type Incident = Row<typeof incident>
export type IncidentPart = NonNullable<Incident['parts']>[number]

/** The text keys of the states of an incident. */
export const incidentStateWords: Readonly<Record<(typeof incidentStates)[number], string>> = {
  open: 'app.incident.open',
  acknowledged: 'app.incident.acknowledged',
  resolved: 'app.incident.resolved',
}

/** Whether it is open, whether somebody is on it, and who, or whether it is over. */
export function IncidentState() {
  const record = useRecordContext<Incident>()
  const translate = useTranslate()
  if (!record?.state) return null
  const word = translate(incidentStateWords[record.state])
  const by = record.state === 'acknowledged' ? record.acknowledged_by : undefined
  return (
    <ResultText data-result={record.state === 'resolved' ? 'succeeded' : 'failed'}>
      {by ? translate('app.incident.acknowledged_by', { name: by }) : word}
    </ResultText>
  )
}

/** How long it lasted; of one that is not resolved, the time counts up. */
export function IncidentDuration() {
  const record = useRecordContext<Incident>()
  const { translate } = useLanguage()
  const now = useServerClock()
  if (!record?.started_at) return null
  return <>{formatDuration(secondsOf(record, now), translate)}</>
}

const secondsOf = ({ started_at = '', resolved_at }: Incident, now: number) =>
  Math.max(0, (resolved_at ? Date.parse(resolved_at) : now) - Date.parse(started_at)) / 1000

/** How many servers and services it is about. */
function IncidentExtent() {
  const record = useRecordContext<Incident>()
  const { translate } = useLanguage()
  return record ? extentOf(record, translate) : null
}

function extentOf({ parts = [] }: Incident, translate: Language['translate']): string {
  const count = (idOf: (part: IncidentPart) => number) => new Set(parts.map(idOf).filter((id) => id > 0)).size
  const counts = [
    ['server', count(({ server_id }) => server_id)],
    ['service', count(({ service_id }) => service_id)],
  ] as const
  return counts
    .flatMap(([name, smart_count]) => (smart_count ? [translate(`resources.${name}.counted`, { smart_count })] : []))
    .join(', ')
}

export const columns = [
  column('state', {
    Cell: IncidentState,
    file: ({ state }: Incident, { language: { translate } }) => (state ? translate(incidentStateWords[state]) : ''),
    width: 190,
  }),
  'title',
  column('started_at'),
  derived('duration', {
    Cell: IncidentDuration,
    file: [{ unit: 's', text: (row: Incident) => String(Math.round(secondsOf(row, serverNow()))) }],
    width: 130,
  }),
  derived('extent', {
    Cell: IncidentExtent,
    file: (row: Incident, { language: { translate } }) => extentOf(row, translate),
  }),
  // The state names who is on it; after the end only this does.
  column('acknowledged_by', { hidden: 'unlessChosen' }),
  'resolved_at',
] as const

/** Milliseconds. */
const refreshInterval = 15_000
/** What goes wrong together is one incident, so there are few; the oldest beyond that are found in their list. */
const mostIncidents = 200

/** The incidents that are not resolved; none until they are known, and with servers that have no incidents. */
export function useOpenIncidents(): readonly Incident[] {
  const dataProvider = useDataProvider()
  const inState = async (state: (typeof incidentStates)[number]) => {
    const pagination = { page: 1, perPage: mostIncidents }
    const params = { filter: { state }, pagination, sort: { field: 'id', order: 'DESC' as const } }
    return (await dataProvider.getList<Incident>(incident.name, params)).data
  }
  const { data = [] } = useQuery({
    queryKey: [incident.name, 'unresolved'],
    queryFn: async () => (await Promise.all([inState('open'), inState('acknowledged')])).flat(),
    enabled: useSetting()?.wheelhouse?.incidents === true,
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  return data
}

/** The incident that a trouble belongs to, if it is among these. */
export function incidentOf(trouble: Trouble, incidents: readonly Incident[]): Incident | undefined {
  return incidents.find(({ parts }) => parts?.some((part) => part.ended_at === undefined && isAbout(part, trouble)))
}

function isAbout(part: IncidentPart, trouble: Trouble): boolean {
  switch (trouble.kind) {
    case 'server_offline':
      // What is wrong with a server that is gone is part of its being gone.
      return part.server_id === trouble.server_id && part.service_id === 0
    case 'alarm':
      return part.kind === 'alarm' && part.server_id === trouble.server_id && part.rule_id === trouble.rule_id
    case 'service_down':
      return part.kind === 'outage' && part.service_id === trouble.service_id
    case 'certificate':
      return part.kind === 'certificate' && part.service_id === trouble.service_id
    default:
      return false
  }
}

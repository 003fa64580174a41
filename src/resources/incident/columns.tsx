import { useRecordContext, useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDuration } from '../../components/format/format.ts'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import { column, derived } from '../../engine/define/column.ts'
import { serverNow, useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import type { incident } from '../../schemas/incident.ts'
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
  'acknowledged_by',
  'resolved_at',
] as const

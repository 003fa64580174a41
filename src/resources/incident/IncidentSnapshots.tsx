import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { ShowAllButton, useFirstRows } from '../../components/overview/useFirstRows.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { serverNow } from '../../live/serverClock.ts'
import { inspectEndpoints } from '../../schemas/endpoints/inspectEndpoints.ts'
import { SnapshotView } from '../server/inspect/SnapshotView.tsx'
import type { IncidentPart } from './columns.tsx'

/** Servers: each is a question. More are shown when somebody asks. */
const firstShown = 2
/** Milliseconds in which one may still come, and between two questions meanwhile. */
const awaitedMs = 180_000
const pollMs = 3000

/** What the machines said of themselves when the alarms of an incident began, causes first; one for each machine. */
export function IncidentSnapshots({ parts }: { parts: readonly IncidentPart[] }) {
  const alarms = parts
    .filter(({ kind, server_id }) => kind === 'alarm' && server_id > 0)
    .toSorted((one, other) => Number(one.role !== 'cause') - Number(other.role !== 'cause'))
  const first = [...new Map(alarms.toReversed().map((part) => [part.server_id, part])).values()].reverse()
  const { shown, ...rest } = useFirstRows(first, firstShown)
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

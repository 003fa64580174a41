import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDataProvider, useGetList } from 'react-admin'
import { formatDateTime, type Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { everyRowByName, type Row } from '../../records/queryRows.ts'
import { audit } from '../../schemas/audit.ts'
import { allows } from '../../schemas/define/access.ts'
import { type Change, changeEndpoints } from '../../schemas/endpoints/changeEndpoints.ts'
import { type TaskRun, taskRunEndpoints } from '../../schemas/endpoints/taskRunEndpoints.ts'
import { entities } from '../../schemas/index.ts'
import { server } from '../../schemas/server.ts'
import { actionText, targetText } from '../audit/columns.tsx'
import type { Incident } from './columns.tsx'

type AuditEntry = Row<typeof audit>

const hourMs = 3_600_000
/** The latest changes, runs and audit lines among which those of the hour before are looked for. */
const mostRead = 500
/** Each server is one question to the console. */
const mostServers = 4
const firstShown = 20

/**
 * What happened in the hour before, as far as it is known: records that people changed, runs of tasks on its servers
 * and, for administrators, what else the audit log has: sign-ins, terminals, other versions of agents.
 */
export function ChangesBefore({ incident: { started_at = '', parts = [] } }: { incident: Incident }) {
  const language = useLanguage()
  const { translate } = language
  const startedAt = Date.parse(started_at)
  const isBefore = (at: string) => Date.parse(at) <= startedAt && Date.parse(at) > startedAt - hourMs
  const changes = useChanges(startedAt)
  const runs = useRuns([...new Set(parts.map(({ server_id }) => server_id).filter((id) => id > 0))])
  const lines = useAuditLines(startedAt)
  const all = [
    ...(changes ?? []).filter(({ at }) => isBefore(at)).map((change) => changeEntry(change, language)),
    ...runs.filter((run) => isBefore(run.started_at) && !isStartedIn(lines, run)).map((run) => runEntry(run, language)),
    ...lines.filter(({ action }) => !isRecordChange(action)).map((line) => auditEntry(line, language)),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const { shown, ...rest } = useFirstRows(all, firstShown)
  if (!changes && all.length === 0) return null
  return (
    <Panel title={translate('app.incident.changes_before')}>
      {all.length === 0 ? <p>{translate('app.incident.no_changes')}</p> : null}
      <EventList>
        {shown.map(({ key, at, what }) => (
          <li key={key}>
            <div>{what}</div>
            <time dateTime={at}>{formatDateTime(Date.parse(at), language.locale)}</time>
          </li>
        ))}
      </EventList>
      <ShowAllButton {...rest} />
    </Panel>
  )
}

function useChanges(startedAt: number): readonly Change[] | undefined {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const areStored = useSetting()?.wheelhouse?.changes === true
  const { data } = useQuery({
    queryKey: ['incident', 'changes', startedAt],
    queryFn: () => call(changeEndpoints.changes, { limit: mostRead }),
    enabled: areStored,
  })
  return data?.value
}

function useRuns(servers: readonly number[]): readonly TaskRun[] {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const areStored = useSetting()?.wheelhouse?.task_runs === true
  const { data: all = [] } = useGetList<Row<typeof server>>(server.name, everyRowByName)
  const listed = new Set(all.map(({ id }) => Number(id)))
  return useQueries({
    // One that was deleted has none.
    queries: servers
      .filter((id) => listed.has(id))
      .slice(0, mostServers)
      .map((id) => ({
        queryKey: ['incident', 'runs', id],
        queryFn: () => call(taskRunEndpoints.serverRuns, { id, limit: mostRead }),
        enabled: areStored,
      })),
    combine: (replies) => replies.flatMap(({ data }) => data?.value ?? []),
  })
}

function useAuditLines(startedAt: number): readonly AuditEntry[] {
  const { identity } = useIdentity()
  const isKept = useSetting()?.wheelhouse?.audit === true
  const mayList = allows(identity?.role, audit.access.list) && isKept
  const at = [startedAt - hourMs, startedAt].map((time) => new Date(time).toISOString()).join('/')
  const pagination = { page: 1, perPage: mostRead }
  const { data = [] } = useGetList<AuditEntry>(audit.name, { filter: { at }, pagination }, { enabled: mayList })
  return data
}

/** The list of changes has it, field by field. */
function isRecordChange(action = ''): boolean {
  const [area = '', verb = ''] = action.split('.')
  return (area in entities || area === 'setting') && ['create', 'update', 'delete'].includes(verb)
}

/** The audit log has it, with who did it. */
const isStartedIn = (lines: readonly AuditEntry[], { cause, cron_id }: TaskRun) =>
  cause === 'manual' && lines.some(({ action, target }) => action === 'cron.run' && target === `cron ${cron_id}`)

interface Entry {
  key: string
  at: string
  what: ReactNode
}

const changeEntry = (change: Change, { translate }: Language): Entry => ({
  key: `change ${change.id}`,
  at: change.at,
  what: (
    <>
      <strong>{translate(`resources.${change.entity}.name`, { smart_count: 1, _: change.entity })}</strong>
      <span>{change.record_name}</span>
      <span>{translate(`app.changes.actions.${change.action}`, { who: change.username || '–' })}</span>
    </>
  ),
})

const runEntry = ({ id, started_at, cron_name, server_name, cause }: TaskRun, { translate }: Language): Entry => ({
  key: `run ${id}`,
  at: started_at,
  what: (
    <>
      <strong>{translate('app.charts.marks.run')}</strong>
      <span>{cron_name}</span>
      <span>{server_name}</span>
      <span>{translate(`app.task_runs.causes.${cause}`, { _: cause })}</span>
    </>
  ),
})

const auditEntry = (line: AuditEntry, { translate }: Language): Entry => ({
  key: `audit ${line.id}`,
  at: line.at ?? '',
  what: (
    <>
      <strong>{actionText(line, translate)}</strong>
      {line.username ? <span>{line.username}</span> : null}
      <span>{targetText(line, translate)}</span>
    </>
  ),
})

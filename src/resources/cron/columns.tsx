import '../../components/theme/cells.css'
import { useQuery } from '@tanstack/react-query'
import { use, useMemo } from 'react'
import { LinkBase, useDataProvider, useRecordContext, useTranslate } from 'react-admin'
import { CopyCell } from '../../components/cells/CopyCell.tsx'
import { ResultText } from '../../components/cells/ResultText.tsx'
import type { TimeMark } from '../../components/charts/plot/chartSeries.ts'
import { beginOfPeriod, type ChartPeriod } from '../../components/charts/useHistory.ts'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { RecordLink, ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { CronError, type CronExpression, parseCron } from '../../domain/cron/cronExpression.ts'
import { nextRun } from '../../domain/cron/cronRuns.ts'
import { column, derived } from '../../engine/define/defineResource.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { useAddresses } from '../../engine/define/screen.ts'
import { isZeroTime } from '../../live/lastReport.ts'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import type { cron } from '../../schemas/cron.ts'
import { type TaskRun, taskRunEndpoints } from '../../schemas/endpoints/taskRunEndpoints.ts'

type Task = Row<typeof cron>

/**
 * The result of the last run as a dot and a word, which lead to the runs where the server keeps them; empty before the
 * first run. Servers leave out `false`.
 */
export function TaskResult() {
  const record = useRecordContext<Task>()
  const translate = useTranslate()
  const addresses = useAddresses()
  const hasRuns = use(AnnouncedFeaturesContext)?.has('task_runs')
  const result = record && resultOf(record)
  if (!result) return null
  const text = <ResultText data-result={result}>{translate(`resources.cron.values.${result}`)}</ResultText>
  if (!hasRuns) return text
  return (
    <LinkBase
      className="cell-link"
      to={addresses.dialog(record.id, 'runs')}
      title={translate('resources.cron.values.show_runs')}
    >
      {text}
    </LinkBase>
  )
}

/** How the last run ended; `undefined` before the first one. */
function resultOf({ last_executed_at, last_result }: Task) {
  if (!last_executed_at || isZeroTime(last_executed_at)) return undefined
  return last_result ? 'succeeded' : 'failed'
}

/** What became of a task and when it comes next stand first: the rest is how it was set up. */
export const columns = [
  column('id'),
  column('name'),
  column('last_result', {
    Cell: TaskResult,
    file: (row: Task, { language: { translate } }) => {
      const result = resultOf(row)
      return result === undefined ? '' : translate(`resources.cron.values.${result}`)
    },
  }),
  column('last_executed_at'),
  derived('next_run', { Cell: NextRun, sort: false, file: [] }),
  column('task_type'),
  column('scheduler'),
  column('command', { Cell: () => <CopyCell source="command" /> }),
  column('notification_group_id'),
  column('push_successful'),
  column('cover'),
  column('servers'),
]

/** When a task runs next, by its expression; empty for one that waits for an alarm, and for one that never runs. */
function NextRun() {
  const task = useRecordContext<Row<typeof cron>>()
  const { translate, locale } = useLanguage()
  const now = useServerClock()
  const serverZone = useSetting()?.wheelhouse?.timezone
  const scheduler = task?.task_type === 1 ? '' : (task?.scheduler ?? '')
  const expression = useMemo(() => expressionOf(scheduler), [scheduler])
  const zone = serverZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const at = useMemo(
    () => (expression?.kind === 'clock' ? nextRun(expression, now, zone) : undefined),
    [expression, now, zone],
  )
  if (expression?.kind === 'every') {
    return translate('resources.cron.values.next_within', { duration: formatDuration(expression.seconds, translate) })
  }
  if (at === undefined) return null
  return (
    <time
      dateTime={new Date(at).toISOString()}
      // Nezha servers do not say by which clock they run tasks.
      title={serverZone ? undefined : translate('app.cron_calendar.zone_unknown', { zone })}
    >
      {formatDateTime(at, locale, 'short')}
    </time>
  )
}

/** `undefined` without an expression, and for one that cannot be read: its form says what is wrong with it. */
function expressionOf(text: string): CronExpression | undefined {
  if (text.trim() === '') return undefined
  try {
    return parseCron(text)
  } catch (error) {
    if (error instanceof CronError) return undefined
    throw error
  }
}

const firstShown = 10

/** The task runs on a server in the period of the charts, latest first; absent without any. */
export function RunList({ runs }: { runs: readonly TaskRun[] }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const { shown, ...rest } = useFirstRows(runs, firstShown)
  if (runs.length === 0) return null
  return (
    <Panel title={translate('app.overview.runs')}>
      <EventList>
        {shown.map((run) => (
          <li key={run.id}>
            <div>
              <RunState run={run} />
              <RecordLink entity="cron" record={{ id: run.cron_id }} dialog="runs">
                {run.cron_name || `#${run.cron_id}`}
              </RecordLink>
              {run.reason ? (
                <span>{translate(`app.task_runs.reasons.${run.reason}`, { _: run.reason, code: run.exit_code })}</span>
              ) : null}
            </div>
            <div>
              <time dateTime={run.started_at}>{formatDateTime(Date.parse(run.started_at), locale)}</time>
              {run.ended_at ? <span>{formatDuration(secondsOf(run), translate)}</span> : null}
            </div>
          </li>
        ))}
      </EventList>
      <ShowAllButton {...rest} />
    </Panel>
  )
}

/** How a run ended, as a dot and a word. */
export function RunState({ run }: { run: Pick<TaskRun, 'state'> }) {
  const translate = useTranslate()
  return (
    <ResultText data-result={isGood(run) ? 'succeeded' : 'failed'}>
      {translate(`app.task_runs.states.${run.state}`, { _: run.state })}
    </ResultText>
  )
}

const secondsOf = ({ started_at, ended_at }: TaskRun) =>
  Math.max(0, Date.parse(String(ended_at)) - Date.parse(started_at)) / 1000

const refreshMs = 30_000
/** The latest runs: more marks in a chart could not be told apart. */
const maxRuns = 500

/** The latest task runs on a server, latest first; `undefined` while loading, and where the server keeps none. */
export function useServerRuns(id: number): readonly TaskRun[] | undefined {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const hasRuns = useSetting()?.wheelhouse?.task_runs === true
  const { data } = useQuery({
    queryKey: ['cron', 'runs', 'server', id],
    queryFn: () => call(taskRunEndpoints.serverRuns, { id, limit: maxRuns }),
    enabled: hasRuns,
    refetchInterval: refreshMs,
  })
  return data?.value
}

/** The last run of each task on a server, by the id of the task. */
export const lastRuns = (runs: readonly TaskRun[]): ReadonlyMap<number, TaskRun> =>
  new Map([...runs].reverse().map((run) => [run.cron_id, run]))

/** The runs that began in the period. */
export function useRunsIn(period: ChartPeriod, runs: readonly TaskRun[] | undefined): readonly TaskRun[] {
  return useMemo(() => {
    const from = beginOfPeriod(period, Date.now())
    return (runs ?? []).filter(({ started_at }) => Date.parse(started_at) >= from)
  }, [period, runs])
}

/** Whether nothing went wrong so far. */
const isGood = ({ state }: Pick<TaskRun, 'state'>) => state === 'succeeded' || state === 'running'

/** Runs as marks in charts. */
export const runMarks = (runs: readonly TaskRun[]): TimeMark[] =>
  runs.map((run) => ({
    kind: isGood(run) ? 'run' : 'failedRun',
    from: Date.parse(run.started_at),
    to: Date.parse(run.ended_at ?? run.started_at),
    text: run.cron_name,
  }))

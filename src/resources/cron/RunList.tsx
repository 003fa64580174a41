import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import type { TimeMark } from '../../components/charts/plot/chartSeries.ts'
import { beginOfPeriod, type ChartPeriod } from '../../components/charts/useHistory.ts'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { RecordLink, ShowAllButton, useFirstRows } from '../../components/overview/RelatedList.tsx'
import { EventList, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { TaskRun } from '../../schemas/endpoints/taskRun.ts'
import { taskRunEndpoints } from '../../schemas/endpoints/taskRunEndpoints.ts'

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

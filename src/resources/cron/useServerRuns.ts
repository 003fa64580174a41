import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDataProvider } from 'react-admin'
import type { TimeMark } from '../../components/charts/plot/timeMarks.ts'
import { beginOfPeriod, type ChartPeriod } from '../../components/charts/useHistory.ts'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { TaskRun } from '../../schemas/endpoints/taskRun.ts'
import { taskRunEndpoints } from '../../schemas/endpoints/taskRunEndpoints.ts'

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
export const isGood = ({ state }: Pick<TaskRun, 'state'>) => state === 'succeeded' || state === 'running'

/** Runs as marks in charts. */
export const runMarks = (runs: readonly TaskRun[]): TimeMark[] =>
  runs.map((run) => ({
    kind: isGood(run) ? 'run' : 'failedRun',
    from: Date.parse(run.started_at),
    to: Date.parse(run.ended_at ?? run.started_at),
    text: run.cron_name,
  }))

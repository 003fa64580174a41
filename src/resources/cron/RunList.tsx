import { useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { EventList } from '../../components/overview/EventList.tsx'
import { RecordLink } from '../../components/overview/RelatedList.tsx'
import { ShowAllButton, useFirstRows } from '../../components/overview/useFirstRows.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { TaskRun } from '../../schemas/endpoints/taskRun.ts'
import { isGood } from './useServerRuns.ts'

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

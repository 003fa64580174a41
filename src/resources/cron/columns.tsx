import '../../components/theme/cells.css'
import { use, useMemo } from 'react'
import { LinkBase, useRecordContext, useTranslate } from 'react-admin'
import { CopyCell } from '../../components/cells/CopyCell.tsx'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useSetting } from '../../components/useSetting.ts'
import { CronError } from '../../domain/cron/cronError.ts'
import { type CronExpression, parseCron } from '../../domain/cron/cronExpression.ts'
import { nextRun } from '../../domain/cron/cronRuns.ts'
import { column, derived } from '../../engine/define/defineResource.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/rights.tsx'
import { useAddresses } from '../../engine/define/screen.ts'
import { isZeroTime } from '../../live/lastReport.ts'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import type { cron } from '../../schemas/cron.ts'

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

import { useMemo } from 'react'
import { useRecordContext } from 'react-admin'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useSetting } from '../../components/useSetting.ts'
import { CronError } from '../../domain/cron/cronError.ts'
import { type CronExpression, parseCron } from '../../domain/cron/cronExpression.ts'
import { nextRun } from '../../domain/cron/cronRuns.ts'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import type { cron } from '../../schemas/cron.ts'

/** When a task runs next, by its expression; empty for one that waits for an alarm, and for one that never runs. */
export function NextRun() {
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

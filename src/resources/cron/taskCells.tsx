import { use } from 'react'
import { LinkBase, useRecordContext, useTranslate } from 'react-admin'
import { CopyCell } from '../../components/cells/CopyCell.tsx'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { useAddresses } from '../../engine/define/screen.ts'
import { isZeroTime } from '../../live/lastReport.ts'
import '../../components/theme/cells.css'

/**
 * The result of the last run as a dot and a word, which lead to the runs where the server keeps them; empty before the
 * first run. Servers leave out `false`.
 */
export function TaskResult() {
  const record = useRecordContext()
  const translate = useTranslate()
  const addresses = useAddresses()
  const hasRuns = use(AnnouncedFeaturesContext)?.has('task_runs')
  const result = record && taskResultOf(record)
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
export function taskResultOf({ last_executed_at, last_result }: Readonly<Record<string, unknown>>) {
  if (!last_executed_at || isZeroTime(String(last_executed_at))) return undefined
  return last_result ? 'succeeded' : 'failed'
}

export const TaskCommand = () => <CopyCell source="command" />

import { useRecordContext, useTranslate } from 'react-admin'
import { isZeroTime } from '../../live/lastReport.ts'
import { CopyCell } from './CopyCell.tsx'
import { ResultText } from './ResultText.tsx'

/** The result of the last run as a dot and a word; empty before the first run. Servers leave out `false`. */
export function TaskResult() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record?.last_executed_at || isZeroTime(record.last_executed_at)) return null
  const result = record.last_result ? 'succeeded' : 'failed'
  return <ResultText data-result={result}>{translate(`resources.cron.values.${result}`)}</ResultText>
}

export const TaskCommand = () => <CopyCell source="command" />

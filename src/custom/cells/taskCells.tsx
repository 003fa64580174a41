import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import { isZeroTime } from '../../live/lastReport.ts'

/** How the last run went, as a dot and a word; nothing where there was none. Servers leave `false` out. */
export function TaskResult() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record?.last_executed_at || isZeroTime(record.last_executed_at)) return null
  const result = record.last_result ? 'succeeded' : 'failed'
  return <ResultText data-result={result}>{translate(`resources.cron.values.${result}`)}</ResultText>
}

/** A word behind a dot: green where `data-result` is `succeeded`, else red. */
export const ResultText = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  '&::before': { content: '""', width: 8, height: 8, borderRadius: 4, background: theme.vars.palette.error.main },
  '&[data-result=succeeded]::before': { background: theme.vars.palette.success.main },
}))

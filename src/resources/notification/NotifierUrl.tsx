import Typography from '@mui/material/Typography'
import { useRecordContext, useTranslate } from 'react-admin'
import { CopyCell } from '../../components/cells/CopyCell.tsx'
import { ResultText } from '../../components/cells/ResultText.tsx'
import type { Row } from '../../records/queryRows.ts'
import type { notification } from '../../schemas/notification.ts'

/** The address of a notifier with a copy button, where the server shows it; or that its receiver refused events. */
export function NotifierUrl() {
  const record = useRecordContext<Row<typeof notification>>()
  const translate = useTranslate()
  if (record?.stopped_at) {
    return <ResultText data-result="failed">{translate('resources.notification.values.stopped')}</ResultText>
  }
  if (record?.url) return <CopyCell source="url" />
  return (
    <Typography component="span" variant="inherit" color="textSecondary">
      {translate('resources.notification.values.url_concealed')}
    </Typography>
  )
}

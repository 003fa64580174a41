import Typography from '@mui/material/Typography'
import { useRecordContext, useTranslate } from 'react-admin'
import { CopyCell } from './text/CopyCell.tsx'

/** The address of a notifier with a copy button, where the server shows it. */
export function NotifierUrl() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (record?.url) return <CopyCell source="url" />
  return (
    <Typography component="span" variant="inherit" color="textSecondary">
      {translate('resources.notification.values.url_concealed')}
    </Typography>
  )
}

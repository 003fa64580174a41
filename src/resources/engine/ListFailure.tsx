import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useListContext, useTranslate } from 'react-admin'

/** In place of rows: what the server said, and a way to try again. An empty table would be a lie. */
export function ListFailure() {
  const { error, refetch } = useListContext()
  const translate = useTranslate()
  const words = translate((error as Error | null)?.message || 'app.toast.unexpected')
  return (
    <Alert
      severity="error"
      variant="outlined"
      action={
        <Button color="inherit" size="small" onClick={() => refetch()}>
          {translate('app.list.retry')}
        </Button>
      }
    >
      {translate('app.list.error', { error: words })}
    </Alert>
  )
}

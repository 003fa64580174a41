import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import type { SxProps } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'

interface RetryAlertProps {
  /** Its message is a text key, or the server's own words. */
  error?: Error | null
  /** Shown instead of the error. */
  children?: ReactNode
  onRetry: () => unknown
  isRetrying?: boolean
  sx?: SxProps
}

/** Shown in place of what could not be fetched: the error, and a button to try again. */
export function RetryAlert({ error, children, onRetry, isRetrying, sx }: RetryAlertProps) {
  const translate = useTranslate()
  return (
    <Alert
      severity="error"
      variant="outlined"
      sx={sx}
      action={
        <Button color="inherit" size="small" loading={isRetrying} onClick={() => void onRetry()}>
          {translate('app.list.retry')}
        </Button>
      }
    >
      {children ?? translate(error?.message || 'app.toast.unexpected')}
    </Alert>
  )
}

import CircularProgress from '@mui/material/CircularProgress'
import { useTranslate } from 'react-admin'
import { RetryAlert } from './RetryAlert.tsx'

interface PendingDataProps {
  /** `undefined` until something was fetched. Data from before an error stays on screen. */
  data: unknown
  error: Error | null
  onRetry: () => unknown
}

/** Stands where data will be: a progress indicator, or the error and a button to try again. */
export function PendingData({ data, error, onRetry }: PendingDataProps) {
  const translate = useTranslate()
  if (data !== undefined) return null
  if (error) return <RetryAlert error={error} onRetry={onRetry} />
  return <CircularProgress size={24} aria-label={translate('app.list.loading')} />
}

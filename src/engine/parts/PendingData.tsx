import CircularProgress from '@mui/material/CircularProgress'
import { useTranslate } from 'react-admin'
import { RetryAlert } from './RetryAlert.tsx'

interface PendingDataProps {
  /** `undefined` until something was fetched. Data from before an error stays on screen. */
  data: unknown
  error: Error | null
  onRetry: () => unknown
}

/** Pixels: room for a short list, so that what follows moves little when it comes. */
const minHeight = 110

/** Stands where data will be: a progress indicator, or the error and a button to try again. */
export function PendingData({ data, error, onRetry }: PendingDataProps) {
  const translate = useTranslate()
  if (data !== undefined) return null
  if (error) return <RetryAlert error={error} onRetry={onRetry} />
  return (
    <div style={{ minHeight }}>
      <CircularProgress size={24} aria-label={translate('app.list.loading')} />
    </div>
  )
}

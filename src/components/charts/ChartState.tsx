import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTimeout, useTranslate } from 'react-admin'

/** Milliseconds before the word 'Loading' appears: faster replies would only make it flicker. */
const loadingTextDelay = 200

/**
 * Placeholder with the height of a chart, so that nothing moves when the chart is drawn.
 * @param rows how many rows of charts will come: what follows them is below the window until then
 */
export function LoadingChart({ rows = 1 }: { rows?: number }) {
  const translate = useTranslate()
  const isLate = useTimeout(loadingTextDelay)
  return (
    <Place style={{ minHeight: rows * chartHeight }}>
      {isLate ? <p role="status">{translate('app.list.loading')}</p> : null}
    </Place>
  )
}

/** Shown instead of a chart without data: the reason, and what to do. */
export const EmptyChart = ({ children }: { children: ReactNode }) => (
  <Place>
    <p>{children}</p>
  </Place>
)

/** The server's error message, and a Retry button. */
export function FailedChart({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const translate = useTranslate()
  return (
    <Alert
      severity="error"
      variant="outlined"
      action={
        <Button color="inherit" size="small" onClick={onRetry}>
          {translate('app.list.retry')}
        </Button>
      }
    >
      {translate('app.charts.error', { error: translate(error.message || 'app.toast.unexpected') })}
    </Alert>
  )
}

/** Pixels. */
const chartHeight = 300

const Place = styled('div')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  minHeight: chartHeight,
  color: theme.vars.palette.text.secondary,
  textAlign: 'center',
  '& p': { margin: 0, maxWidth: 480 },
}))

/** Charts side by side, as many as there is room for; two on paper. */
export const ChartGrid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 400px), 1fr))',
  gap: theme.spacing(3, 4),
  marginTop: theme.spacing(2),
  '& > *': { minWidth: 0 },
  '@media print': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
}))

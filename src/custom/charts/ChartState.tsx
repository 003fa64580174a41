import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTimeout, useTranslate } from 'react-admin'

const patience = 200

/** In place of a chart, as high as the chart will be, so that nothing moves when it comes. */
export function LoadingChart() {
  const translate = useTranslate()
  const isLate = useTimeout(patience)
  return <Place>{isLate ? <p role="status">{translate('app.list.loading')}</p> : null}</Place>
}

/** In place of a chart that there is nothing for: why, and what to do. */
export const EmptyChart = ({ children }: { children: ReactNode }) => (
  <Place>
    <p>{children}</p>
  </Place>
)

/** What the server said instead of figures, and a way to ask again. */
export function FailedChart({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const translate = useTranslate()
  const words = translate(error.message || 'app.toast.unexpected')
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
      {translate('app.charts.error', { error: words })}
    </Alert>
  )
}

const Place = styled('div')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  minHeight: 300,
  color: theme.vars.palette.text.secondary,
  textAlign: 'center',
  '& p': { margin: 0, maxWidth: 480 },
}))

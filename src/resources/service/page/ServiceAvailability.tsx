import Alert from '@mui/material/Alert'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { FailedChart } from '../../../components/charts/ChartState.tsx'
import { dailyAvailability } from '../../../domain/availability.ts'
import { useTrouble } from '../../../live/trouble.ts'
import { useServiceOverview } from '../useServiceOverview.ts'
import { AvailabilityStrip } from './AvailabilityStrip.tsx'

/**
 * The last 30 days of a service, and why a check failed that did not make it down: why it is down stands above the page.
 * All server versions report these.
 */
export function ServiceAvailability({ id }: { id: number }) {
  const translate = useTranslate()
  const { data, error, dataUpdatedAt, refetch } = useServiceOverview(({ services }) => ({ summary: services?.[id] }))
  const summary = data?.summary
  const isDown = useTrouble(
    ({ troubles }) => troubles?.some((one) => one.kind === 'service_down' && one.service_id === id) === true,
  )
  const days = useMemo(
    () => dailyAvailability(summary?.up ?? noChecks, summary?.down ?? noChecks, dataUpdatedAt),
    [summary, dataUpdatedAt],
  )
  if (!data)
    return error ? <FailedChart error={error} onRetry={() => void refetch()} /> : <div style={{ height: 78 }} />
  return (
    <>
      {summary?.not_permitted ? (
        <Alert severity="info" sx={{ marginBottom: 2 }}>
          {translate('app.charts.not_permitted')} {summary.problem}
        </Alert>
      ) : summary?.problem && !isDown ? (
        <Alert severity="warning" sx={{ marginBottom: 2 }}>
          {summary.problem}
        </Alert>
      ) : null}
      <AvailabilityStrip days={days} />
    </>
  )
}

/** For a service that the server does not report yet: thirty days without a check. */
const noChecks: readonly number[] = Array.from({ length: 30 }, () => 0)

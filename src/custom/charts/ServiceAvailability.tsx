import Alert from '@mui/material/Alert'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { formatDateTime } from '../format/format.ts'
import { useLanguage } from '../format/useLanguage.ts'
import { useServiceOverview } from '../hooks/useServiceOverview.ts'
import { AvailabilityStrip } from './AvailabilityStrip.tsx'
import { dailyAvailability } from './availability.ts'
import { FailedChart } from './ChartState.tsx'

/** The last 30 days of a service, and what is to be said about it now. Servers of every age tell them. */
export function ServiceAvailability({ id }: { id: number }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const { data, error, dataUpdatedAt, refetch } = useServiceOverview(({ services }) => ({ figures: services?.[id] }))
  const figures = data?.figures
  const days = useMemo(
    () => dailyAvailability(figures?.up ?? nothing, figures?.down ?? nothing, dataUpdatedAt),
    [figures, dataUpdatedAt],
  )
  if (!data)
    return error ? <FailedChart error={error} onRetry={() => void refetch()} /> : <div style={{ height: 78 }} />
  const expires = figures?.certificate_expires_at
  return (
    <>
      {figures?.not_permitted ? (
        <Alert severity="info">
          {translate('app.charts.not_permitted')} {figures.problem}
        </Alert>
      ) : figures?.problem ? (
        <Alert severity="warning">{figures.problem}</Alert>
      ) : null}
      <AvailabilityStrip days={days} />
      {expires ? (
        <div>{translate('app.charts.certificate', { date: formatDateTime(Date.parse(expires), locale) })}</div>
      ) : null}
    </>
  )
}

/** A service that the server does not tell of yet: thirty days without a check. */
const nothing: readonly number[] = Array.from({ length: 30 }, () => 0)

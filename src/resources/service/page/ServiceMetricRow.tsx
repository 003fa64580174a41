import { type RaRecord, useTranslate } from 'react-admin'
import { formatDateTime, formatDuration, formatNumber, formatPercentFloor } from '../../../components/format/format.ts'
import { formatMetric } from '../../../components/format/formatMetric.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../../components/overview/MetricRow.tsx'
import { serverNow } from '../../../live/serverClock.ts'
import { serviceMetrics } from '../serviceHealth.ts'
import { useServiceOverview } from '../useServiceOverview.ts'

/** How a service does now and did in the last 30 days, and how long its certificate is still valid. */
export function ServiceMetricRow({ service }: { service: RaRecord }) {
  const translate = useTranslate()
  const language = useLanguage()
  const { locale } = language
  const { data } = useServiceOverview(({ services }) => services?.[String(service.id)])
  const { percent, ms } = data ? serviceMetrics(data) : {}
  const recent = data ? data.current_up + data.current_down : 0
  const expires = data?.certificate_expires_at && Date.parse(data.certificate_expires_at)
  return (
    <MetricRow aria-label={translate('app.overview.live')}>
      <Metric
        label={translate('app.overview.availability')}
        value={percent === undefined ? undefined : formatPercentFloor(percent, locale)}
        detail={translate('app.overview.last_30_days')}
      />
      <Metric
        label={translate('app.charts.latency')}
        value={ms === undefined ? undefined : formatMetric(ms, 'ms', language)}
        detail={translate('app.overview.average_today')}
      />
      <Metric
        label={translate('app.overview.latest_checks')}
        value={
          data && recent > 0 ? `${formatNumber(data.current_up, locale)} / ${formatNumber(recent, locale)}` : undefined
        }
        detail={translate('app.overview.succeeded')}
      />
      {expires ? (
        <Metric
          label={translate('app.overview.certificate')}
          value={
            expires <= serverNow()
              ? translate('app.overview.expired')
              : formatDuration((expires - serverNow()) / 1000, translate, 1)
          }
          detail={translate('app.overview.until', { date: formatDateTime(expires, locale) })}
        />
      ) : null}
    </MetricRow>
  )
}

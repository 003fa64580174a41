import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { formatBytes, formatDateTime, formatNumber, formatPercent } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { useServerRow } from '../../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { contractEnd, daysUntil, pricePerMonth } from '../../../domain/contract/contractTimes.ts'
import { serverNow } from '../../../live/serverClock.ts'
import { quotaPercent, setTraffic, useTrafficOf } from '../../../live/traffic.ts'
import { type TrafficOfPeriod, trafficEndpoints } from '../../../schemas/endpoints/trafficEndpoints.ts'
import '../../../components/theme/cells.css'

const warningFrom = 80
const dangerFrom = 100
const None = () => <span className="none">–</span>

/** The share of a quota as a bar: yellow from 80 %, red from 100 %. */
export function QuotaBar({ traffic }: { traffic: TrafficOfPeriod }) {
  const { locale } = useLanguage()
  const percent = quotaPercent(traffic)
  if (percent === undefined) return <>{formatBytes(traffic.used, locale)}</>
  const level = percent >= dangerFrom ? 'danger' : percent >= warningFrom ? 'warning' : 'normal'
  const title = `${formatBytes(traffic.used, locale)} / ${formatBytes(traffic.quota_bytes, locale)}`
  return (
    <span className="cell-meter" title={title}>
      <span className="track" data-level={level}>
        <span style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span className="percent">{percentText(percent, locale)}</span>
    </span>
  )
}

/** There is room for three digits: beyond, nobody compares. */
const percentText = (percent: number, locale: string) =>
  percent < 1000 ? formatPercent(percent, locale) : `>${formatPercent(999, locale)}`

/** Milliseconds: traffic is looked at in days. */
const refreshInterval = 60_000

/** The traffic of a server in the present period, in one request for all servers; `undefined` while loading. */
function useTraffic(id: number | string | undefined) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  useQuery({
    queryKey: ['server', 'traffic'],
    queryFn: async () => {
      const periods = await call(trafficEndpoints.traffic, { period: '' })
      setTraffic(periods)
      return periods.length
    },
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  return useTrafficOf(id)
}

export function QuotaMeter() {
  const traffic = useTraffic(useServerRow()?.id)
  return traffic ? <QuotaBar traffic={traffic} /> : <None />
}

export function Forecast() {
  const { locale } = useLanguage()
  const forecast = useTraffic(useServerRow()?.id)?.forecast
  return forecast === undefined ? <None /> : formatBytes(forecast, locale)
}

export function DaysToReset() {
  const to = useTraffic(useServerRow()?.id)?.to
  return to ? <Days at={Date.parse(to)} /> : <None />
}

export function DaysToEnd() {
  const contract = useServerRow()?.contract
  const end = contract ? contractEnd(contract, serverNow()) : undefined
  return end === undefined ? <None /> : <Days at={end} />
}

/** Days until a moment, with the moment on hover. @param at milliseconds since 1970 */
export function Days({ at }: { at: number }) {
  const { locale } = useLanguage()
  return <span title={formatDateTime(at, locale, 'short')}>{formatNumber(daysUntil(at, serverNow()), locale)}</span>
}

export function MonthlyPrice() {
  const { locale } = useLanguage()
  const contract = useServerRow()?.contract
  const price = contract ? pricePerMonth(contract) : undefined
  return price === undefined ? <None /> : priceText(price, contract?.currency ?? '', locale)
}

/** A price in its currency; without one, the number. */
export const priceText = (price: number, currency: string, locale: string): string =>
  currency === ''
    ? formatNumber(price, locale, 2)
    : new Intl.NumberFormat(locale, { style: 'currency', currency }).format(price)

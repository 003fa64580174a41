import { useMemo } from 'react'
import { type RaRecord, useTranslate } from 'react-admin'
import { usePeriod } from '../../../components/charts/usePeriod.ts'
import { formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { OverviewPage } from '../../../components/overview/OverviewPage.tsx'
import { Panel } from '../../../components/Panel.tsx'
import type { Row } from '../../../records/queryRows.ts'
import type { service as serviceEntity } from '../../../schemas/service.ts'
import { NotificationList } from '../../delivery/NotificationList.tsx'
import { TroubleBanner } from '../../server/trouble/TroubleBanner.tsx'
import ServiceStatus from '../ServiceStatus.tsx'
import { CheckDetails } from './CheckDetails.tsx'
import { OutageList } from './OutageList.tsx'
import { ServiceAvailability } from './ServiceAvailability.tsx'
import { ServiceFacts, ServiceRelations } from './ServiceFacts.tsx'
import { ServiceLatencyChart } from './ServiceLatencyChart.tsx'
import { ServiceMetricRow } from './ServiceMetricRow.tsx'
import { outageMarks, useOutages, useStoredOutages } from './useOutages.ts'
import { useServiceHistory } from './useServiceHistory.ts'

/** Everything about one service. */
export default function ServiceOverview() {
  return (
    <OverviewPage<RaRecord & Row<typeof serviceEntity>>
      state={(service) => (
        <>
          <ServiceStatus />
          <Since service={service} />
        </>
      )}
      banner={(service) => <TroubleBanner kind="service" id={Number(service.id)} />}
      metrics={(service) => <ServiceMetricRow service={service} />}
      main={(service) => <History key={service.id} service={service} />}
      aside={(service) => (
        <>
          <ServiceFacts service={service} />
          <ServiceRelations service={service} />
        </>
      )}
    />
  )
}

/** Since when it is down, or has been up again. */
function Since({ service }: { service: RaRecord }) {
  const { locale, translate } = useLanguage()
  const { data } = useStoredOutages(Number(service.id))
  const last = data?.[0]
  if (!last) return null
  const key = last.to === undefined ? 'app.overview.down_since' : 'app.overview.up_since'
  return <small>{translate(key, { date: formatDateTime(last.to ?? last.from, locale) })}</small>
}

function History({ service }: { service: RaRecord & Row<typeof serviceEntity> }) {
  const translate = useTranslate()
  const choice = usePeriod()
  const id = Number(service.id)
  const history = useServiceHistory(id, choice.period)
  const outages = useOutages(id, choice.period, history)
  const marks = useMemo(
    // Outages that are derived from results are in the charts already, as failed checks.
    () => (outages.areStored ? outageMarks(outages.outages ?? [], translate('app.overview.outage')) : []),
    [outages.areStored, outages.outages, translate],
  )
  return (
    <>
      <Panel title={translate('app.overview.history')}>
        <ServiceAvailability id={id} />
        <div style={{ marginTop: 20 }}>
          <ServiceLatencyChart service={service} history={history} choice={choice} marks={marks} />
        </div>
      </Panel>
      <CheckDetails service={service} history={history} period={choice.period} />
      <OutageList outages={outages.outages} error={outages.error} retry={outages.retry} />
      <NotificationList filter={{ service_id: service.id }} />
    </>
  )
}

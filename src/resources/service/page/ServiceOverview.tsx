import { useMemo } from 'react'
import { type RaRecord, RecordContextProvider, useTranslate } from 'react-admin'
import { ResultText } from '../../../components/cells/ResultText.tsx'
import { usePeriod } from '../../../components/charts/ChartTimeline.tsx'
import {
  formatDateTime,
  formatDuration,
  formatMetric,
  formatNumber,
  formatPercentFloor,
} from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../../components/overview/MetricRow.tsx'
import {
  OverviewPage,
  RecordLink,
  RelatedList,
  ShowAllButton,
  useFirstRows,
} from '../../../components/overview/OverviewPage.tsx'
import { Copied, EventList, Fact, FactList, Panel } from '../../../components/Panel.tsx'
import { useNames } from '../../../engine/kinds/reference/useNames.tsx'
import { RetryAlert } from '../../../engine/parts/ActionDialog.tsx'
import { serverNow, useServerClock } from '../../../live/serverClock.ts'
import type { Row } from '../../../records/queryRows.ts'
import { checkKindNames } from '../../../schemas/checks/checks.ts'
import { cron } from '../../../schemas/cron.ts'
import { isReadOnly } from '../../../schemas/define/access.ts'
import { server } from '../../../schemas/server.ts'
import { monitorTypes, type service as serviceEntity } from '../../../schemas/service.ts'
import { NotificationList } from '../../delivery/columns.tsx'
import { ServerStatus } from '../../server/cells.tsx'
import { TroubleBanner } from '../../server/trouble/TroubleLine.tsx'
import ServiceStatus from '../ServiceStatus.tsx'
import { serviceMetrics, useServiceOverview } from '../serviceHealth.ts'
import { CheckDetails } from './CheckDetails.tsx'
import { isChecked } from './coverage.ts'
import { ServiceAvailability, ServiceLatencyChart } from './ServiceCharts.tsx'
import { type Outage, outageMarks, useOutages, useServiceHistory, useStoredOutages } from './useServiceHistory.ts'

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

const firstShown = 20

/** The outages of a service in the period of the charts: since when, how long, and why or on which server. */
function OutageList({ outages, error, retry }: Omit<ReturnType<typeof useOutages>, 'areStored'>) {
  const translate = useTranslate()
  const { shown, ...rest } = useFirstRows(outages ?? [], firstShown)
  if (!outages && !error) return null
  return (
    <Panel title={translate('app.overview.outages')}>
      {error && !outages ? <RetryAlert error={error} onRetry={retry} /> : null}
      {outages?.length === 0 ? <p>{translate('app.overview.no_outages')}</p> : null}
      <EventList>
        {shown.map((outage) => (
          <OutageEntry key={outage.key} outage={outage} />
        ))}
      </EventList>
      <ShowAllButton {...rest} />
    </Panel>
  )
}

function OutageEntry({ outage: { from, to, cause, reason, answer, server } }: { outage: Outage }) {
  const { locale, translate } = useLanguage()
  const now = useServerClock()
  const length = formatDuration(Math.max(1000, (to ?? now) - from) / 1000, translate)
  return (
    <li>
      <div>
        {to === undefined ? (
          <ResultText data-result="failed">{translate('app.overview.lasting', { duration: length })}</ResultText>
        ) : (
          <ResultText data-result="succeeded">{length}</ResultText>
        )}
        <strong>{reason ? translate(`app.checks.reasons.${reason.key}`, reason.values) : cause}</strong>
        {server ? <span>{translate('app.overview.seen_from', { name: server })}</span> : null}
      </div>
      {answer ? (
        <details>
          <summary>{translate('app.checks.answer')}</summary>
          <pre
            style={{ margin: 0, maxHeight: 240, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {answer}
          </pre>
        </details>
      ) : null}
      <time dateTime={new Date(from).toISOString()}>{formatDateTime(from, locale)}</time>
    </li>
  )
}

/** What is checked, how often, and who is notified. */
function ServiceFacts({ service }: { service: RaRecord }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const group = Number(service.notification_group_id) || undefined
  const groupName = useNames('notification-group', group ? [group] : [])
  const label = (field: string) => translate(`resources.service.fields.${field}`)
  const kind = checkKindNames.find((name) => name === service.check?.kind)
  const type = monitorTypes[service.type as keyof typeof monitorTypes]
  const bound = (ms: number) => (service.latency_notify && ms > 0 ? `${formatNumber(ms, locale)} ms` : undefined)
  return (
    <Panel title={translate('app.overview.check')}>
      <FactList>
        <Fact name={label('type')}>
          {kind
            ? translate(`app.checks.kinds.${kind}`)
            : type
              ? translate(`resources.service.choices.type.${type}`)
              : String(service.type)}
        </Fact>
        <Fact name={label('target')}>
          {service.target ? <Copied text={service.target} name={label('target')} /> : null}
        </Fact>
        <Fact name={translate('app.overview.interval')}>
          {formatDuration(Number(service.duration) || 0, translate)}
        </Fact>
        <Fact name={label('notification_group_id')}>
          {/* Who is told is for the owner. */}
          {isReadOnly(service) ? null : group && service.notify ? (
            <RecordLink entity="notification-group" record={{ id: group }}>
              {groupName(group)}
            </RecordLink>
          ) : (
            translate('app.overview.nobody_told')
          )}
        </Fact>
        <Fact name={label('min_latency')}>{bound(service.min_latency)}</Fact>
        <Fact name={label('max_latency')}>{bound(service.max_latency)}</Fact>
      </FactList>
    </Panel>
  )
}

/** The servers that check a service, and the tasks that it triggers. */
function ServiceRelations({ service }: { service: RaRecord }) {
  const translate = useTranslate()
  const onFailure = (service.enable_trigger_task && service.fail_trigger_tasks) || []
  const onRecovery = (service.enable_trigger_task && service.recover_trigger_tasks) || []
  return (
    <Panel title={translate('app.overview.belongings')}>
      <RelatedList
        entity={server}
        title={translate('app.overview.checked_by')}
        isRelated={({ id }) => isChecked(service, Number(id))}
        detail={(record) => (
          <RecordContextProvider value={record}>
            <ServerStatus />
          </RecordContextProvider>
        )}
      />
      {onFailure.length > 0 ? (
        <RelatedList
          entity={cron}
          title={translate('resources.service.fields.fail_trigger_tasks')}
          isRelated={({ id }) => onFailure.includes(Number(id))}
        />
      ) : null}
      {onRecovery.length > 0 ? (
        <RelatedList
          entity={cron}
          title={translate('resources.service.fields.recover_trigger_tasks')}
          isRelated={({ id }) => onRecovery.includes(Number(id))}
        />
      ) : null}
    </Panel>
  )
}

/** How a service does now and did in the last 30 days, and how long its certificate is still valid. */
function ServiceMetricRow({ service }: { service: RaRecord }) {
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

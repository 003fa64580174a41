import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Fragment, use } from 'react'
import { type RaRecord, useDataProvider, useTranslate } from 'react-admin'
import { ResultText } from '../../../components/cells/ResultText.tsx'
import type { ChartPeriod } from '../../../components/charts/useHistory.ts'
import { formatDateTime, formatDuration } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { EventList } from '../../../components/overview/EventList.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { PlainTable } from '../../../components/PlainTable.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/announcedFeatures.ts'
import { serverNow } from '../../../live/serverClock.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { ServiceDetails } from '../../../schemas/endpoints/serviceDetails.ts'
import { PushAddress } from '../checks/PushAddress.tsx'
import { PhaseBars } from './PhaseBars.tsx'
import type { ServiceHistory } from './useServiceHistory.ts'

interface CheckDetailsProps {
  service: RaRecord
  history: ServiceHistory
  period: ChartPeriod
}

/** What only checks of their own have: what took how long, the certificates, and what the job has said. */
export function CheckDetails({ service, history, period }: CheckDetailsProps) {
  const translate = useTranslate()
  const { data } = useServiceDetails(Number(service.id), Boolean(service.check))
  const isPush = service.check?.kind === 'push'
  return (
    <>
      <PhaseBars servers={history.data?.servers ?? []} period={period} at={history.at} />
      {data && data.chain.length > 0 ? <Chain chain={data.chain} /> : null}
      {isPush && data ? <Calls calls={data.calls} /> : null}
      {isPush && service.push_path ? (
        <Panel title={translate('app.checks.push_lines')}>
          <PushAddress address={`${window.location.origin}${service.push_path}`} />
        </Panel>
      ) : null}
    </>
  )
}

/** The certificates of each host, from its own to the authority, with the days that each has left. */
function Chain({ chain }: Pick<ServiceDetails, 'chain'>) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const now = serverNow()
  const headings = ['chain_subject', 'chain_issuer', 'chain_until', 'chain_days'].map((key) =>
    translate(`app.checks.${key}`),
  )
  const hosts = [...Map.groupBy(chain, ({ host }) => host)]
  return (
    <Panel title={translate('app.checks.chain')}>
      {hosts.map(([host, links]) => (
        <Fragment key={host}>
          {/* Redirects lead from one to the next. */}
          {hosts.length > 1 ? <Typography variant="subtitle2">{host}</Typography> : null}
          <PlainTable
            headings={headings}
            rows={links.map(({ subject, issuer, expires_at }, index) => ({
              key: index,
              cells: [
                subject,
                issuer,
                new Date(expires_at).toLocaleDateString(locale),
                String(Math.floor((Date.parse(expires_at) - now) / 86_400_000)),
              ],
            }))}
          />
        </Fragment>
      ))}
    </Panel>
  )
}

/** What a job has said, the latest first. */
function Calls({ calls }: Pick<ServiceDetails, 'calls'>) {
  const { locale, translate } = useLanguage()
  return (
    <Panel title={translate('app.checks.calls')}>
      {calls.length === 0 ? <p>{translate('app.checks.no_calls')}</p> : null}
      <EventList>
        {calls.map(({ at, event, message, ms }) => (
          <li key={`${at} ${event}`}>
            <div>
              <ResultText data-result={event === 'fail' ? 'failed' : event === 'success' ? 'succeeded' : undefined}>
                {translate(`app.checks.events.${event}`)}
              </ResultText>
              {ms === undefined ? null : <strong>{formatDuration(Math.max(1000, ms) / 1000, translate)}</strong>}
              {message ? <span>{message}</span> : null}
            </div>
            <time dateTime={at}>{formatDateTime(Date.parse(at), locale)}</time>
          </li>
        ))}
      </EventList>
    </Panel>
  )
}

const refreshMs = 15_000

/** The certificates that a service's check has seen, and the calls of its job; only where the server has them. */
function useServiceDetails(id: number, hasCheck: boolean) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const areThere = use(AnnouncedFeaturesContext)?.has('checks') === true && hasCheck
  return useQuery({
    queryKey: ['services', 'details', id],
    queryFn: () => call(historyEndpoints.serviceDetails, { id }),
    enabled: areThere,
    refetchInterval: refreshMs,
  })
}

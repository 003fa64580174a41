/** @jsxImportSource preact */
import type { PublicStatus, StatusMetrics, StatusServer } from '../../schemas/status/publicStatus.ts'
import { Facts } from '../parts/Facts.tsx'
import { useLanguage } from '../parts/language.ts'
import { Meter } from './Meter.tsx'
import { NoteFacts } from './NoteFacts.tsx'
import { ServerName } from './ServerName.tsx'
import { ServerState } from './ServerState.tsx'
import { loadText, metersOf, networkText, trafficText, uptimeText } from './serverMetrics.ts'

/** A server with its live metrics. */
export function ServerCard({ server, status }: { server: StatusServer; status: PublicStatus }) {
  const metrics = status.metrics[server.id]
  return (
    <li class="panel card">
      <div class="row">
        <h3>
          <ServerName server={server} />
        </h3>
        <ServerState id={server.id} status={status} />
      </div>
      {metrics && <Metrics server={server} metrics={metrics} />}
      {server.note && <NoteFacts note={server.note} />}
    </li>
  )
}

function Metrics({ server, metrics }: { server: StatusServer; metrics: StatusMetrics }) {
  const { texts, locale } = useLanguage()
  const facts = [
    [texts.network, networkText(metrics, locale)],
    [texts.traffic, trafficText(metrics, locale)],
    [texts.uptime, uptimeText(metrics, locale)],
    [texts.load, loadText(metrics, locale)],
  ] as const
  return (
    <>
      <div class="meters">
        {metersOf(server, metrics, texts, locale).map((meter) => (
          <Meter key={meter.label} {...meter} />
        ))}
      </div>
      <Facts facts={facts} />
    </>
  )
}

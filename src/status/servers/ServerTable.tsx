/** @jsxImportSource preact */
import type { PublicStatus, StatusServer } from '../../schemas/status/publicStatus.ts'
import { useLanguage } from '../parts/language.ts'
import { Meter } from './Meter.tsx'
import { noteFacts } from './NoteFacts.tsx'
import { ServerName } from './ServerName.tsx'
import { ServerState } from './ServerState.tsx'
import { loadText, metersOf, networkText, trafficText, uptimeText } from './serverMetrics.ts'

interface ServerTableProps {
  /** What screen readers call it. */
  name: string
  servers: readonly StatusServer[]
  status: PublicStatus
}

/** Servers row by row, for those who have many. */
export function ServerTable({ name, servers, status }: ServerTableProps) {
  const { texts } = useLanguage()
  const hasNotes = servers.some(({ note }) => note)
  const heads = [
    texts.server,
    texts.state,
    texts.system,
    texts.uptime,
    texts.load,
    texts.cpu,
    texts.memory,
    texts.disk,
    texts.network,
    texts.traffic,
    ...(hasNotes ? [texts.plan] : []),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="panel scroll" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <TableRow key={server.id} server={server} status={status} hasNotes={hasNotes} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface TableRowProps {
  server: StatusServer
  status: PublicStatus
  hasNotes: boolean
}

function TableRow({ server, status, hasNotes }: TableRowProps) {
  const { texts, locale } = useLanguage()
  const metrics = status.metrics[server.id]
  return (
    <tr>
      <th scope="row">
        <ServerName server={server} />
      </th>
      <td>
        <ServerState id={server.id} status={status} />
      </td>
      <td>{server.platform}</td>
      <td>{metrics && uptimeText(metrics, locale)}</td>
      <td>{metrics && loadText(metrics, locale)}</td>
      {metersOf(server, metrics ?? {}, texts, locale).map((meter) => (
        <td key={meter.label}>{metrics && <Meter {...meter} isBare />}</td>
      ))}
      <td>{metrics && networkText(metrics, locale)}</td>
      <td>{metrics && trafficText(metrics, locale)}</td>
      {hasNotes && <td>{server.note && noteText(server.note, texts, locale)}</td>}
    </tr>
  )
}

const noteText = (...note: Parameters<typeof noteFacts>) =>
  noteFacts(...note)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')

import { memo } from 'react'
import { formatBytes, formatPercent, formatSpeeds } from '../../../src/components/format/format.ts'
import { useLive } from '../../../src/live/store.ts'
import type { BaselineServer } from './rows.ts'

interface BaselineRowProps {
  server: BaselineServer
  groups: readonly string[] | undefined
  isSelected: boolean
  onToggle: (id: number) => void
}

const locale = 'en-US'

/** One row; its live cells render by themselves, as the console's do. */
export const BaselineRow = memo(function BaselineRow({ server, groups, isSelected, onToggle }: BaselineRowProps) {
  const { id, name, display_index, host, geoip } = server
  return (
    <tr aria-selected={isSelected}>
      <td>
        <input type="checkbox" checked={isSelected} onChange={() => onToggle(id)} />
      </td>
      <td>
        {id} {display_index ? `(${display_index})` : null}
      </td>
      <td>
        <a href={`/dashboard/server/${id}`}>{name}</a>
        <div>
          {host.platform} {host.platform_version}
        </div>
      </td>
      <td>
        <Presence id={id} />
      </td>
      <td>
        <Level id={id} used="cpu" of={100} />
      </td>
      <td title={formatBytes(host.mem_total ?? 0, locale)}>
        <Level id={id} used="mem_used" of={host.mem_total} />
      </td>
      <td title={formatBytes(host.disk_total ?? 0, locale)}>
        <Level id={id} used="disk_used" of={host.disk_total} />
      </td>
      <td>
        <Speeds id={id} />
      </td>
      <td>{groups?.join(', ')}</td>
      <td>{geoip?.ip?.ipv4_addr}</td>
      <td>{host.version}</td>
      <td>
        <Presence id={id} />
      </td>
      <td>
        <a href={`/dashboard/server/${id}`}>Edit</a> <button type="button">More</button>
      </td>
    </tr>
  )
})

function Presence({ id }: { id: number }) {
  return useLive(id, (live) => live?.online) ? 'Online' : 'Offline'
}

function Level({ id, used, of = 0 }: { id: number; used: 'cpu' | 'mem_used' | 'disk_used'; of?: number }) {
  const percent = useLive(id, (live) =>
    of && live?.state ? Math.round((100 * (live.state[used] ?? 0)) / of) : undefined,
  )
  if (percent === undefined) return '–'
  return (
    <span className="meter">
      <span className="track">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span>{formatPercent(percent, locale)}</span>
    </span>
  )
}

function Speeds({ id }: { id: number }) {
  const text = useLive(id, (live) =>
    live?.state ? formatSpeeds([live.state.net_out_speed ?? 0, live.state.net_in_speed ?? 0], locale).join('\n') : '–',
  )
  return <span className="speeds">{text}</span>
}

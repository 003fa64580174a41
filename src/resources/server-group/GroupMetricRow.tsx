import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type RaRecord, useGetList } from 'react-admin'
import { formatBytes, formatNumber, formatPercent, formatSpeeds } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../components/overview/MetricRow.tsx'
import {
  cpuPercent,
  hasReported,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
} from '../../components/serverMetrics.ts'
import type { Entries } from '../../live/packedEntries.ts'
import { liveSnapshot } from '../../live/store.ts'
import { everyRowByName } from '../../records/wholeList.ts'
import { server } from '../../schemas/server.ts'

/** The servers of a group that this person sees, by name; `undefined` while they are on their way. */
export function useGroupServers(group: RaRecord): { rows: readonly ServerRow[] | undefined; ids: ReadonlySet<number> } {
  const { data } = useGetList<ServerRow>(server.name, everyRowByName)
  const members: readonly number[] | null | undefined = group.servers
  const ids = useMemo(() => new Set(members), [members])
  const rows = useMemo(() => data?.filter(({ id }) => ids.has(Number(id))), [data, ids])
  return { rows, ids }
}

/** Milliseconds. Each snapshot has about 30 bytes for each server that this person sees. */
const snapshotInterval = 4_000
/** Beyond so many servers, a group is looked at less often: 10,000 of them are then 2 MiB a minute at most. */
const manyServers = 3000
const slowInterval = 10_000

/** All servers at one moment, a few seconds ago at most; `undefined` before the first frame. */
export function useFleetSnapshot() {
  const { data } = useQuery({
    queryKey: ['live', 'snapshot'],
    queryFn: liveSnapshot,
    structuralSharing: false,
    staleTime: snapshotInterval / 2,
    refetchInterval: ({ state }) => ((state.data?.size ?? 0) > manyServers ? slowInterval : snapshotInterval),
    gcTime: slowInterval,
  })
  return data
}

/** What the servers of a group use together: who is online, processors, memory, disks and traffic. */
export function GroupMetricRow({ group }: { group: RaRecord }) {
  const { rows } = useGroupServers(group)
  const live = useFleetSnapshot()
  const { locale, translate } = useLanguage()
  const sums = groupSums(rows ?? [], live)
  const { online, servers, cpu, memory, disk, speeds } = sums
  const percent = (value: number | undefined) =>
    value === undefined ? undefined : formatPercent(value, locale, value < 10 ? 1 : 0)
  const usage = ({ used, total }: GroupSums['memory']) =>
    total > 0 ? `${formatBytes(used, locale)} / ${formatBytes(total, locale)}` : ''
  const [up, down] = formatSpeeds(speeds ?? [], locale)
  const offline = servers - online
  return (
    <MetricRow aria-label={translate('app.overview.live')}>
      <Metric
        label={translate('resources.server.values.online')}
        value={rows && formatNumber(online, locale)}
        detail={
          offline > 0
            ? translate('app.summary.offline', { smart_count: offline, count: formatNumber(offline, locale) })
            : translate('resources.server.counted', { smart_count: servers })
        }
      />
      <Metric
        label={translate('resources.server.columns.cpu')}
        value={percent(cpu?.mean)}
        percent={cpu?.mean}
        detail={
          cpu && servers > 1
            ? translate('app.group.highest', { value: formatPercent(cpu.highest, locale), name: cpu.busiest })
            : // Its place: nothing below moves when it comes.
              '\u00a0'
        }
      />
      <Metric
        label={translate('resources.server.columns.memory')}
        value={percent(memory.percent)}
        percent={memory.percent}
        detail={usage(memory)}
      />
      <Metric
        label={translate('resources.server.columns.disk')}
        value={percent(disk.percent)}
        percent={disk.percent}
        detail={usage(disk)}
      />
      <Metric label={translate('app.charts.metrics.speed')} value={up && `↑ ${up}\n↓ ${down}`} />
    </MetricRow>
  )
}

/** Bytes in use of bytes that there are; `percent` is absent where nothing is measured. */
interface Use {
  used: number
  total: number
  percent?: number
}

/** What the servers of a group are and use together. */
interface GroupSums {
  servers: number
  online: number
  /** Percent of all processors, as the mean of the servers that are online, and the busiest of them. */
  cpu?: { mean: number; highest: number; busiest: string }
  memory: Use
  /** Servers that are offline have theirs as well. */
  disk: Use
  /** Bytes per second, sent and received; absent where nothing is measured. */
  speeds?: [up: number, down: number]
}

/** @param live all servers at one moment; without it, what their records say */
export function groupSums(rows: readonly ServerRow[], live: Entries | undefined): GroupSums {
  const sums: GroupSums = {
    servers: rows.length,
    online: 0,
    memory: { used: 0, total: 0 },
    disk: { used: 0, total: 0 },
  }
  const cpu = { total: 0, count: 0, highest: -1, busiest: '' }
  for (const row of rows) {
    const metrics = metricsAt(row, live)
    if (metrics.online) sums.online += 1
    addCpu(metrics, row.name)
    if (metrics.online) addUse(sums.memory, metrics, 'mem_used', metrics.host.mem_total)
    addUse(sums.disk, metrics, 'disk_used', metrics.host.disk_total)
    const speeds = networkSpeeds(metrics)
    if (speeds) sums.speeds = [(sums.speeds?.[0] ?? 0) + speeds[0], (sums.speeds?.[1] ?? 0) + speeds[1]]
  }
  if (cpu.count > 0) sums.cpu = { mean: cpu.total / cpu.count, highest: cpu.highest, busiest: cpu.busiest }
  for (const use of [sums.memory, sums.disk]) if (use.total > 0) use.percent = (use.used / use.total) * 100
  return sums

  function addCpu(metrics: ServerMetrics, name: string): void {
    const percent = cpuPercent(metrics)
    if (percent === undefined) return
    cpu.total += percent
    cpu.count += 1
    if (percent > cpu.highest) Object.assign(cpu, { highest: percent, busiest: name })
  }
}

function addUse(use: Use, metrics: ServerMetrics, name: 'mem_used' | 'disk_used', total = 0): void {
  if (total === 0 || !hasReported(metrics, name)) return
  use.used += metrics.state[name] ?? 0
  use.total += total
}

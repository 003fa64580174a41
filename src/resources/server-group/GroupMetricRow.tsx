import type { RaRecord } from 'react-admin'
import { formatBytes, formatNumber, formatPercent, formatSpeeds } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../components/overview/MetricRow.tsx'
import { type GroupSums, groupSums } from './groupSums.ts'
import { useFleetSnapshot, useGroupServers } from './useGroup.ts'

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

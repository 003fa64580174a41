import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LinkBase, type RaRecord, RecordContextProvider, useBasename, useGetList, useTranslate } from 'react-admin'
import { formatBytes, formatNumber, formatPercent, formatSpeeds } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../components/LiveTable.tsx'
import { Metric, MetricRow } from '../../components/overview/MetricRow.tsx'
import { OverviewPage, RelatedList, ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { Panel } from '../../components/Panel.tsx'
import {
  cpuPercent,
  diskPercent,
  hasReported,
  memoryPercent,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
} from '../../components/serverMetrics.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { filteredList } from '../../engine/list/state/listQuery.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import type { Entries } from '../../live/feedMessages.ts'
import { isZeroTime } from '../../live/lastReport.ts'
import { liveSnapshot } from '../../live/store.ts'
import { troubleRank, useTrouble } from '../../live/trouble.ts'
import { everyRowByName } from '../../records/queryRows.ts'
import { allows } from '../../schemas/define/access.ts'
import { server } from '../../schemas/server.ts'
import { service } from '../../schemas/service.ts'
import { CpuMeter, DiskMeter, MemoryMeter, NetworkTraffic, ServerStatus } from '../server/cells.tsx'
import { TroubleLine, TroubleList } from '../server/trouble/TroubleLine.tsx'
import { isChecked } from '../service/page/coverage.ts'
import ServiceStatus from '../service/ServiceStatus.tsx'

/** Everything about the servers of one group. */
export default function GroupOverview() {
  return (
    <OverviewPage
      state={(group) => <Count group={group} />}
      banner={(group) => <GroupTrouble group={group} />}
      buttons={(group) => <ListButton group={group} />}
      metrics={(group) => <GroupMetricRow group={group} />}
      main={(group) => <GroupServers key={group.id} group={group} />}
      aside={(group) => <Relations group={group} />}
    />
  )
}

function Count({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const smart_count = (group.servers ?? []).length
  return <small>{translate('resources.server.counted', { smart_count })}</small>
}

/** The list of servers with the filter by this group, where they can be acted on. */
function ListButton({ group }: { group: RaRecord }) {
  const basename = useBasename()
  const translate = useTranslate()
  return (
    <Button
      component={LinkBase}
      to={`${basename}${filteredList({ group: String(group.id) })}`}
      variant="outlined"
      color="inherit"
    >
      {translate('app.group.list')}
    </Button>
  )
}

/** The ids of the services that are checked from a server of the group; none for those who may not list services. */
function useGroupServices(group: RaRecord): ReadonlySet<number> {
  const { identity } = useIdentity()
  const { data } = useGetList(service.name, everyRowByName, { enabled: allows(identity?.role, service.access.list) })
  return useMemo(() => {
    const members: readonly number[] = group.servers ?? []
    const checked = (data ?? []).filter((record) => members.some((server) => isChecked(record, server)))
    return new Set(checked.map(({ id }) => Number(id)))
  }, [data, group.servers])
}

/** What belongs to a group: the services that are checked from its servers. */
function Relations({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const services = useGroupServices(group)
  return (
    <Panel title={translate('app.overview.belongings')}>
      <RelatedList
        entity={service}
        title={translate('app.charts.metrics.services')}
        isRelated={({ id }) => services.has(Number(id))}
        detail={(record) => (
          <RecordContextProvider value={record}>
            <ServiceStatus />
          </RecordContextProvider>
        )}
      />
    </Panel>
  )
}

/** More lines come with a button. */
const firstShown = 6

/** What is wrong with the servers of a group and with the services that are checked from them, worst first. */
function GroupTrouble({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const troubles = useTrouble((state) => state.troubles)
  const services = useGroupServices(group)
  const found = useMemo(() => {
    const servers = new Set<number>(group.servers)
    return (troubles ?? []).filter(
      (trouble) =>
        ('server_id' in trouble && servers.has(trouble.server_id)) ||
        ('service_id' in trouble && services.has(trouble.service_id)),
    )
  }, [troubles, services, group.servers])
  const { shown, hidden, showAll } = useFirstRows(found, firstShown)
  const { rows } = useGroupServers(group)
  if (!troubles) return <Place lines={rows?.filter(({ last_active }) => isZeroTime(last_active)).length ?? 0} />
  if (found.length === 0) return null
  return (
    <Frame>
      <TroubleList label={translate('app.trouble.label')}>
        {shown.map((trouble) => (
          <TroubleLine key={trouble.key} trouble={trouble} />
        ))}
      </TroubleList>
      <ShowAllButton hidden={hidden} showAll={showAll} />
    </Frame>
  )
}

/** Room for the servers that are offline by their record, until it is known what is wrong: nothing below moves then. */
function Place({ lines }: { lines: number }) {
  if (lines === 0) return null
  const shown = Math.min(lines, firstShown)
  const more = lines > firstShown ? moreHeight : 0
  return <Frame sx={{ height: { xs: shown * 53 + 1 + more, md: shown * 36 + shown + 1 + more } }} />
}

/** Pixels: the button below the lines. */
const moreHeight = 30

const Frame = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(2),
  overflow: 'hidden',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))

/** The servers of a group with their live state, those in trouble first. */
function GroupServers({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const { rows } = useGroupServers(group)
  const live = useFleetSnapshot()
  const addressOf = useRecordAddress(server.name)
  const [order, setOrder] = useTableOrder({ key: 'status', isDescending: false })
  const columns = useMemo(() => columnsOf(translate, addressOf, live), [translate, addressOf, live])
  // Drawn when the ranks of servers change: their order is another then.
  useTrouble(({ worstOfServer }) => worstOfServer)
  const sorted = rows?.toSorted(compareBy(columns, order))
  return (
    <Panel title={translate('resources.server.name', { smart_count: 2 })}>
      <LiveTable
        label={translate('resources.server.name', { smart_count: 2 })}
        columns={columns}
        rows={sorted ?? []}
        keyOf={({ id }) => id}
        order={order}
        onOrder={setOrder}
        empty={rows ? translate('app.group.empty') : ''}
      />
    </Panel>
  )
}

function columnsOf(
  translate: ReturnType<typeof useTranslate>,
  addressOf: ReturnType<typeof useRecordAddress>,
  live: Entries | undefined,
): TableColumn<ServerRow>[] {
  const cell = (content: React.ReactNode) => (row: ServerRow) => (
    <RecordContextProvider value={row}>{content}</RecordContextProvider>
  )
  const heading = (name: string) => translate(`resources.server.columns.${name}`)
  // What is not measured comes last.
  const by = (percentOf: typeof cpuPercent) => (row: ServerRow) => -(percentOf(metricsAt(row, live)) ?? -1)
  return [
    {
      key: 'name',
      label: translate('resources.server.fields.name'),
      width: 'minmax(96px, 1.6fr)',
      sort: ({ name }) => name,
      cell: (row) => (
        <LinkBase className="link" to={addressOf(row) ?? ''} title={row.name}>
          {row.name || `#${row.id}`}
        </LinkBase>
      ),
    },
    {
      key: 'status',
      label: heading('status'),
      width: 'minmax(84px, 1.5fr)',
      sort: troubleRank,
      cell: cell(<ServerStatus />),
    },
    {
      key: 'cpu',
      label: heading('cpu'),
      width: 'minmax(80px, 1fr)',
      sort: by(cpuPercent),
      cell: cell(<CpuMeter />),
    },
    {
      key: 'memory',
      label: heading('memory'),
      width: 'minmax(80px, 1fr)',
      isWide: true,
      sort: by(memoryPercent),
      cell: cell(<MemoryMeter />),
    },
    {
      key: 'disk',
      label: heading('disk'),
      width: 'minmax(80px, 1fr)',
      isWide: true,
      sort: by(diskPercent),
      cell: cell(<DiskMeter />),
    },
    {
      key: 'traffic',
      label: heading('traffic'),
      width: '124px',
      isWide: true,
      isAtEnd: true,
      cell: cell(<NetworkTraffic />),
    },
  ]
}

/** The servers of a group that this person sees, by name; `undefined` while they are on their way. */
function useGroupServers(group: RaRecord): { rows: readonly ServerRow[] | undefined; ids: ReadonlySet<number> } {
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
function useFleetSnapshot() {
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
function GroupMetricRow({ group }: { group: RaRecord }) {
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

import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { LinkBase, type RaRecord, RecordContextProvider, useBasename, useGetList, useTranslate } from 'react-admin'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../components/LiveTable.tsx'
import { OverviewPage } from '../../components/overview/OverviewPage.tsx'
import { RelatedList, ShowAllButton, useFirstRows } from '../../components/overview/RelatedList.tsx'
import { Panel } from '../../components/Panel.tsx'
import { cpuPercent, diskPercent, memoryPercent, metricsAt, type ServerRow } from '../../components/serverMetrics.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { filteredList } from '../../engine/list/state/listQuery.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { isZeroTime } from '../../live/lastReport.ts'
import type { Entries } from '../../live/packedEntries.ts'
import { troubleRank, useTrouble } from '../../live/trouble.ts'
import { everyRowByName } from '../../records/wholeList.ts'
import { allows } from '../../schemas/define/access.ts'
import { server } from '../../schemas/server.ts'
import { service } from '../../schemas/service.ts'
import { CpuMeter, DiskMeter, MemoryMeter, NetworkTraffic, ServerStatus } from '../server/cells.tsx'
import { TroubleLine, TroubleList } from '../server/trouble/TroubleLine.tsx'
import { isChecked } from '../service/page/coverage.ts'
import ServiceStatus from '../service/ServiceStatus.tsx'
import { GroupMetricRow, useFleetSnapshot, useGroupServers } from './GroupMetricRow.tsx'

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

import { useMemo } from 'react'
import { LinkBase, type RaRecord, RecordContextProvider, useTranslate } from 'react-admin'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../components/LiveTable.tsx'
import { Panel } from '../../components/Panel.tsx'
import { cpuPercent, diskPercent, memoryPercent, metricsAt, type ServerRow } from '../../components/serverMetrics.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import type { Entries } from '../../live/packedEntries.ts'
import { troubleRank, useTrouble } from '../../live/trouble.ts'
import { server } from '../../schemas/server.ts'
import { CpuMeter, DiskMeter, MemoryMeter, NetworkTraffic } from '../server/meters.tsx'
import { ServerStatus } from '../server/ServerStatus.tsx'
import { useFleetSnapshot, useGroupServers } from './useGroup.ts'

/** The servers of a group with their live state, those in trouble first. */
export function GroupServers({ group }: { group: RaRecord }) {
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

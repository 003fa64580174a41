import { useMemo, useState } from 'react'
import { formatBytes, formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../../components/LiveTable.tsx'
import { numbers, Panel, PlainTable } from '../../../components/Panel.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { NetworkItem } from '../../../schemas/inspect/network.ts'
import { foundRows, SearchField, SubjectPanel, type SubjectProps, useInspected } from './SubjectPanel.tsx'

type Of<Kind extends NetworkItem['kind']> = NetworkItem & { kind: Kind }

/** Interfaces, routes, ports on which programs listen, and the other ends of open connections. */
export default function Network({ server }: SubjectProps) {
  const { locale, translate } = useLanguage()
  const asked = useInspected(inspectEndpoints.network, { id: server.id })
  const [search, setSearch] = useState('')
  const items = asked.data?.items
  const shown = foundRows<NetworkItem>(items ?? [], search, (item) => Object.values(item).join(' '))
  const of = <Kind extends NetworkItem['kind']>(kind: Kind) =>
    shown.filter((item): item is Of<Kind> => item.kind === kind)
  const label = (key: string) => translate(`app.inspect.network.columns.${key}`)
  const bytes = (value: number | undefined) => (value === undefined ? '' : formatBytes(value, locale))
  return (
    <SubjectPanel asked={asked} tools={<SearchField value={search} onChange={setSearch} />}>
      <Panel title={translate('app.inspect.network.interfaces')}>
        <PlainTable
          headings={[
            label('name'),
            label('state'),
            label('addresses'),
            numbers(label('received')),
            numbers(label('sent')),
            label('errors'),
          ]}
          rows={of('interface').map(({ name, state, addresses, mac, received, sent, errors = 0, dropped = 0 }) => ({
            key: name,
            cells: [
              <span key="name" title={mac}>
                {name}
              </span>,
              state,
              addresses.join(', '),
              bytes(received),
              bytes(sent),
              errors + dropped > 0 ? <strong key="errors">{formatNumber(errors + dropped, locale)}</strong> : '0',
            ],
          }))}
        />
      </Panel>
      <Panel title={translate('app.inspect.network.listeners')}>
        <Listeners rows={of('listener')} />
      </Panel>
      <Panel title={translate('app.inspect.network.peers')}>
        <Peers rows={of('peer')} />
      </Panel>
      <Panel title={translate('app.inspect.network.routes')}>
        <PlainTable
          headings={[label('network'), label('gateway'), label('interface')]}
          rows={of('route').map(({ name, gateway, device }, index) => ({
            // A network may have several routes.
            key: `${name} ${device} ${index}`,
            cells: [name, gateway, device],
          }))}
        />
      </Panel>
    </SubjectPanel>
  )
}

function Listeners({ rows }: { rows: readonly Of<'listener'>[] }) {
  const { translate } = useLanguage()
  const [order, setOrder] = useTableOrder({ key: 'port', isDescending: false })
  const columns = useMemo<TableColumn<Of<'listener'>>[]>(() => {
    const label = (key: string) => translate(`app.inspect.network.columns.${key}`)
    return [
      {
        key: 'port',
        label: label('port'),
        width: '104px',
        sort: ({ port }) => port,
        cell: ({ port, protocol }) => `${port}/${protocol}`,
      },
      {
        key: 'address',
        label: label('address'),
        width: 'minmax(120px, 1fr)',
        sort: ({ address }) => address,
        cell: ({ address }) => address,
      },
      {
        key: 'program',
        label: label('program'),
        width: 'minmax(96px, 1fr)',
        sort: ({ program = '' }) => program,
        cell: ({ program, pid }) => (program ? `${program} (${pid})` : ''),
      },
    ]
  }, [translate])
  return (
    <LiveTable
      label={translate('app.inspect.network.listeners')}
      columns={columns}
      rows={rows.toSorted(compareBy(columns, order))}
      keyOf={({ protocol, address, port, pid }) => `${protocol} ${address} ${port} ${pid}`}
      order={order}
      onOrder={setOrder}
      empty={translate('app.inspect.nothing_found')}
    />
  )
}

function Peers({ rows }: { rows: readonly Of<'peer'>[] }) {
  const { locale, translate } = useLanguage()
  const [order, setOrder] = useTableOrder({ key: 'count', isDescending: true })
  const columns = useMemo<TableColumn<Of<'peer'>>[]>(() => {
    const label = (key: string) => translate(`app.inspect.network.columns.${key}`)
    return [
      {
        key: 'address',
        label: label('peer'),
        width: 'minmax(140px, 2fr)',
        sort: ({ address }) => address,
        cell: ({ address }) => address,
      },
      { key: 'port', label: label('local_port'), width: '112px', sort: ({ port }) => port, cell: ({ port }) => port },
      {
        key: 'count',
        label: label('connections'),
        width: '112px',
        isAtEnd: true,
        sort: ({ count }) => count,
        cell: ({ count }) => formatNumber(count, locale),
      },
    ]
  }, [locale, translate])
  return (
    <LiveTable
      label={translate('app.inspect.network.peers')}
      columns={columns}
      rows={rows.toSorted(compareBy(columns, order))}
      keyOf={({ address, port }) => `${address} ${port}`}
      order={order}
      onOrder={setOrder}
      empty={translate('app.inspect.nothing_found')}
    />
  )
}

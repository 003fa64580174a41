import Alert from '@mui/material/Alert'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../../components/LiveTable.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { PackageItem } from '../../../schemas/inspect/packages.ts'
import { foundRows, SearchField, SubjectPanel, type SubjectProps, useInspected } from './SubjectPanel.tsx'

type Update = PackageItem & { kind: 'update' }

/** The updates that wait on a machine, security ones first, and whether it has to be restarted. */
export default function Packages({ server }: SubjectProps) {
  const { locale, translate } = useLanguage()
  const asked = useInspected(inspectEndpoints.packages, { id: server.id })
  const [search, setSearch] = useState('')
  const [order, setOrder] = useTableOrder({ key: 'security', isDescending: true })
  const items = asked.data?.items ?? []
  const updates = items.filter((item): item is Update => item.kind === 'update')
  const restarts = items.filter(({ kind }) => kind === 'reboot')
  const security = updates.filter(({ is_security }) => is_security).length
  const columns = useMemo<TableColumn<Update>[]>(() => {
    const label = (key: string) => translate(`app.inspect.packages.columns.${key}`)
    return [
      {
        key: 'name',
        label: label('name'),
        width: 'minmax(120px, 2fr)',
        sort: ({ name }) => name,
        cell: ({ name }) => <span title={name}>{name}</span>,
      },
      {
        key: 'installed',
        label: label('installed'),
        width: 'minmax(100px, 2fr)',
        isWide: true,
        sort: ({ installed = '' }) => installed,
        cell: ({ installed }) => <span title={installed}>{installed}</span>,
      },
      {
        key: 'available',
        label: label('available'),
        width: 'minmax(100px, 2fr)',
        sort: ({ available }) => available,
        cell: ({ available }) => <span title={available}>{available}</span>,
      },
      {
        key: 'security',
        label: label('security'),
        width: '96px',
        sort: ({ is_security }) => Number(is_security),
        cell: ({ is_security }) =>
          is_security ? <span className="warn">{translate('app.inspect.packages.is_security')}</span> : '',
      },
    ]
  }, [translate])
  const compare = compareBy(columns, order)
  const rows = foundRows(updates, search, ({ name }) => name).toSorted(
    (one, other) => compare(one, other) || one.name.localeCompare(other.name),
  )
  return (
    <SubjectPanel
      asked={asked}
      isLive={false}
      tools={
        <>
          <SearchField value={search} onChange={setSearch} />
          <p role="status">
            {translate('app.inspect.packages.count', { smart_count: formatNumber(updates.length, locale) })}
            {security > 0 ? ` · ${translate('app.inspect.packages.security_count', { count: security })}` : ''}
          </p>
        </>
      }
    >
      {restarts.length > 0 ? (
        <Alert severity="warning" sx={{ marginBottom: 1.5 }}>
          {translate('app.inspect.packages.reboot', { what: restarts.map(({ name }) => name).join(', ') })}
        </Alert>
      ) : null}
      <LiveTable
        label={translate('app.inspect.subjects.packages')}
        columns={columns}
        rows={rows}
        keyOf={({ name, available }) => `${name} ${available}`}
        order={order}
        onOrder={setOrder}
        empty={translate(search ? 'app.inspect.nothing_found' : 'app.inspect.packages.none')}
      />
    </SubjectPanel>
  )
}

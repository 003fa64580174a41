import { Suspense, useMemo, useState } from 'react'
import { useStore } from 'react-admin'
import { formatBytes, formatDateTime, formatNumber, type Language } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../../components/LiveTable.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { UnitAct, UnitItem } from '../../../schemas/inspect/units.ts'
import {
  actionsColumn,
  foundRows,
  SearchField,
  SubjectPanel,
  type SubjectProps,
  useInspected,
  useOrder,
} from './SubjectPanel.tsx'

const ActDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).ActDialog }))
const UnitDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).UnitDialog }))

const views = ['services', 'timers', 'failed', 'all'] as const
type View = (typeof views)[number]

const isShown: Record<View, (unit: UnitItem) => boolean> = {
  // Those of OpenRC have no ending.
  services: ({ name }) => name.endsWith('.service') || !/\.\w+$/.test(name),
  timers: ({ name }) => name.endsWith('.timer'),
  failed: ({ state }) => state === 'failed',
  all: () => true,
}

type Chosen = { unit: UnitItem } & ({ kind: 'log' } | { kind: 'act'; act: UnitAct })

/** The units of systemd or the services of OpenRC, failed ones first. */
export default function Units({ server }: SubjectProps) {
  const language = useLanguage()
  const { locale, translate } = language
  const asked = useInspected(inspectEndpoints.units, { id: server.id })
  const order = useOrder(server.id)
  const [search, setSearch] = useState('')
  const [view, setView] = useStore<View>('inspect.units', 'services')
  const [sorting, setSorting] = useTableOrder({ key: 'state', isDescending: false })
  const [chosen, setChosen] = useState<Chosen>()
  const columns = useMemo(() => columnsOf(language, view === 'timers', setChosen), [language, view])
  const items = asked.data?.items
  const rows = useMemo(() => {
    const shown = (items ?? []).filter(isShown[view])
    const compare = compareBy(columns, sorting)
    return [...foundRows<UnitItem>(shown, search, ({ name, description }) => `${name} ${description}`)].sort(
      (one, other) => compare(one, other) || one.name.localeCompare(other.name),
    )
  }, [items, columns, sorting, search, view])
  const failed = items?.filter(isShown.failed).length ?? 0
  const close = () => setChosen(undefined)
  const act = (name: string, verb: UnitAct) =>
    order(
      inspectEndpoints.actOnUnit,
      { id: server.id, name, act: verb },
      { key: `app.inspect.units.done.${verb}`, args: { name } },
    )
  return (
    <SubjectPanel
      asked={asked}
      tools={
        <>
          <SearchField value={search} onChange={setSearch} />
          <select
            aria-label={translate('app.inspect.units.view')}
            value={view}
            onChange={({ target }) => setView(target.value as View)}
          >
            {views.map((one) => (
              <option key={one} value={one}>
                {translate(`app.inspect.units.views.${one}`)}
              </option>
            ))}
          </select>
          <p role="status">
            {translate('app.inspect.units.count', { smart_count: formatNumber(rows.length, locale) })}
            {failed > 0 ? ` · ${translate('app.inspect.units.failed', { count: failed })}` : ''}
          </p>
        </>
      }
    >
      <LiveTable
        label={translate('app.inspect.subjects.units')}
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
        order={sorting}
        onOrder={setSorting}
        empty={translate(view === 'failed' && !search ? 'app.inspect.units.none_failed' : 'app.inspect.nothing_found')}
      />
      <Suspense>
        {chosen?.kind === 'log' ? <UnitDialog server={server} unit={chosen.unit} onClose={close} /> : null}
        {chosen?.kind === 'act' ? (
          <ActDialog
            kind="units"
            act={chosen.act}
            what={chosen.unit.name}
            name={server.name}
            onConfirm={() => void act(chosen.unit.name, chosen.act)}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </SubjectPanel>
  )
}

/** Failed first, then what is on its way, what runs, and the rest. */
const rankOf = ({ state }: UnitItem) => {
  const rank = ['failed', 'activating', 'deactivating', 'reloading', 'active'].indexOf(state)
  return rank < 0 ? 9 : rank
}

function actsFor({ name, state, file_state = '' }: UnitItem): readonly UnitAct[] {
  const runs: UnitAct[] = state === 'active' ? ['restart', 'stop'] : ['start']
  const isBoot = /^(enabled|disabled)$/.test(file_state)
  return name.endsWith('.mount') || !isBoot ? runs : [...runs, file_state === 'enabled' ? 'disable' : 'enable']
}

function columnsOf(
  { locale, translate }: Language,
  hasTimes: boolean,
  choose: (chosen: Chosen) => void,
): TableColumn<UnitItem>[] {
  const label = (key: string) => translate(`app.inspect.units.columns.${key}`)
  const moment = (at: string | undefined) => (at ? formatDateTime(Date.parse(at), locale) : '')
  const times: TableColumn<UnitItem>[] = (['next_run', 'last_run'] as const).map((key) => ({
    key,
    label: label(key),
    width: '192px',
    isWide: true,
    sort: (unit) => unit[key] ?? '',
    cell: (unit) => moment(unit[key]),
  }))
  return [
    {
      key: 'name',
      label: label('name'),
      width: 'minmax(130px, 2fr)',
      sort: ({ name }) => name,
      cell: (unit) => (
        <button type="button" className="link" title={unit.name} onClick={() => choose({ unit, kind: 'log' })}>
          {unit.name}
        </button>
      ),
    },
    {
      key: 'description',
      label: label('description'),
      width: 'minmax(120px, 3fr)',
      isWide: true,
      sort: ({ description }) => description,
      cell: ({ description }) => <span title={description}>{description}</span>,
    },
    {
      key: 'state',
      label: label('state'),
      width: 'minmax(96px, 1fr)',
      sort: rankOf,
      cell: ({ state, sub_state }) => (
        <span className={state === 'failed' ? 'bad' : state === 'active' ? 'good' : 'quiet'}>
          {translate(`app.inspect.units.states.${state}`, { _: state })} <small className="quiet">{sub_state}</small>
        </span>
      ),
    },
    ...(hasTimes ? times : []),
    {
      key: 'file_state',
      label: label('file_state'),
      width: '88px',
      isWide: true,
      sort: ({ file_state = '' }) => file_state,
      cell: ({ file_state = '' }) => translate(`app.inspect.units.file_states.${file_state}`, { _: file_state }),
    },
    {
      key: 'memory',
      label: label('memory'),
      width: '84px',
      isAtEnd: true,
      isWide: true,
      sort: ({ memory = -1 }) => memory,
      cell: ({ memory }) => (memory === undefined ? '' : formatBytes(memory, locale)),
    },
    {
      key: 'restarts',
      label: label('restarts'),
      width: '80px',
      isAtEnd: true,
      isWide: true,
      sort: ({ restarts = 0 }) => restarts,
      cell: ({ restarts = 0 }) => <span className={restarts > 0 ? 'warn' : undefined}>{restarts || ''}</span>,
    },
    {
      key: 'since',
      label: label('since'),
      width: '192px',
      isWide: true,
      sort: ({ since = '' }) => since,
      cell: ({ since }) => moment(since),
    },
    actionsColumn(
      translate,
      ({ name }) => name,
      (unit) => [
        { key: 'log', label: translate('app.inspect.show_log'), onSelect: () => choose({ unit, kind: 'log' }) },
        ...actsFor(unit).map((act) => ({
          key: act,
          label: translate(`app.inspect.units.acts.${act}`),
          onSelect: () => choose({ unit, kind: 'act', act }),
        })),
      ],
    ),
  ]
}

import { Suspense, useMemo, useState } from 'react'
import { useBasename } from 'react-admin'
import {
  formatBytes,
  formatDateTime,
  formatNumber,
  formatPercent,
  type Language,
} from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../../components/LiveTable.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { ContainerAct, ContainerItem } from '../../../schemas/inspect/containers.ts'
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
const ContainerDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).ContainerDialog }))

type Chosen = { container: ContainerItem } & ({ kind: 'logs' | 'inspect' } | { kind: 'act'; act: ContainerAct })

/** The containers of docker and podman, those of a compose project together. */
export default function Containers({ server }: SubjectProps) {
  const language = useLanguage()
  const { locale, translate } = language
  const asked = useInspected(inspectEndpoints.containers, { id: server.id })
  const order = useOrder(server.id)
  const [search, setSearch] = useState('')
  const [sorting, setSorting] = useTableOrder({ key: 'name', isDescending: false })
  const [chosen, setChosen] = useState<Chosen>()
  const basename = useBasename()
  const columns = useMemo(() => {
    // Apart from this tab, whose terminals are not those of the new one.
    const openShell = ({ engine, id }: ContainerItem) =>
      window.open(`${basename}/terminal/${server.id}?container=${engine}:${id}`, '_blank', 'noopener')
    return columnsOf(language, setChosen, openShell)
  }, [language, basename, server.id])
  const items = asked.data?.items
  const rows = useMemo(
    () => [...foundRows<ContainerItem>(items ?? [], search, textOf)].sort(compareBy(columns, sorting)),
    [items, columns, sorting, search],
  )
  const close = () => setChosen(undefined)
  const act = ({ id: container, engine, name }: ContainerItem, verb: ContainerAct) =>
    order(
      inspectEndpoints.actOnContainer,
      { id: server.id, container, act: verb, engine },
      { key: `app.inspect.containers.done.${verb}`, args: { name } },
    )
  return (
    <SubjectPanel
      asked={asked}
      tools={
        <>
          <SearchField value={search} onChange={setSearch} />
          <p role="status">
            {translate('app.inspect.containers.count', { smart_count: formatNumber(rows.length, locale) })}
          </p>
        </>
      }
    >
      <LiveTable
        label={translate('app.inspect.subjects.containers')}
        columns={columns}
        rows={rows}
        keyOf={({ engine, id }) => `${engine} ${id}`}
        order={sorting}
        onOrder={setSorting}
        empty={translate(search ? 'app.inspect.nothing_found' : 'app.inspect.containers.none')}
      />
      <Suspense>
        {chosen?.kind === 'logs' || chosen?.kind === 'inspect' ? (
          <ContainerDialog server={server} container={chosen.container} kind={chosen.kind} onClose={close} />
        ) : null}
        {chosen?.kind === 'act' ? (
          <ActDialog
            kind="containers"
            act={chosen.act}
            what={chosen.container.name}
            name={server.name}
            onConfirm={() => void act(chosen.container, chosen.act)}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </SubjectPanel>
  )
}

const textOf = ({ id, name, image, state, health = '', ports, project = '' }: ContainerItem) =>
  `${id} ${name} ${image} ${state} ${health} ${ports} ${project}`

const isRunning = ({ state }: ContainerItem) => state === 'running'

/** What can be done with a container in its state. */
function actsFor({ state }: ContainerItem): readonly ContainerAct[] {
  if (state === 'running' || state === 'restarting') return ['stop', 'restart', 'pause', 'pull']
  return state === 'paused' ? ['unpause', 'stop', 'pull'] : ['start', 'pull', 'remove']
}

function columnsOf(
  { locale, translate }: Language,
  choose: (chosen: Chosen) => void,
  openShell: (container: ContainerItem) => void,
): TableColumn<ContainerItem>[] {
  const label = (key: string) => translate(`app.inspect.containers.columns.${key}`)
  const bytes = (value: number | undefined) => (value === undefined ? '' : formatBytes(value, locale))
  return [
    {
      key: 'name',
      label: label('name'),
      width: 'minmax(120px, 2fr)',
      sort: ({ project = '', name }) => `${project} ${name}`,
      cell: (container) => (
        <button type="button" className="link" onClick={() => choose({ container, kind: 'logs' })}>
          {container.name} {container.project ? <small className="quiet">{container.project}</small> : null}
        </button>
      ),
    },
    {
      key: 'image',
      label: label('image'),
      width: 'minmax(120px, 2fr)',
      isWide: true,
      sort: ({ image }) => image,
      cell: ({ image, is_old }) => (
        <span title={image}>
          {is_old ? <strong className="warn">{translate('app.inspect.containers.is_old')}</strong> : null} {image}
        </span>
      ),
    },
    {
      key: 'state',
      label: label('state'),
      width: 'minmax(96px, 1fr)',
      sort: ({ state, health = '' }) => `${state} ${health}`,
      cell: ({ state, health, status }) => {
        // An engine remembers the health of what has stopped.
        const word = state === 'running' && health ? health : state
        return (
          <span className={classOf(word)} title={status}>
            {translate(`app.inspect.containers.states.${word}`, { _: word })}
          </span>
        )
      },
    },
    {
      key: 'cpu',
      label: label('cpu'),
      width: '64px',
      isAtEnd: true,
      sort: ({ cpu = -1 }) => cpu,
      cell: ({ cpu }) => (cpu === undefined ? '' : formatPercent(cpu, locale, 1)),
    },
    {
      key: 'memory',
      label: label('memory'),
      width: '84px',
      isAtEnd: true,
      isWide: true,
      sort: ({ memory = -1 }) => memory,
      cell: ({ memory }) => bytes(memory),
    },
    {
      key: 'network',
      label: label('network'),
      width: '160px',
      isAtEnd: true,
      isWide: true,
      sort: ({ received = -1, sent = 0 }) => received + sent,
      cell: ({ received, sent }) => (received === undefined ? '' : `↓ ${bytes(received)} ↑ ${bytes(sent)}`),
    },
    {
      key: 'ports',
      label: label('ports'),
      width: 'minmax(96px, 1fr)',
      isWide: true,
      sort: ({ ports }) => ports,
      cell: ({ ports }) => <span title={ports}>{ports}</span>,
    },
    {
      key: 'restarts',
      label: label('restarts'),
      width: '72px',
      isAtEnd: true,
      isWide: true,
      sort: ({ restarts }) => restarts,
      cell: ({ restarts }) => <span className={restarts > 0 ? 'warn' : undefined}>{restarts}</span>,
    },
    {
      key: 'started_at',
      label: label('started_at'),
      width: '192px',
      isWide: true,
      sort: ({ started_at = '' }) => started_at,
      cell: ({ started_at }) => (started_at ? formatDateTime(Date.parse(started_at), locale) : ''),
    },
    actionsColumn(
      translate,
      ({ name }) => name,
      (container) => [
        { key: 'logs', label: translate('app.inspect.show_log'), onSelect: () => choose({ container, kind: 'logs' }) },
        ...(isRunning(container)
          ? [
              {
                key: 'shell',
                label: translate('app.inspect.containers.shell'),
                onSelect: () => openShell(container),
              },
            ]
          : []),
        {
          key: 'inspect',
          label: translate('app.inspect.containers.inspect'),
          onSelect: () => choose({ container, kind: 'inspect' }),
        },
        ...actsFor(container).map((act) => ({
          key: act,
          label: translate(`app.inspect.containers.acts.${act}`),
          isDangerous: act === 'remove',
          onSelect: () => choose({ container, kind: 'act', act }),
        })),
      ],
    ),
  ]
}

/** How a state or a health is drawn. */
function classOf(word: string): string {
  if (word === 'unhealthy' || word === 'dead' || word === 'restarting') return 'bad'
  if (word === 'running' || word === 'healthy') return 'good'
  return word === 'starting' ? 'warn' : 'quiet'
}

import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { Suspense, useMemo, useState } from 'react'
import { useStore } from 'react-admin'
import {
  formatBytes,
  formatDateTime,
  formatNumber,
  formatPercent,
  formatSpeeds,
  type Language,
} from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { compareBy, LiveTable, type TableColumn, useTableOrder } from '../../../components/LiveTable.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import { type ProcessItem, type Signal, signals } from '../../../schemas/inspect/processes.ts'
import {
  actionsColumn,
  foundRows,
  SearchField,
  SubjectPanel,
  type SubjectProps,
  useInspected,
} from './SubjectPanel.tsx'

const ProcessDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).ProcessDialog }))
const SignalDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).SignalDialog }))
const PriorityDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).PriorityDialog }))

/** What was chosen for a process. */
type Chosen =
  | { process: ShownProcess; kind: 'details' | 'priority' }
  | { process: ShownProcess; kind: 'signal'; signal: Signal }

/** The processes of a machine, with what they take, as they change. */
export default function Processes({ server }: SubjectProps) {
  const language = useLanguage()
  const { locale, translate } = language
  const asked = useInspected(inspectEndpoints.processes, { id: server.id })
  const [search, setSearch] = useState('')
  const [isTree, setTree] = useStore('inspect.tree', false)
  const [order, setOrder] = useTableOrder({ key: 'cpu', isDescending: true })
  const [chosen, setChosen] = useState<Chosen>()
  const columns = useMemo(() => columnsOf(language, setChosen), [language])
  const items = asked.data?.items
  const rows = useMemo(() => {
    const compare = compareBy(columns, order)
    const found = foundRows<ProcessItem>(items ?? [], search, textOf).map((one) => ({ ...one, depth: 0 }))
    return isTree && !search ? processTree(found, compare) : found.sort(compare)
  }, [items, columns, order, search, isTree])
  const close = () => setChosen(undefined)
  return (
    <SubjectPanel
      asked={asked}
      tools={
        <>
          <SearchField value={search} onChange={setSearch} />
          <FormControlLabel
            control={<Checkbox size="small" checked={isTree} onChange={(_event, checked) => setTree(checked)} />}
            label={translate('app.inspect.processes.tree')}
            slotProps={{ typography: { variant: 'body2' } }}
          />
          <p role="status">
            {translate('app.inspect.processes.count', { smart_count: formatNumber(rows.length, locale) })}
          </p>
        </>
      }
    >
      <LiveTable
        label={translate('app.inspect.subjects.processes')}
        columns={columns}
        rows={rows}
        keyOf={({ pid, started_at }) => `${pid} ${started_at}`}
        order={order}
        onOrder={setOrder}
        empty={translate('app.inspect.nothing_found')}
      />
      <Suspense>
        {chosen?.kind === 'details' ? <ProcessDialog server={server} process={chosen.process} onClose={close} /> : null}
        {chosen?.kind === 'priority' ? (
          <PriorityDialog server={server} process={chosen.process} onClose={close} />
        ) : null}
        {chosen?.kind === 'signal' ? (
          <SignalDialog server={server} process={chosen.process} signal={chosen.signal} onClose={close} />
        ) : null}
      </Suspense>
    </SubjectPanel>
  )
}

const textOf = ({ pid, user, command, unit = '', container = '' }: ProcessItem) =>
  `${pid} ${user} ${command} ${unit} ${container}`

function columnsOf(
  { locale, translate }: Language,
  choose: (chosen: Chosen) => void,
): readonly TableColumn<ShownProcess>[] {
  const label = (key: string) => translate(`app.inspect.processes.columns.${key}`)
  const speed = (value: number | undefined) => (value ? formatSpeeds([value], locale)[0] : '')
  return [
    {
      key: 'pid',
      label: label('pid'),
      width: '72px',
      isAtEnd: true,
      isWide: true,
      sort: ({ pid }) => pid,
      cell: ({ pid }) => pid,
    },
    {
      key: 'command',
      label: label('command'),
      width: 'minmax(110px, 4fr)',
      sort: ({ command }) => command,
      cell: (process) => (
        <button
          type="button"
          className="link"
          style={{ paddingInlineStart: Math.min(process.depth, 12) * 14 }}
          title={process.command}
          onClick={() => choose({ process, kind: 'details' })}
        >
          {process.command}
        </button>
      ),
    },
    {
      key: 'user',
      label: label('user'),
      width: '96px',
      isWide: true,
      sort: ({ user }) => user,
      cell: ({ user }) => user,
    },
    {
      key: 'cpu',
      label: label('cpu'),
      width: '64px',
      isAtEnd: true,
      sort: ({ cpu }) => cpu,
      cell: ({ cpu }) => <span className={cpu >= 90 ? 'warn' : undefined}>{formatPercent(cpu, locale, 1)}</span>,
    },
    {
      key: 'memory',
      label: label('memory'),
      width: '76px',
      isAtEnd: true,
      sort: ({ memory }) => memory,
      cell: ({ memory }) => formatBytes(memory, locale),
    },
    {
      key: 'io',
      label: label('io'),
      width: '104px',
      isAtEnd: true,
      isWide: true,
      sort: ({ read_speed = 0, write_speed = 0 }) => read_speed + write_speed,
      cell: ({ read_speed = 0, write_speed = 0 }) => speed(read_speed + write_speed),
    },
    {
      key: 'state',
      label: label('state'),
      width: '92px',
      isWide: true,
      sort: ({ state }) => state,
      cell: ({ state }) => (
        <State state={state} text={translate(`app.inspect.processes.states.${state}`, { _: state })} />
      ),
    },
    {
      key: 'unit',
      label: label('unit'),
      width: 'minmax(120px, 1fr)',
      isWide: true,
      sort: ({ unit = '', container = '' }) => container || unit,
      cell: ({ unit = '', container = '' }) => <span title={container || unit}>{container || unit}</span>,
    },
    {
      key: 'started_at',
      label: label('started_at'),
      width: '192px',
      isWide: true,
      sort: ({ started_at }) => started_at,
      cell: ({ started_at }) => formatDateTime(started_at * 1000, locale),
    },
    actionsColumn(
      translate,
      ({ pid, command }) => `${pid} ${command.slice(0, 60)}`,
      (process) => [
        ...signals.map((signal) => ({
          key: signal,
          label: translate(`app.inspect.processes.signals.${signal}`),
          isDangerous: signal === 'KILL',
          onSelect: () => choose({ process, kind: 'signal', signal }),
        })),
        {
          key: 'priority',
          label: translate('app.inspect.processes.set_priority'),
          onSelect: () => choose({ process, kind: 'priority' }),
        },
      ],
    ),
  ]
}

/** The state of a process; those that wait for a device, or were not collected, stand out. */
const State = ({ state, text }: { state: string; text: string }) => (
  <span className={state === 'R' ? 'good' : state === 'D' || state === 'Z' ? 'warn' : 'quiet'}>{text}</span>
)

/** A process in the list: in a tree, how deep it is. */
interface ShownProcess extends ProcessItem {
  depth: number
}

/**
 * The processes below those that started them.
 * @param compare the order of those with the same parent
 */
function processTree(
  processes: readonly ShownProcess[],
  compare: (one: ShownProcess, other: ShownProcess) => number,
): ShownProcess[] {
  const known = new Set(processes.map(({ pid }) => pid))
  // One whose parent is not there, or that names itself, begins a tree.
  const parentOf = ({ pid, ppid }: ShownProcess) => (ppid !== pid && known.has(ppid) ? ppid : undefined)
  const children = Map.groupBy(processes, parentOf)
  const shown: ShownProcess[] = []
  const left = [...(children.get(undefined) ?? [])].sort((a, b) => -compare(a, b))
  for (let next = left.pop(); next; next = left.pop()) {
    shown.push(next)
    const { pid, depth } = next
    const below = [...(children.get(pid) ?? [])].sort((a, b) => -compare(a, b))
    left.push(...below.map((one) => ({ ...one, depth: depth + 1 })))
  }
  return shown
}

import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LinkBase, useBasename, useDataProvider, useTranslate } from 'react-admin'
import { formatBytes, formatDateTime, formatPercent } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { numbers, PlainTable } from '../../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { FilesystemItem } from '../../../schemas/inspect/hardware.ts'
import type { ProcessItem } from '../../../schemas/inspect/processes.ts'
import { type Snapshot, snapshotCounts } from '../../../schemas/inspect/snapshot.ts'
import { inodesText, Used } from './hardwareTabs.tsx'
import { LogView } from './LogView.tsx'
import { type Answer, Reason } from './SubjectPanel.tsx'

/** What the machine of an alarm said of itself when it began. */
export function SnapshotDialog({ records: [alarm], onClose }: ActionDialogProps) {
  const { translate, locale } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(alarm?.id)
  const { data, error, refetch } = useQuery({
    queryKey: ['alarm', 'snapshot', id],
    queryFn: () => call(inspectEndpoints.alarmSnapshot, { id }),
  })
  const time = formatDateTime(Date.parse(data?.at ?? String(alarm?.started_at)), locale)
  return (
    <ActionDialog
      title={translate('app.alarm.snapshot_of', { name: String(alarm?.server_name), time })}
      onClose={onClose}
      width={1100}
    >
      <DialogContent dividers>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data?.at ? <SnapshotView snapshot={data} /> : null}
        {data && !data.at ? (
          <Alert severity="info" variant="outlined">
            {translate('app.alarm.no_snapshot')}
          </Alert>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** What a machine said of itself when an alarm began. */
export function SnapshotView({ snapshot }: { snapshot: Snapshot }) {
  const translate = useTranslate()
  const basename = useBasename()
  const { processes, disks, units, logs, server_id, at } = snapshot
  if (snapshot.cause) return <WhyNot answer={{ ...snapshot, items: [] }} />
  return (
    <Frame>
      {processes ? (
        <div className="pair">
          <Processes title={translate('app.alarm.by_cpu')} answer={processes} of={({ cpu }) => cpu} />
          <Processes title={translate('app.alarm.by_memory')} answer={processes} of={({ memory }) => memory} />
        </div>
      ) : null}
      {disks ? (
        <Part title={translate('app.inspect.disks.filesystems')} answer={disks}>
          <DiskTroubles disks={disks} />
          <Filesystems
            items={disks.items.filter((item): item is FilesystemItem => item.kind === 'filesystem').sort(fullestFirst)}
          />
        </Part>
      ) : null}
      {units ? (
        <Part title={translate('app.alarm.failed_units')} answer={units}>
          {units.items.length === 0 ? <p>{translate('app.inspect.units.none_failed')}</p> : null}
          <ul>
            {units.items.map(({ name, description }) => (
              <li key={name}>
                <strong>{name}</strong> {description}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      {logs ? (
        <Part title={translate('app.inspect.logs.journal')} answer={logs}>
          {server_id && at ? (
            <Link
              component={LinkBase}
              to={`${basename}/server/${server_id}/inspect/logs?at=${Math.floor(Date.parse(at) / 1000)}`}
            >
              {translate('app.inspect.logs.around')}
            </Link>
          ) : null}
          <LogView
            label={translate('app.inspect.logs.journal')}
            lines={logs.items}
            empty={translate('app.inspect.logs.none')}
          />
        </Part>
      ) : null}
    </Frame>
  )
}

interface PartProps {
  title: string
  answer: Answer
  children: ReactNode
}

function Part({ title, answer, children }: PartProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {answer.cause ? <WhyNot answer={answer} /> : children}
    </section>
  )
}

/** As on the pages of a machine, but that nobody asks again. */
function WhyNot({ answer }: { answer: Answer }) {
  const translate = useTranslate()
  if (answer.cause !== 'timeout') return <Reason answer={answer} />
  return (
    <Alert severity="info" variant="outlined">
      {translate('app.alarm.no_answer')}
    </Alert>
  )
}

interface ProcessesProps {
  title: string
  answer: NonNullable<Snapshot['processes']>
  of: (item: ProcessItem) => number
}

function Processes({ title, answer, of }: ProcessesProps) {
  const { locale, translate } = useLanguage()
  const top = answer.items.toSorted((one, other) => of(other) - of(one)).slice(0, snapshotCounts.processes)
  const heading = (key: string) => translate(`app.inspect.processes.columns.${key}`)
  return (
    <Part title={title} answer={answer}>
      <PlainTable
        headings={[heading('command'), heading('user'), numbers(heading('cpu')), heading('memory')]}
        rows={top.map(({ pid, command, user, cpu, memory }) => ({
          key: pid,
          cells: [
            <span key="command" className="command" title={`${pid} ${command}`}>
              {command}
            </span>,
            user,
            <span key="cpu" className="figure">
              {formatPercent(cpu, locale, 1)}
            </span>,
            <span key="memory" className="figure">
              {formatBytes(memory, locale)}
            </span>,
          ],
        }))}
      />
    </Part>
  )
}

/** What is wrong with disks, beside that they are full. */
function DiskTroubles({ disks: { items } }: { disks: NonNullable<Snapshot['disks']> }) {
  const translate = useTranslate()
  const troubles = items.flatMap((item) => {
    if (item.kind === 'raid' && item.is_degraded) return [`${item.name} ${item.state}`]
    const isFailing = item.kind === 'device' && item.healthy === false
    return isFailing ? [`${item.name}: ${translate('app.inspect.disks.failing')}`] : []
  })
  return troubles.map((text) => (
    <Alert key={text} severity="error">
      {text}
    </Alert>
  ))
}

function Filesystems({ items }: { items: readonly FilesystemItem[] }) {
  const { locale, translate } = useLanguage()
  const label = (key: string) => translate(`app.inspect.disks.columns.${key}`)
  return (
    <PlainTable
      headings={[label('mounted'), label('used'), numbers(label('free')), label('inodes')]}
      rows={items.map((filesystem) => ({
        key: `${filesystem.device} ${filesystem.name}`,
        cells: [
          filesystem.name,
          <Used key="used" filesystem={filesystem} />,
          formatBytes(filesystem.free, locale),
          inodesText(filesystem, locale),
        ],
      }))}
    />
  )
}

const shareOf = ({ used, free }: FilesystemItem) => (used + free > 0 ? used / (used + free) : 0)
const fullestFirst = (one: FilesystemItem, other: FilesystemItem) => shareOf(other) - shareOf(one)

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(2.5),
  '& .pair': {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(340px, 100%), 1fr))',
    gap: theme.spacing(2.5, 4),
  },
  '& section': { minWidth: 0 },
  '& h3': { margin: theme.spacing(0, 0, 0.5), fontSize: 13, fontWeight: 600 },
  '& p': { margin: 0, color: theme.vars.palette.text.secondary },
  '& ul': { margin: 0, paddingInlineStart: theme.spacing(2.5), fontSize: 13 },
  // Commands may be long: the whole of one is in its title.
  '& .command': {
    display: '-webkit-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
    fontFamily: 'var(--mono)',
    fontSize: 12,
  },
  '& .figure': { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' },
  '& [role="log"]': { height: 'auto', maxHeight: 320 },
  // Twenty processes with a line for each value would be several screens of a phone.
  [theme.breakpoints.down('sm')]: {
    '& .pair tbody tr': { display: 'grid', gridTemplateColumns: '1fr auto auto', columnGap: theme.spacing(1.5) },
    '& .pair td, & .pair td:last-of-type': { display: 'block' },
    '& .pair td::before': { content: 'none' },
    '& .pair td:first-of-type': { gridColumn: '1 / -1' },
  },
}))

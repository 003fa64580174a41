import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { formatBytes, formatDateTime, formatPercent, formatSpeeds } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Copied, Fact, FactList, numbers, PlainTable } from '../../../components/Panel.tsx'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { ActionDialog, CloseFooter, PendingData } from '../../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { ContainerItem } from '../../../schemas/inspect/containers.ts'
import type { ProcessItem, Signal } from '../../../schemas/inspect/processes.ts'
import type { UnitItem } from '../../../schemas/inspect/units.ts'
import { LogPanel } from './LogView.tsx'
import { Output, Reason, type SubjectProps, useInspected, useOrder } from './SubjectPanel.tsx'

interface ProcessDialogProps extends SubjectProps {
  process: ProcessItem
  onClose: () => void
}

/** All that is known of a process, as of the moment when it was opened. */
export function ProcessDialog({ server, process, onClose }: ProcessDialogProps) {
  const { locale, translate } = useLanguage()
  const label = (key: string) => translate(`app.inspect.processes.columns.${key}`)
  const { read_speed, write_speed } = process
  const [read, written] = formatSpeeds([read_speed ?? 0, write_speed ?? 0], locale)
  return (
    <ActionDialog
      title={translate('app.inspect.processes.title', { pid: process.pid, name: server.name })}
      onClose={onClose}
      width={720}
    >
      <DialogContent dividers>
        <Output>{process.command}</Output>
        <FactList sx={{ marginTop: 1 }}>
          <Fact name={label('pid')}>
            <Copied text={String(process.pid)} name={label('pid')} />
          </Fact>
          <Fact name={label('ppid')}>{process.ppid}</Fact>
          <Fact name={label('user')}>{process.user}</Fact>
          <Fact name={label('state')}>
            {translate(`app.inspect.processes.states.${process.state}`, { _: process.state })}
          </Fact>
          <Fact name={label('started_at')}>{formatDateTime(process.started_at * 1000, locale)}</Fact>
          <Fact name={label('cpu')}>{formatPercent(process.cpu, locale, 1)}</Fact>
          <Fact name={label('memory')}>{formatBytes(process.memory, locale)}</Fact>
          <Fact name={label('threads')}>{process.threads}</Fact>
          <Fact name={translate('app.inspect.processes.nice')}>{process.nice}</Fact>
          <Fact name={label('io')}>
            {read_speed === undefined ? '' : translate('app.inspect.processes.speeds', { read, written })}
          </Fact>
          <Fact name={label('unit')}>{process.unit}</Fact>
          <Fact name={label('container')}>{process.container}</Fact>
        </FactList>
        <OpenFiles server={server} pid={process.pid} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** The ports on which it listens, and the files that it holds open. */
function OpenFiles({ server, pid }: SubjectProps & { pid: number }) {
  const { translate } = useLanguage()
  const input = { id: server.id, pid: String(pid) }
  const { data, error, refetch } = useInspected(inspectEndpoints.openFiles, input, false)
  const items = data?.items ?? []
  const ports = items.flatMap((one) => (one.kind === 'port' ? [`${one.port}/${one.protocol} (${one.address})`] : []))
  const files = items.filter((one) => one.kind === 'file')
  return (
    <section aria-label={translate('app.inspect.processes.open_files')}>
      <h3>{translate('app.inspect.processes.open_files')}</h3>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data?.cause ? <Reason answer={data} /> : null}
      {data?.truncated ? <p>{translate('app.inspect.truncated', { count: items.length })}</p> : null}
      {ports.length > 0 ? (
        <FactList>
          <Fact name={translate('app.inspect.network.listeners')}>{ports.join(', ')}</Fact>
        </FactList>
      ) : null}
      {files.length > 0 ? (
        <Output>{files.map(({ descriptor, name }) => `${descriptor.padEnd(5)} ${name}`).join('\n')}</Output>
      ) : null}
    </section>
  )
}

interface SignalDialogProps extends SubjectProps {
  process: ProcessItem
  signal: Signal
  onClose: () => void
}

/** Asks before a process is sent a signal: by then another one may stand in its place on the screen. */
export function SignalDialog({ server, process, signal, onClose }: SignalDialogProps) {
  const translate = useTranslate()
  const order = useOrder(server.id)
  const { pid, started, command } = process
  const send = () => {
    onClose()
    return order(
      inspectEndpoints.signalProcess,
      { id: server.id, pid: String(pid), signal, ...(started && { started }) },
      { key: 'app.inspect.processes.sent', args: { signal, pid } },
    )
  }
  const verb = translate(`app.inspect.processes.signals.${signal}`)
  return (
    <QuestionDialog
      title={translate('app.inspect.processes.signal_title', { verb, pid, name: server.name })}
      button={verb}
      onConfirm={() => void send()}
      onCancel={onClose}
    >
      <p>{translate(`app.inspect.processes.signal_help.${signal}`)}</p>
      <Output>{command}</Output>
    </QuestionDialog>
  )
}

interface PriorityDialogProps extends SubjectProps {
  process: ProcessItem
  onClose: () => void
}

/** Gives a process another nice value. */
export function PriorityDialog({ server, process, onClose }: PriorityDialogProps) {
  const translate = useTranslate()
  const order = useOrder(server.id)
  const { pid, started, command } = process
  const [text, setText] = useState(String(process.nice))
  const nice = Number(text)
  const isValid = /^-?\d+$/.test(text) && nice >= -20 && nice <= 19
  const send = () => {
    if (!isValid) return
    onClose()
    void order(
      inspectEndpoints.setPriority,
      { id: server.id, pid: String(pid), nice, ...(started && { started }) },
      { key: 'app.inspect.processes.priority_set', args: { nice, pid } },
    )
  }
  return (
    <QuestionDialog
      title={translate('app.inspect.processes.priority_title', { pid, name: server.name })}
      button={translate('app.inspect.processes.set_priority')}
      onConfirm={send}
      onCancel={onClose}
    >
      <Output>{command}</Output>
      <TextField
        label={translate('app.inspect.processes.nice')}
        helperText={translate('app.inspect.processes.nice_help')}
        error={!isValid}
        type="number"
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { min: -20, max: 19 } }}
        fullWidth
        sx={{ marginTop: 2 }}
      />
    </QuestionDialog>
  )
}

interface UnitDialogProps extends SubjectProps {
  unit: UnitItem
  onClose: () => void
}

/** What a unit has written to the journal, as it grows. */
export function UnitDialog({ server, unit, onClose }: UnitDialogProps) {
  const translate = useTranslate()
  const asked = useInspected(inspectEndpoints.logs, { id: server.id, unit: unit.name })
  return (
    <ActionDialog
      title={translate('app.inspect.units.title', { what: unit.name, name: server.name })}
      onClose={onClose}
      width={1100}
    >
      <DialogContent dividers>
        <LogPanel asked={asked} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

interface ContainerDialogProps extends SubjectProps {
  container: ContainerItem
  kind: 'logs' | 'inspect'
  onClose: () => void
}

/** The log of a container as it grows, or what its engine knows of it. */
export function ContainerDialog({ server, container, kind, onClose }: ContainerDialogProps) {
  const translate = useTranslate()
  const { id, engine, name } = container
  const input = { id: server.id, container: id, engine }
  return (
    <ActionDialog
      title={translate('app.inspect.containers.title', { what: name, name: server.name })}
      onClose={onClose}
      width={1100}
    >
      <DialogContent dividers>{kind === 'logs' ? <Log input={input} /> : <Details input={input} />}</DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

interface PartProps {
  input: { id: number; container: string; engine: ContainerItem['engine'] }
}

function Log({ input }: PartProps) {
  return <LogPanel asked={useInspected(inspectEndpoints.containerLogs, input)} />
}

function Details({ input }: PartProps) {
  const { data, error, refetch } = useInspected(inspectEndpoints.inspectContainer, input, false)
  return (
    <>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data?.cause ? <Reason answer={data} /> : null}
      {data?.text ? <Output>{data.text}</Output> : null}
    </>
  )
}

interface ActDialogProps {
  kind: 'containers' | 'units'
  act: string
  /** What it is done to, and on which server. */
  what: string
  name: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done on a machine. */
export function ActDialog({ kind, act, what, name, onConfirm, onClose }: ActDialogProps) {
  const translate = useTranslate()
  const verb = translate(`app.inspect.${kind}.acts.${act}`)
  return (
    <QuestionDialog
      title={translate('app.inspect.act_title', { verb, what, name })}
      button={verb}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
      onCancel={onClose}
    >
      <p>{translate(`app.inspect.${kind}.act_help.${act}`)}</p>
    </QuestionDialog>
  )
}

interface FoldersDialogProps extends SubjectProps {
  /** Where the file system is mounted. */
  path: string
  onClose: () => void
}

/** The largest folders of a file system; the machine counts for as long as it takes. */
export function FoldersDialog({ server, path, onClose }: FoldersDialogProps) {
  const { locale, translate } = useLanguage()
  const label = (key: string) => translate(`app.inspect.disks.columns.${key}`)
  // In paths of requests a percent sign begins a byte.
  const input = { id: server.id, path: path.replaceAll('%', '%25') }
  const { data, error, refetch } = useInspected(inspectEndpoints.folders, input, false)
  return (
    <ActionDialog
      title={translate('app.inspect.disks.folders_title', { what: path, name: server.name })}
      onClose={onClose}
      width={720}
    >
      <DialogContent dividers aria-busy={!data && !error}>
        {!data && !error ? <p role="status">{translate('app.inspect.disks.counting')}</p> : null}
        <PendingData data={data} error={error} onRetry={refetch} />
        {data?.cause ? <Reason answer={data} /> : null}
        {data?.truncated ? <Alert severity="info">{translate('app.inspect.disks.cut')}</Alert> : null}
        {data && !data.cause ? (
          <PlainTable
            headings={[label('folder'), numbers(label('size'))]}
            rows={data.items.map((folder) => ({
              key: folder.path,
              cells: [folder.path, formatBytes(folder.size, locale)],
            }))}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

import DialogContent from '@mui/material/DialogContent'
import { formatBytes, formatDateTime, formatPercent, formatSpeeds } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Copied, Fact, FactList } from '../../../components/Panel.tsx'
import { ActionDialog, CloseFooter, PendingData } from '../../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { ProcessItem } from '../../../schemas/inspect/processes.ts'
import { Output, Reason, type SubjectProps, useInspected } from './SubjectPanel.tsx'

interface ProcessDialogProps extends SubjectProps {
  process: ProcessItem
  onClose: () => void
}

/** All that is known of a process, as of the moment when it was opened. */
export default function ProcessDialog({ server, process, onClose }: ProcessDialogProps) {
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

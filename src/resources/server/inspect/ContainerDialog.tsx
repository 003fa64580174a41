import DialogContent from '@mui/material/DialogContent'
import { useTranslate } from 'react-admin'
import { ActionDialog, CloseFooter, PendingData } from '../../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { ContainerItem } from '../../../schemas/inspect/containers.ts'
import { LogPanel } from './LogView.tsx'
import { Output, Reason, type SubjectProps, useInspected } from './SubjectPanel.tsx'

interface ContainerDialogProps extends SubjectProps {
  container: ContainerItem
  kind: 'logs' | 'inspect'
  onClose: () => void
}

/** The log of a container as it grows, or what its engine knows of it. */
export default function ContainerDialog({ server, container, kind, onClose }: ContainerDialogProps) {
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

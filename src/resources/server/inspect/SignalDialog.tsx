import { useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { ProcessItem, Signal } from '../../../schemas/inspect/processes.ts'
import { Output, type SubjectProps, useOrder } from './SubjectPanel.tsx'

interface SignalDialogProps extends SubjectProps {
  process: ProcessItem
  signal: Signal
  onClose: () => void
}

/** Asks before a process is sent a signal: by then another one may stand in its place on the screen. */
export default function SignalDialog({ server, process, signal, onClose }: SignalDialogProps) {
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

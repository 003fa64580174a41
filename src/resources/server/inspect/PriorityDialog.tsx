import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { ProcessItem } from '../../../schemas/inspect/processes.ts'
import { Output, type SubjectProps, useOrder } from './SubjectPanel.tsx'

interface PriorityDialogProps extends SubjectProps {
  process: ProcessItem
  onClose: () => void
}

/** Gives a process another nice value. */
export default function PriorityDialog({ server, process, onClose }: PriorityDialogProps) {
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

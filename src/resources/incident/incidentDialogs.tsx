import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { type RaRecord, useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { ActionDialog, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useDialogOrder } from '../../engine/parts/useDialogOrder.ts'
import { incidentEndpoints } from '../../schemas/endpoints/incidentEndpoints.ts'
import { incident } from '../../schemas/incident.ts'
import { maxIncidentNote } from '../../schemas/incidents/incidentRecord.ts'

/** Says that this person is on an incident, with a note for those who look at it later. */
export function AcknowledgeDialog({ records: [record], onClose }: ActionDialogProps) {
  const translate = useTranslate()
  const label = translate('resources.incident.actions.acknowledge.label')
  return record ? <DiaryDialog record={record} action="acknowledge" label={label} onClose={onClose} /> : null
}

/** Adds a note to the diary of an incident. */
export function NoteDialog({ records: [record], onClose }: ActionDialogProps) {
  const translate = useTranslate()
  return record ? (
    <DiaryDialog record={record} action="note" label={translate('app.action.save')} onClose={onClose} />
  ) : null
}

interface DiaryDialogProps {
  record: RaRecord
  /** What is done; a note by itself must say something. */
  action: 'note' | 'acknowledge'
  /** Of the button. */
  label: string
  onClose: () => void
}

const endpointOf = { note: incidentEndpoints.noteIncident, acknowledge: incidentEndpoints.acknowledgeIncident }

/** Does something with an incident that goes into its diary. What was typed stays when it cannot be saved. */
export function DiaryDialog({ record: { id, title }, action, label, onClose }: DiaryDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { show } = useToast()
  const [note, setNote] = useState('')
  const { isSending, isHeld, send } = useDialogOrder()
  const isMissing = action === 'note' && note.trim() === ''

  const order = async () => {
    await call(endpointOf[action], { id: Number(id), note: note.trim() })
    await queryClient.invalidateQueries({ queryKey: [incident.name] })
    show({ key: `resources.incident.actions.${action}.done` })
  }
  const save = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!isMissing && !isSending) void send(order, onClose)
  }

  return (
    <ActionDialog
      title={translate(`app.incident.${action}_title`, { name: title })}
      onClose={isHeld ? () => {} : onClose}
      width={560}
    >
      <form
        onSubmit={save}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && save(event)}
      >
        <DialogContent>
          {action === 'acknowledge' ? (
            <p style={{ margin: '0 0 16px' }}>{translate('app.incident.acknowledge_hint')}</p>
          ) : null}
          <TextField
            label={`${translate('app.incident.note')}${action === 'note' ? '' : ` (${translate('app.form.optional')})`}`}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            slotProps={{ htmlInput: { maxLength: maxIncidentNote } }}
            autoFocus
            fullWidth
            multiline
            minRows={action === 'note' ? 3 : 2}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={isHeld}>
            {translate('app.action.cancel')}
          </Button>
          <Button type="submit" variant="contained" disabled={isMissing} loading={isSending}>
            {label}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}

import { useTranslate } from 'react-admin'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { DiaryDialog } from './NoteDialog.tsx'

/** Says that this person is on an incident, with a note for those who look at it later. */
export default function AcknowledgeDialog({ records: [record], onClose }: ActionDialogProps) {
  const translate = useTranslate()
  const label = translate('resources.incident.actions.acknowledge.label')
  return record ? <DiaryDialog record={record} action="acknowledge" label={label} onClose={onClose} /> : null
}

import DialogContent from '@mui/material/DialogContent'
import { ChangeHistory, type Version } from '../../engine/history/ChangeHistory.tsx'
import { ActionDialog, CloseFooter } from '../../engine/parts/ActionDialog.tsx'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import { settingsRecordId } from '../../schemas/endpoints/changeEndpoints.ts'

interface SettingsHistoryDialogProps {
  /** Settings that are one record. */
  entity: Entity
  title: string
  /** The settings when the form was opened. */
  now: Values
  onRestore: (version: Version) => void
  onClose: () => void
}

/** Who changed which setting, with a way back to each version. */
export default function SettingsHistoryDialog({ entity, title, now, onRestore, onClose }: SettingsHistoryDialogProps) {
  return (
    <ActionDialog title={title} onClose={onClose} width={760}>
      <DialogContent dividers>
        <ChangeHistory entity={entity} id={settingsRecordId} now={now} onRestore={onRestore} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

import DialogContent from '@mui/material/DialogContent'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { ChangeHistory } from '../../engine/history/ChangeHistory.tsx'
import type { Version } from '../../engine/history/versionAt.ts'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import type { Values } from '../../schemas/define/values.ts'
import { settingsRecordId } from '../../schemas/endpoints/changeEndpoints.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'

interface SettingsHistoryDialogProps {
  /** The settings when the form was opened. */
  now: Values
  onRestore: (version: Version) => void
  onClose: () => void
}

/** Who changed which setting, with a way back to each version. */
export default function SettingsHistoryDialog({ now, onRestore, onClose }: SettingsHistoryDialogProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.changes.settings')} onClose={onClose} width={760}>
      <DialogContent dividers>
        <ChangeHistory entity={siteSetting} id={settingsRecordId} now={now} onRestore={onRestore} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

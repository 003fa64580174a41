import DialogContent from '@mui/material/DialogContent'
import { useTranslate } from 'react-admin'
import { ChangeHistory } from '../../resources/engine/history/ChangeHistory.tsx'
import type { Version } from '../../resources/engine/history/versionAt.ts'
import { CloseFooter } from '../../resources/engine/parts/CloseFooter.tsx'
import { settingsRecordId } from '../../schemas/endpoints/changeEndpoints.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { ActionDialog } from '../components/ActionDialog.tsx'

interface SettingsHistoryDialogProps {
  /** The settings when the form was opened. */
  now: Readonly<Record<string, unknown>>
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

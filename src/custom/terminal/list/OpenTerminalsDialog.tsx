import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import type { TabTerminal } from '../../../storage/tabTerminals.ts'
import { TerminalList } from './TerminalList.tsx'

/** The open terminals, above those of this window. */
export default function OpenTerminalsDialog({
  onShow,
  onClose,
}: {
  onShow: (terminal: TabTerminal) => void
  onClose: () => void
}) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.terminal.held.title')} width={800} onClose={onClose}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.terminal.held.hint')}</p>
        <TerminalList onShow={onShow} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}

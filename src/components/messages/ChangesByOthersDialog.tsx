import DialogContent from '@mui/material/DialogContent'
import { useTranslate } from 'react-admin'
import { ChangeList } from '../../engine/history/ChangeEntry.tsx'
import { NamedChange } from '../../engine/history/NamedChange.tsx'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import type { ChangesByOthers } from '../../lastVisit/changesByOthers.ts'
import { ActionDialog } from '../ActionDialog.tsx'
import { DifferenceList } from './DifferenceList.tsx'

interface ChangesByOthersDialogProps {
  found: ChangesByOthers
  onClose: () => void
}

/** What others have changed since the last visit: field by field where the server records it, else record by record. */
export default function ChangesByOthersDialog({ found, onClose }: ChangesByOthersDialogProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.changes_by_others.title')} onClose={onClose} width={760}>
      <DialogContent dividers>
        {found.kind === 'compared' ? (
          <DifferenceList differences={found.differences} />
        ) : (
          <>
            <ChangeList>
              {found.changes.map((change) => (
                <NamedChange key={change.id} change={change} onFollow={onClose} />
              ))}
            </ChangeList>
            {found.total > found.changes.length
              ? translate('app.changes_by_others.more', { count: found.total - found.changes.length })
              : null}
          </>
        )}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

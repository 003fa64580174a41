import DialogContent from '@mui/material/DialogContent'
import { useTranslate } from 'react-admin'
import { ActionDialog, CloseFooter } from '../../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { UnitItem } from '../../../schemas/inspect/units.ts'
import { LogPanel } from './LogView.tsx'
import { type SubjectProps, useInspected } from './SubjectPanel.tsx'

interface UnitDialogProps extends SubjectProps {
  unit: UnitItem
  onClose: () => void
}

/** What a unit has written to the journal, as it grows. */
export default function UnitDialog({ server, unit, onClose }: UnitDialogProps) {
  const translate = useTranslate()
  const asked = useInspected(inspectEndpoints.logs, { id: server.id, unit: unit.name })
  return (
    <ActionDialog
      title={translate('app.inspect.units.title', { what: unit.name, name: server.name })}
      onClose={onClose}
      width={1100}
    >
      <DialogContent dividers>
        <LogPanel asked={asked} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

import DialogContent from '@mui/material/DialogContent'
import { useState } from 'react'
import type { RaRecord } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { ChangeHistory } from '../history/ChangeHistory.tsx'
import type { Version } from '../history/versionAt.ts'
import { CloseFooter } from '../parts/CloseFooter.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'

interface HistoryPanelProps {
  /** The record as it was opened. */
  record: RaRecord
  onClose: () => void
}

/** The history of a record in its dialog; a version that is restored is shown and saved like a form. */
export default function HistoryPanel({ record, onClose }: HistoryPanelProps) {
  const { entity } = useScreen()
  const [restored, setRestored] = useState<{ version: Version; at: string }>()
  return (
    <>
      <DialogContent dividers>
        <ChangeHistory
          entity={entity}
          id={Number(record.id)}
          now={record}
          onRestore={(version, at) => setRestored({ version, at })}
        />
      </DialogContent>
      <CloseFooter onClose={onClose} />
      {restored ? (
        <RestoreDialog record={record} {...restored} onRestored={onClose} onCancel={() => setRestored(undefined)} />
      ) : null}
    </>
  )
}

import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId, useState } from 'react'
import { type Identifier, useNotify } from 'react-admin'
import { DiscardDialog } from '../form/DiscardDialog.tsx'
import { UnsavedChangesGuard } from '../form/UnsavedChangesGuard.tsx'
import { BulkResults, RunningUpdates } from './BulkResults.tsx'
import { PreviewChanges } from './PreviewChanges.tsx'
import type { BulkPlan } from './planBulkEdit.ts'
import type { UpdateResult } from './runUpdates.ts'
import { useBulkRun } from './useBulkRun.ts'

interface PlanDialogProps {
  title: string
  /** What is shown before it is written. */
  plan?: BulkPlan
  /** Shown while there is no plan. */
  children?: ReactNode
  /** Whether closing would lose something that was entered. */
  isUnsaved?: boolean
  onBack: () => void
  /** Plans anew for the records that were not written, as they are now. */
  onReview: (ids: readonly Identifier[]) => Promise<void>
  onClose: () => void
}

/** Writes to many records: a preview, then a few writes at a time, then results by name. Fills narrow screens. */
export function PlanDialog({ title, plan, children, isUnsaved = false, onBack, onReview, onClose }: PlanDialogProps) {
  const titleId = useId()
  const isNarrow = useMediaQuery('(max-width: 600px)', { noSsr: true })
  const notify = useNotify()
  const [results, setResults] = useState<readonly UpdateResult[]>()
  const [isLeaving, setLeaving] = useState(false)
  const { run, stop, progress, isStopping } = useBulkRun()
  const mustAsk = isUnsaved && !results
  const review = async (of: readonly UpdateResult[]) => {
    try {
      // A failed write may have arrived all the same, and others may have changed the record.
      await onReview(of.flatMap(({ outcome, record }) => (outcome === 'changed' ? [] : [record.id])))
      setResults(undefined)
    } catch (error) {
      notify((error instanceof Error && error.message) || 'app.toast.unexpected', { type: 'error' })
    }
  }
  const leave = () => {
    if (progress) return
    if (mustAsk) setLeaving(true)
    else onClose()
  }
  return (
    <Dialog
      open
      onClose={leave}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: isNarrow ? undefined : 760 } } }}
    >
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {progress ? (
        <RunningUpdates {...progress} isStopping={isStopping} onStop={stop} />
      ) : results ? (
        <BulkResults results={results} onReview={() => void review(results)} onClose={onClose} />
      ) : plan ? (
        <PreviewChanges plan={plan} onBack={onBack} onRun={() => void run(plan.updates).then(setResults)} />
      ) : (
        children
      )}
      {isLeaving ? <DiscardDialog onDiscard={onClose} onKeep={() => setLeaving(false)} /> : null}
      <UnsavedChangesGuard isDirty={() => mustAsk || progress !== undefined} />
    </Dialog>
  )
}

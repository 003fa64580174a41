import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../ActionDialog.tsx'

interface LargeChartProps {
  title: string
  onClose: () => void
  /** The chart with its own timeline: the page behind has other series. */
  children: ReactNode
}

/** Pixels. */
const maxWidth = 1600

/** A dialog as wide as the window, with one chart. */
export function LargeChart({ title, onClose, children }: LargeChartProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={title} width={maxWidth} onClose={onClose}>
      <DialogContent dividers>{children}</DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}

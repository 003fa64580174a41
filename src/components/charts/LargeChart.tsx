import OpenInFull from '@mui/icons-material/OpenInFull'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import IconButton from '@mui/material/IconButton'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { useSearchChange } from './useSearchChange.ts'

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

/** Shows a chart in a dialog that fills the window. @param title of the chart */
export function EnlargeButton({ title, onClick }: { title: string; onClick: () => void }) {
  const translate = useTranslate()
  const label = translate('app.charts.enlarge', { name: title })
  return (
    <IconButton size="small" aria-haspopup="dialog" aria-label={label} title={label} onClick={onClick}>
      <OpenInFull sx={{ fontSize: 16 }} />
    </IconButton>
  )
}

/** Which chart of a page is shown large, and whose lines are laid over it, as the address has them. */
export interface LargeChartChoice {
  /** The key of the chart. */
  chart: string | undefined
  /** The id of the other record. */
  other: number | undefined
  open: (chart: string) => void
  close: () => void
  compareWith: (id: number | undefined) => void
}

interface OpenedState {
  /** Whether Back leads to the same page without the dialog. */
  hasOpenedChart?: true
}

/** Reads `?chart=cpu&with=12`. */
export function useLargeChart(): LargeChartChoice {
  const [params] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const change = useSearchChange()
  const id = params.get('with') ?? ''
  const hasOpened = (state as OpenedState | null)?.hasOpenedChart === true
  return {
    chart: params.get('chart') ?? undefined,
    other: /^\d{1,15}$/.test(id) ? Number(id) : undefined,
    // Back, as the button of a phone, closes it.
    open: (chart) => change({ chart }, { isStep: true, state: { hasOpenedChart: true } satisfies OpenedState }),
    close: () => (hasOpened ? void navigate(-1) : change({ chart: undefined, with: undefined })),
    compareWith: (other) => change({ with: other === undefined ? undefined : String(other) }),
  }
}

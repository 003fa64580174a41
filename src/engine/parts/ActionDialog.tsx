import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogTitle from '@mui/material/DialogTitle'
import type { SxProps } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ComponentProps, createElement, Fragment, type ReactNode, useId } from 'react'
import { LinkBase, useNotify, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../i18n/fillText.ts'
import { hasSessionEnded } from '../../session/sessionGate.ts'
import { isStepUpOpen } from '../../session/stepUp.ts'

interface ActionDialogFrameProps {
  title: string
  onClose: () => void
  /** Pixels. */
  width?: number
  children: ReactNode
}

/** The frame of an action's dialog: title and size. On narrow screens it fills the screen. */
export function ActionDialog({ title, onClose, width = 640, children }: ActionDialogFrameProps) {
  const titleId = useId()
  const narrow = useMediaQuery('(max-width: 600px)', { noSsr: true })
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={narrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: narrow ? undefined : width } } }}
    >
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {children}
    </Dialog>
  )
}

/** The footer of a dialog in which nothing is decided. @param isHeld whether the dialog has to stay for now */
export function CloseFooter({ onClose, isHeld = false }: { onClose: () => void; isHeld?: boolean }) {
  const translate = useTranslate()
  return (
    <DialogActions>
      <Button onClick={onClose} disabled={isHeld}>
        {translate('app.action.close')}
      </Button>
    </DialogActions>
  )
}

interface PendingDataProps {
  /** `undefined` until something was fetched. Data from before an error stays on screen. */
  data: unknown
  error: Error | null
  onRetry: () => unknown
}

/** Pixels: room for a short list, so that what follows moves little when it comes. */
const minHeight = 110

/** Stands where data will be: a progress indicator, or the error and a button to try again. */
export function PendingData({ data, error, onRetry }: PendingDataProps) {
  const translate = useTranslate()
  if (data !== undefined) return null
  if (error) return <RetryAlert error={error} onRetry={onRetry} />
  return (
    <div style={{ minHeight }}>
      <CircularProgress size={24} aria-label={translate('app.list.loading')} />
    </div>
  )
}

interface RetryAlertProps {
  /** Its message is a text key, or the server's own words. */
  error?: Error | null
  /** Shown instead of the error. */
  children?: ReactNode
  onRetry: () => unknown
  isRetrying?: boolean
  sx?: SxProps
}

/** Shown in place of what could not be fetched: the error, and a button to try again. */
export function RetryAlert({ error, children, onRetry, isRetrying, sx }: RetryAlertProps) {
  const translate = useTranslate()
  return (
    <Alert
      severity="error"
      variant="outlined"
      sx={sx}
      action={
        <Button color="inherit" size="small" loading={isRetrying} onClick={() => void onRetry()}>
          {translate('app.list.retry')}
        </Button>
      }
    >
      {children ?? translate(error?.message || 'app.toast.unexpected')}
    </Alert>
  )
}

/** A text key with its arguments. */
export interface Toast {
  key: string
  args?: TextArgs
  type?: 'success' | 'info' | 'warning' | 'error'
  /** A link behind the text. */
  link?: { to: ComponentProps<typeof LinkBase>['to']; state?: unknown; labelKey: string }
}

/** Milliseconds after which somebody who waits is told that the server has not answered. */
const unansweredMs = 5_000

/** Whether calls wait for the person, and not for the server. */
const isForPerson = () => hasSessionEnded() || isStepUpOpen('reauthenticate') || isStepUpOpen('setUpSecondFactor')

/**
 * Toasts for the outcome of a call. An error shows the server's words, or points to the browser's console if the reply
 * had none; its cause is always written there.
 */
export function useToast() {
  const notify = useNotify()
  const translate = useTranslate()
  return {
    showError: (error: unknown) => {
      console.error(error)
      const message = error instanceof Error ? error.message : ''
      const { messageArgs } = (error as { body?: { messageArgs?: TextArgs } } | undefined)?.body ?? {}
      notify(message || 'app.toast.unexpected', { type: 'error', messageArgs })
    },
    /**
     * To be called when something is sent: says when there is no answer for a while, and calls `onLate`.
     * @returns to be called with the answer
     */
    awaitAnswer: (onLate?: () => void) => {
      const tell = () => {
        // Nothing has been sent yet, or it is sent again.
        if (isForPerson()) timer = setTimeout(tell, unansweredMs)
        else {
          notify('app.toast.unanswered', { type: 'info' })
          onLate?.()
        }
      }
      let timer = setTimeout(tell, unansweredMs)
      return () => clearTimeout(timer)
    },
    show: ({ key, args, type = 'success', link }: Toast) => {
      if (!link) return notify(key, { type, messageArgs: args })
      const to = createElement(LinkBase, { to: link.to, state: link.state }, translate(link.labelKey))
      notify(createElement(Fragment, null, translate(key, args), ' ', to), { type })
    },
  }
}

import Done from '@mui/icons-material/CheckCircleOutlined'
import Close from '@mui/icons-material/Close'
import ErrorIcon from '@mui/icons-material/ErrorOutlined'
import Info from '@mui/icons-material/InfoOutlined'
import Warning from '@mui/icons-material/WarningAmberOutlined'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { type NotificationPayload, useTranslate } from 'react-admin'
import { copyText } from '../components/copyText.ts'
import { floatingShadow } from '../theme/tokens.ts'

const icons = { success: Done, info: Info, warning: Warning, error: ErrorIcon }

/** Milliseconds until a toast disappears, unless it is hovered or focused. */
const toastMs = 4000

interface ToastProps {
  notification: NotificationPayload
  hidden: boolean
  onDismiss: () => void
}

/** One message. Errors stay until they are dismissed, and can be copied; others disappear. */
export function Toast({ notification, hidden, onDismiss }: ToastProps) {
  const translate = useTranslate()
  const { message, type, notificationOptions } = notification
  const isError = type === 'error'
  const duration = notificationOptions?.autoHideDuration
  const [isPaused, setPaused] = useState(false)
  useDelayedCall(onDismiss, isPaused ? null : duration === undefined ? (isError ? null : toastMs) : duration)

  const text = typeof message === 'string' ? translate(message, notificationOptions?.messageArgs) : undefined
  const Icon = icons[type] ?? Info
  return (
    <Card
      role={isError ? 'alert' : undefined}
      hidden={hidden}
      data-type={type}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      onKeyDown={({ key }) => key === 'Escape' && onDismiss()}
    >
      <Icon fontSize="small" aria-hidden />
      <div>
        {isError && <strong>{translate('app.toast.error')}</strong>}
        <Text>{text ?? message}</Text>
        {isError && text && <CopyButton text={text} />}
      </div>
      <IconButton size="small" aria-label={translate('app.toast.dismiss')} onClick={onDismiss}>
        <Close fontSize="small" />
      </IconButton>
    </Card>
  )
}

function CopyButton({ text }: { text: string }) {
  const translate = useTranslate()
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const copy = () =>
    copyText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  const label = { copied: 'app.action.copied', failed: 'app.toast.copy_failed', none: 'app.action.copy' }
  return (
    <Button color="inherit" variant="outlined" onClick={copy} sx={{ marginTop: 1, minHeight: 28 }}>
      {translate(label[outcome ?? 'none'])}
    </Button>
  )
}

/** Calls once after a delay in milliseconds; never for `null`. */
function useDelayedCall(callback: () => void, delay: number | null) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback of the same toast must not restart its timer
  useEffect(() => {
    if (delay === null) return
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  }, [delay])
}

const Card = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  pointerEvents: 'auto',
  display: 'flex',
  alignItems: 'flex-start',
  gap: 10,
  padding: '10px 8px 10px 14px',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  boxShadow: floatingShadow,
  '&[hidden]': { display: 'none' },
  '& > svg': { flex: 'none', marginTop: 4, color: theme.vars.palette.info.main },
  "&[data-type='success'] > svg": { color: theme.vars.palette.success.main },
  "&[data-type='warning'] > svg": { color: theme.vars.palette.warning.main },
  "&[data-type='error']": { borderColor: theme.vars.palette.error.main },
  "&[data-type='error'] > svg": { color: theme.vars.palette.error.main },
  '& > div': { flex: 1, minWidth: 0, paddingBlock: 5 },
}))

const Text = styled('div')({ overflowWrap: 'anywhere', whiteSpace: 'pre-line', maxHeight: '30vh', overflowY: 'auto' })

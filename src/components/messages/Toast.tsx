import Done from '@mui/icons-material/CheckCircleOutlined'
import Close from '@mui/icons-material/Close'
import Copy from '@mui/icons-material/ContentCopyOutlined'
import ErrorIcon from '@mui/icons-material/ErrorOutlined'
import Info from '@mui/icons-material/InfoOutlined'
import Warning from '@mui/icons-material/WarningAmberOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type NotificationPayload, useTranslate } from 'react-admin'
import { copyText } from '../copyText.ts'

const icons = { success: Done, info: Info, warning: Warning, error: ErrorIcon }

/** Milliseconds until a toast disappears; longer for a text that takes longer to read. */
const least = { success: 4_000, info: 4_000, warning: 8_000, error: 15_000 }
const msPerCharacter = 60
/** There is something to decide. */
const leastWithLink = 8_000

interface ToastProps {
  notification: NotificationPayload
  hidden: boolean
  onDismiss: () => void
}

/**
 * One message. It disappears after some seconds, errors later; never while it is hovered, has the focus or cannot be
 * seen, because newer ones hide it or the window is not in sight. An error can be copied.
 */
export function Toast({ notification, hidden, onDismiss }: ToastProps) {
  const translate = useTranslate()
  const { message, notificationOptions } = notification
  const type = notification.type in least ? (notification.type as keyof typeof least) : 'info'
  const isError = type === 'error'
  const text = typeof message === 'string' ? translate(message, notificationOptions?.messageArgs) : undefined
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isInSight = useSyncExternalStore(subscribeToVisibility, isPageVisible)
  const isPaused = isHovered || isFocused || hidden || !isInSight
  const delay = text === undefined ? leastWithLink : text.length * msPerCharacter
  useDelayedCall(onDismiss, isPaused ? null : Math.max(least[type], delay))

  const Icon = icons[type]
  return (
    <Card
      role={isError ? 'alert' : undefined}
      hidden={hidden}
      data-message
      data-type={type}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={({ key }) => key === 'Escape' && onDismiss()}
    >
      <Icon fontSize="small" aria-hidden />
      <Text>
        {isError && <strong>{translate('app.toast.error')} </strong>}
        <span>{text ?? message}</span>
      </Text>
      {isError && text && <CopyButton text={text} />}
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
  const label = translate(
    { copied: 'app.action.copied', failed: 'app.toast.copy_failed', none: 'app.action.copy' }[outcome ?? 'none'],
  )
  const CopyIcon = { copied: Done, failed: Warning, none: Copy }[outcome ?? 'none']
  return (
    <IconButton size="small" aria-label={label} title={label} onClick={copy}>
      <CopyIcon fontSize="small" />
    </IconButton>
  )
}

const isPageVisible = () => document.visibilityState !== 'hidden'

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
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
  display: 'flex',
  alignItems: 'flex-start',
  gap: 8,
  padding: '3px 6px 3px 12px',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '&[hidden]': { display: 'none' },
  '& > svg': { flex: 'none', marginTop: 6, color: theme.vars.palette.info.main },
  "&[data-type='success'] > svg": { color: theme.vars.palette.success.main },
  "&[data-type='warning'] > svg": { color: theme.vars.palette.warning.main },
  "&[data-type='error']": { borderColor: theme.vars.palette.error.main },
  "&[data-type='error'] > svg": { color: theme.vars.palette.error.main },
}))

const Text = styled('div')({
  flex: 1,
  minWidth: 0,
  paddingBlock: 6,
  overflowWrap: 'anywhere',
  whiteSpace: 'pre-line',
})

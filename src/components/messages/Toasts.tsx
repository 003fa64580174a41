import Done from '@mui/icons-material/CheckCircleOutlined'
import Close from '@mui/icons-material/Close'
import Copy from '@mui/icons-material/ContentCopyOutlined'
import ErrorIcon from '@mui/icons-material/ErrorOutlined'
import Info from '@mui/icons-material/InfoOutlined'
import Warning from '@mui/icons-material/WarningAmberOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { use, useEffect, useState, useSyncExternalStore } from 'react'
import { type NotificationPayload, useLocation, useNotificationContext, useTranslate } from 'react-admin'
import { copyText } from '../copyText.ts'
import { ScreenAddressContext } from './screenAddress.ts'

const maxVisible = 3

/**
 * The toasts, newest last, at most three on screen. Older errors reappear as newer ones are dismissed; a repeated message
 * replaces the earlier one. A toast goes with the screen on which it came; one of a failure in a dialog goes with the
 * dialog, and does not stay beside the success of the next try.
 */
export function Toasts() {
  const translate = useTranslate()
  const { notifications, setNotifications } = useNotificationContext()
  const { pathname } = useLocation()
  const screenOf = use(ScreenAddressContext)

  for (const notification of notifications) {
    if (!pathnames.has(notification)) pathnames.set(notification, pathname)
  }
  useEffect(() => {
    const belongsHere = (notification: NotificationPayload) => {
      const came = pathnames.get(notification)
      if (came === undefined || came === pathname) return true
      const isOfDialog = came !== screenOf(came) && notification.type !== 'success' && notification.type !== 'info'
      return !isOfDialog && screenOf(came) === screenOf(pathname)
    }
    setNotifications((all) => (all.every(belongsHere) ? all : all.filter(belongsHere)))
  }, [pathname, screenOf, setNotifications])

  const dismiss = (dismissed: NotificationPayload) =>
    setNotifications((all) => all.filter((one) => !isSameMessage(one, dismissed)))
  const shown = notifications.filter(
    (one, index) => !notifications.slice(index + 1).some((later) => isSameMessage(one, later)),
  )
  return (
    <Stack aria-label={translate('app.toast.list')} aria-live="polite">
      {shown.map((notification, index) => (
        <Toast
          key={keyOf(notification)}
          notification={notification}
          hidden={index < shown.length - maxVisible}
          onDismiss={() => dismiss(notification)}
        />
      ))}
    </Stack>
  )
}

function isSameMessage(one: NotificationPayload, other: NotificationPayload): boolean {
  const textOf = ({ message, type, notificationOptions }: NotificationPayload) =>
    typeof message === 'string' && JSON.stringify([type, message, notificationOptions?.messageArgs])
  return one === other || (textOf(one) !== false && textOf(one) === textOf(other))
}

/** The page on which each toast came. */
const pathnames = new WeakMap<NotificationPayload, string>()

const keys = new WeakMap<NotificationPayload, number>()
let lastKey = 0

/** A repeated message is a new toast with a new timer, so keys belong to the objects. */
function keyOf(notification: NotificationPayload): number {
  const key = keys.get(notification) ?? ++lastKey
  keys.set(notification, key)
  return key
}

const Stack = styled('section')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  gap: 8,
  marginInlineStart: 'auto',
  minWidth: 0,
  '& > *': { boxSizing: 'border-box', maxWidth: 480 },
  [theme.breakpoints.down('sm')]: { flex: '1 0 100%', '& > *': { flex: '1 0 100%', maxWidth: 'none' } },
}))

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
function Toast({ notification, hidden, onDismiss }: ToastProps) {
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

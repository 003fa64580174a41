import { styled } from '@mui/material/styles'
import { use, useEffect } from 'react'
import { type NotificationPayload, useLocation, useNotificationContext, useTranslate } from 'react-admin'
import { ScreenAddressContext } from './screenAddress.ts'
import { Toast } from './Toast.tsx'

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

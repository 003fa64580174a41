import { styled } from '@mui/material/styles'
import { useLayoutEffect, useRef } from 'react'
import { type NotificationPayload, useNotificationContext, useTranslate } from 'react-admin'
import { createPortal } from 'react-dom'
import { sizes } from '../theme/tokens.ts'
import { Toast } from './Toast.tsx'

const maxVisible = 3

/**
 * The toasts, newest last, at most three on screen. Older errors reappear as newer ones are dismissed; a repeated message
 * replaces the earlier one.
 */
export function Toasts() {
  const translate = useTranslate()
  const { notifications, setNotifications } = useNotificationContext()
  const stack = useRef<HTMLElement>(null)

  // An open dialog hides the page from screen readers, this list too; new messages have to be read out all the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each new toast
  useLayoutEffect(() => stack.current?.removeAttribute('aria-hidden'), [notifications])

  const dismiss = (dismissed: NotificationPayload) =>
    setNotifications((all) => all.filter((one) => !isSameMessage(one, dismissed)))
  const shown = notifications.filter(
    (one, index) => !notifications.slice(index + 1).some((later) => isSameMessage(one, later)),
  )
  return createPortal(
    <Stack ref={stack} aria-label={translate('app.toast.list')} aria-live="polite">
      {shown.map((notification, index) => (
        <Toast
          key={keyOf(notification)}
          notification={notification}
          hidden={index < shown.length - maxVisible}
          onDismiss={() => dismiss(notification)}
        />
      ))}
    </Stack>,
    document.body,
  )
}

function isSameMessage(one: NotificationPayload, other: NotificationPayload): boolean {
  const textOf = ({ message, type, notificationOptions }: NotificationPayload) =>
    typeof message === 'string' && JSON.stringify([type, message, notificationOptions?.messageArgs])
  return one === other || (textOf(one) !== false && textOf(one) === textOf(other))
}

const keys = new WeakMap<NotificationPayload, number>()
let lastKey = 0

/** A repeated message is a new toast with a new timer, so keys belong to the objects. */
function keyOf(notification: NotificationPayload): number {
  const key = keys.get(notification) ?? ++lastKey
  keys.set(notification, key)
  return key
}

const Stack = styled('section')(({ theme }) => ({
  position: 'fixed',
  top: sizes.header + 12,
  right: 24,
  zIndex: theme.zIndex.snackbar,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  width: 380,
  maxWidth: 'calc(100vw - 32px)',
  pointerEvents: 'none',
  [theme.breakpoints.down('sm')]: { right: 16 },
}))

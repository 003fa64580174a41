import { styled } from '@mui/material/styles'
import { useLayoutEffect, useRef } from 'react'
import { type NotificationPayload, useNotificationContext, useTranslate } from 'react-admin'
import { createPortal } from 'react-dom'
import { sizes } from '../theme/tokens.ts'
import { Toast } from './Toast.tsx'

const maxVisible = 3

/**
 * The toasts, newest last: three on screen at most. Older errors come back as newer ones are dismissed; what is said
 * again takes the place of what was said before.
 */
export function Toasts() {
  const translate = useTranslate()
  const { notifications, setNotifications } = useNotificationContext()
  const stack = useRef<HTMLElement>(null)

  // A dialog hides all of the page from screen readers as it opens, this list too; news must still be heard.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new toast is a reason to look again
  useLayoutEffect(() => stack.current?.removeAttribute('aria-hidden'), [notifications])

  const dismiss = (gone: NotificationPayload) =>
    setNotifications((all) => all.filter((one) => !isSameMessage(one, gone)))
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
  const wordsOf = ({ message, type, notificationOptions }: NotificationPayload) =>
    typeof message === 'string' && JSON.stringify([type, message, notificationOptions?.messageArgs])
  return one === other || (wordsOf(one) !== false && wordsOf(one) === wordsOf(other))
}

const keys = new WeakMap<NotificationPayload, number>()
let lastKey = 0

/** A repeated message is a new toast, with a new time to stay: only the object itself tells them apart. */
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

import { useRef, useState } from 'react'
import { useEvent, useNotify, useTranslate } from 'react-admin'
import { type CommandEnd, quietSeconds } from '../session/commandWatch.ts'
import { type Pane, type PaneEvents, paneName } from './paneStore.ts'

interface ProgramRequests extends Pick<PaneEvents, 'onClipboard' | 'onBell' | 'onCommandEnd'> {
  /** What a program wants to copy and the person has not been asked about. */
  copying: { pane: Pane; text: string } | undefined
  /** Copies it, and whatever this terminal wants to copy later; or nothing of either. */
  answer(isAllowed: boolean): void
}

/** What programs in a terminal ask of the page: the clipboard, about which a person is asked once, and the bell. */
export function useProgramRequests(
  copy: (text: string) => void,
  notifiesBell: boolean,
  onOpen: (pane: Pane) => void,
): ProgramRequests {
  const translate = useTranslate()
  const notify = useNotify()
  const [copying, setCopying] = useState<ProgramRequests['copying']>()
  const answers = useRef(new Map<number, boolean>())

  const onClipboard = useEvent((pane: Pane, text: string) => {
    const isAllowed = answers.current.get(pane.key)
    if (isAllowed) copy(text)
    // The newest is what the program means by now.
    else if (isAllowed === undefined && (!copying || copying.pane.key === pane.key)) setCopying({ pane, text })
  }) as PaneEvents['onClipboard']
  /** Tells somebody who looks elsewhere. One for each terminal: a later one takes its place. */
  const tell = (pane: Pane, body: string) => {
    if (!document.hidden || notificationRight() !== 'granted') return
    const notification = showNotification(paneName(pane), { body, tag: `terminal-${pane.serverId}-${pane.key}` })
    notification?.addEventListener('click', () => {
      window.focus()
      onOpen(pane)
      notification.close()
    })
  }
  const onBell = useEvent((pane: Pane) => {
    if (notifiesBell) tell(pane, translate('app.terminal.bell'))
  }) as PaneEvents['onBell']
  const onCommandEnd = useEvent((pane: Pane, how: CommandEnd) => {
    const messageArgs = { name: paneName(pane), count: quietSeconds }
    notify(`app.terminal.command.over_${how}`, { type: 'info', messageArgs })
    tell(pane, translate(`app.terminal.command.over_${how}`, messageArgs))
  }) as PaneEvents['onCommandEnd']

  return {
    onClipboard,
    onBell,
    onCommandEnd,
    copying,
    answer(isAllowed) {
      if (!copying) return
      answers.current.set(copying.pane.key, isAllowed)
      if (isAllowed) copy(copying.text)
      setCopying(undefined)
      copying.pane.screen.focus()
    },
  }
}

/** Whether this page may notify; absent where browsers have no notifications, as on pages without TLS. */
export const notificationRight = (): NotificationPermission | undefined => globalThis.Notification?.permission

/** Phones have the class, and throw. */
function showNotification(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}

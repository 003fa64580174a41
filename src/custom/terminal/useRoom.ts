import { useEffect, useState, useSyncExternalStore } from 'react'
import { useEvent, useNotify } from 'react-admin'
import { keptName } from '../../records/savedNames.ts'
import { isSessionOver, watchGate } from '../../session/sessionGate.ts'
import { copyText } from '../components/copyText.ts'
import { useWords } from '../format/useLanguage.ts'
import { type Pane, Panes, type PanesEvents, paneName } from './panes.ts'
import { useScreenLook, useTerminalChoices } from './screen/choices.ts'
import { webAddress } from './screen/links.ts'
import type { Shortcut } from './screen/screen.ts'
import { createXtermScreen } from './screen/xtermScreen.ts'
import { withControl } from './session/controlKey.ts'
import { isMultiline, tamed } from './session/paste.ts'
import { useDoors } from './session/useConnections.ts'

export type Room = ReturnType<typeof useRoom>

/** What can be opened around the terminals. */
type Part = 'search' | 'files' | 'send' | 'picker'

/** A selection that grows under the pointer is copied once it rests, in ms. */
const selectionRestsFor = 200

/** The terminals of the page, and what their keys, links and pastes ask of it. */
export function useRoom(serverId: number) {
  const { locale, translate } = useWords()
  const notify = useNotify()
  const doors = useDoors()
  const [choices] = useTerminalChoices()
  const look = useScreenLook(choices)
  const [opened, setOpened] = useState<Readonly<Partial<Record<Part, boolean>>>>({})
  const [pasting, setPasting] = useState<{ pane: Pane; text: string }>()
  const [link, setLink] = useState<string>()
  const [isControlHeld, setControlHeld] = useState(false)

  const toggle = (part: Part, isOpen?: boolean) => setOpened((now) => ({ ...now, [part]: isOpen ?? !now[part] }))
  const copy = (text: string) => {
    if (text === '') return
    copyText(text).catch((cause) => {
      console.error(cause)
      notify('app.toast.copy_failed', { type: 'error' })
    })
  }
  const copyAtRest = useAtRest(selectionRestsFor, copy)

  const onShortcut = useEvent((shortcut: Shortcut) => {
    if (shortcut === 'search') toggle('search', true)
    else if (shortcut === 'copy') copy(active?.screen.selection() ?? '')
    else document.getElementById(barId)?.querySelector('button')?.focus()
  }) as PanesEvents['onShortcut']
  const onSelection = useEvent((text: string) => {
    if (choices.copiesSelection) copyAtRest(text)
  }) as PanesEvents['onSelection']
  const onSocketError = useEvent((pane: Pane) => {
    if (pane.state.phase !== 'ended') return
    const reason = translate(`app.terminal.ending.${pane.state.end.ending}`)
    notify('app.terminal.socket_error', { type: 'error', messageArgs: { name: paneName(pane), reason } })
  }) as PanesEvents['onSocketError']
  const typed = useEvent((text: string) => {
    if (!isControlHeld || text.length !== 1) return text
    setControlHeld(false)
    return withControl(text)
  }) as PanesEvents['typed']
  const reconnectedLine = useEvent(
    () => `\x1b[2m${translate('app.terminal.reconnected', { time: new Date().toLocaleTimeString(locale) })}\x1b[0m`,
  ) as PanesEvents['reconnectedLine']
  const onLink = useEvent((address: string) => setLink(webAddress(address))) as PanesEvents['onLink']

  const [store] = useState(
    () =>
      new Panes(createXtermScreen, look, doors, {
        onLink,
        onSelection,
        onShortcut,
        onSocketError,
        typed,
        reconnectedLine,
      }),
  )
  const { panes, activeKey } = useSyncExternalStore(store.subscribe, store.view)
  const active = panes.find(({ key }) => key === activeKey)

  useEffect(() => {
    store.add(serverId, keptName('server', serverId) ?? '')
    return () => store.dispose()
  }, [store, serverId])
  useEffect(() => store.look(look), [store, look])
  // No socket outlives the session it was opened in, in no tab.
  useEffect(() => watchGate(() => isSessionOver() && store.signOut()), [store])

  const paste = (pane: Pane, text: string) => {
    const harmless = tamed(text)
    if (choices.asksBeforePaste && isMultiline(harmless)) setPasting({ pane, text: harmless })
    else pane.screen.paste(harmless)
  }
  return {
    store,
    panes,
    active,
    opened,
    toggle,
    paste,
    pasting,
    confirmPaste: () => {
      pasting?.pane.screen.paste(pasting.text)
      setPasting(undefined)
      pasting?.pane.screen.focus()
    },
    cancelPaste: () => {
      setPasting(undefined)
      pasting?.pane.screen.focus()
    },
    link,
    openLink: () => {
      window.open(link, '_blank', 'noopener,noreferrer')
      setLink(undefined)
    },
    forgetLink: () => setLink(undefined),
    isControlHeld,
    holdControl: setControlHeld,
  }
}

/** Where the bar's buttons are: the way out of a terminal by keyboard. */
export const barId = 'terminal-bar'

function useAtRest(rest: number, act: (text: string) => void): (text: string) => void {
  const [timer] = useState<{ id?: ReturnType<typeof setTimeout> }>({})
  useEffect(() => () => clearTimeout(timer.id), [timer])
  return (text) => {
    clearTimeout(timer.id)
    timer.id = setTimeout(() => act(text), rest)
  }
}

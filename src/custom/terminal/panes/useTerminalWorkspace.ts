import { useEffect, useState, useSyncExternalStore } from 'react'
import { useEvent, useNotify } from 'react-admin'
import { copyText } from '../../../components/copyText.ts'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { escapeControlCharacters } from '../../../domain/terminal/controlCharacters.ts'
import { hasSessionEnded, subscribeToGate } from '../../../session/sessionGate.ts'
import { savedName } from '../../../storage/savedNames.ts'
import { saveTabTerminals, type TabTerminal, tabTerminals } from '../../../storage/tabTerminals.ts'
import type { Shortcut } from '../screen/screen.ts'
import { useScreenAppearance, useTerminalPreferences } from '../screen/useScreen.ts'
import { createXtermScreen } from '../screen/xtermScreen.ts'
import { takeEarlyScreen } from '../session/earlySession.ts'
import { controlCharacter, isMultiline, webAddress } from '../session/terminalText.ts'
import { useSessionServices } from '../session/useSessionServices.ts'
import { type CreatePaneScreen, type Pane, PaneStore, paneName } from './paneStore.ts'
import { useProgramRequests } from './useProgramRequests.ts'

export type TerminalWorkspaceState = ReturnType<typeof useTerminalWorkspace>

/** What can be opened around the terminals. */
type Tool = 'search' | 'files' | 'send' | 'picker'

/** A selection is copied when it has not changed for this long, in ms. */
const copyDelayMs = 200

/** State and commands of the terminal page: its terminals, their shortcuts, links and pastes. */
export function useTerminalWorkspace(serverId: number) {
  const { locale, translate } = useLanguage()
  const notify = useNotify()
  const services = useSessionServices()
  const [preferences] = useTerminalPreferences()
  const appearance = useScreenAppearance(preferences)
  const [opened, setOpened] = useState<Readonly<Partial<Record<Tool, boolean>>>>(openedByAddress)
  const [pasting, setPasting] = useState<{ pane: Pane; text: string }>()
  const [link, setLink] = useState<string>()
  const [isControlHeld, setControlHeld] = useState(false)

  const toggle = (tool: Tool, isOpen?: boolean) => setOpened((now) => ({ ...now, [tool]: isOpen ?? !now[tool] }))
  const copy = (text: string) => {
    if (text === '') return
    copyText(text).catch((cause) => {
      console.error(cause)
      notify('app.toast.copy_failed', { type: 'error' })
    })
  }
  const copyDebounced = useDebounced(copyDelayMs, copy)

  const onShortcut = useEvent((shortcut: Shortcut) => {
    if (shortcut === 'search' && opened.search) document.getElementById(searchFieldId)?.focus()
    else if (shortcut === 'search') toggle('search', true)
    else if (shortcut === 'beside') focusBeside()
    else if (shortcut === 'copy') copy(active?.screen.selection() ?? '')
    else document.getElementById(toolbarId)?.querySelector('button')?.focus()
  })
  const onSelection = useEvent((text: string) => {
    if (preferences.copiesSelection) copyDebounced(text)
  })
  const onSocketError = useEvent((pane: Pane) => {
    if (pane.state.phase !== 'ended') return
    const reason = translate(`app.terminal.ending.${pane.state.end.reason}`)
    notify('app.terminal.socket_error', { type: 'error', messageArgs: { name: paneName(pane), reason } })
  })
  const onReturned = useEvent((pane: Pane, shell: 'same' | 'new') =>
    notify(`app.terminal.returned.${shell}`, { type: 'info', messageArgs: { name: paneName(pane) } }),
  )
  const onSkipped = useEvent((pane: Pane, bytes: number) => {
    const messageArgs = { name: paneName(pane), size: formatBytes(bytes, locale) }
    notify('app.terminal.fast_output', { type: 'info', messageArgs })
  })
  const {
    copying,
    answer: answerCopying,
    ...programEvents
  } = useProgramRequests(copy, preferences.notifiesBell, ({ key }) => store.activate(key))
  const transformInput = useEvent((text: string) => {
    if (!isControlHeld || text.length !== 1) return text
    setControlHeld(false)
    return controlCharacter(text)
  })
  const reconnectedNotice = useEvent(
    () => `\x1b[2m${translate('app.terminal.reconnected', { time: new Date().toLocaleTimeString(locale) })}\x1b[0m`,
  )
  const onLink = useEvent((address: string) => setLink(webAddress(address)))

  const [store] = useState(
    () =>
      new PaneStore(createPaneScreen, appearance, services, {
        ...programEvents,
        onLink,
        onSelection,
        onShortcut,
        onSocketError,
        onReturned,
        onTerminals: (terminals) => saveTabTerminals(serverId, terminals),
        onSkipped,
        transformInput,
        reconnectedNotice,
      }),
  )
  const { panes, activeKey } = useSyncExternalStore(store.subscribe, store.view)
  const active = panes.find(({ key }) => key === activeKey)

  useEffect(() => {
    const saved = tabTerminals(serverId)
    for (const terminal of saved) store.show(terminal)
    if (saved.length === 0) {
      store.add(serverId, savedName('server', serverId) ?? '')
      const command = commandOfAddress()
      if (command) store.type(store.view().activeKey, `${command}\r`)
    }
    return () => store.dispose()
  }, [store, serverId])
  useEffect(() => store.setAppearance(appearance), [store, appearance])
  // No socket may outlive the session in which it was opened, in any tab.
  useEffect(() => subscribeToGate(() => hasSessionEnded() && store.signOut()), [store])

  const paste = (pane: Pane, text: string) => {
    const escaped = escapeControlCharacters(text)
    if (preferences.asksBeforePaste && isMultiline(escaped)) setPasting({ pane, text: escaped })
    else pane.screen.paste(escaped)
  }
  return {
    store,
    panes,
    active,
    opened,
    toggle,
    show: (terminal: TabTerminal) => store.show(terminal),
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
    copying,
    answerCopying,
    link,
    openLink: () => {
      window.open(link, '_blank', 'noopener,noreferrer')
      setLink(undefined)
    },
    dismissLink: () => setLink(undefined),
    isControlHeld,
    setControlHeld,
  }
}

/** The screen that was drawn before the page, or a new one. */
const createPaneScreen: CreatePaneScreen = (serverId, ...look) =>
  takeEarlyScreen(serverId, ...look) ?? createXtermScreen(...look)

/** Element id of the toolbar: Ctrl-Shift-Up moves the focus there, out of a terminal. */
export const toolbarId = 'terminal-bar'
/** Element ids of what can be opened around the terminals; the last two are found by Ctrl-Shift-Down. */
export const searchFieldId = 'terminal-search'
export const filesId = 'terminal-files'
export const sendFieldId = 'terminal-send'

/** Moves the focus to the list of files, or to the line that is sent to all, whichever is open. */
function focusBeside(): void {
  const besides = [`#${filesId} [role=grid]`, `#${filesId} button`, `#${sendFieldId}`]
  const found = besides.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean)
  found?.focus()
}

function useDebounced(delayMs: number, act: (text: string) => void): (text: string) => void {
  const [timer] = useState<{ id?: ReturnType<typeof setTimeout> }>({})
  useEffect(() => () => clearTimeout(timer.id), [timer])
  return (text) => {
    clearTimeout(timer.id)
    timer.id = setTimeout(() => act(text), delayMs)
  }
}

/**
 * The page of containers links to `?container=docker:web`, a shell in that container. Nothing else of an address is typed:
 * whoever follows a link has not written it.
 */
function commandOfAddress(): string | undefined {
  const container = new URLSearchParams(window.location.search).get('container') ?? ''
  const [, engine, id] = /^(docker|podman):([a-zA-Z\d][\w.-]{0,254})$/.exec(container) ?? []
  return id && `${engine} exec -it ${id} sh -c 'command -v bash >/dev/null && exec bash || exec sh'`
}

/** The overview of a server links to `?files`, the page with its file panel open. */
const openedByAddress = () => ({ files: new URLSearchParams(window.location.search).has('files') })

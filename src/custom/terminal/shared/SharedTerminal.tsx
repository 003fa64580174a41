import { styled } from '@mui/material/styles'
import { useEffect, useRef, useState } from 'react'
import { useDataProvider, useEvent, useNotify, useTranslate } from 'react-admin'
import { copyText } from '../../../components/copyText.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { escapeControlCharacters } from '../../../domain/terminal/controlCharacters.ts'
import { usePageTitle } from '../../../engine/define/page.tsx'
import { terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import type { TerminalState } from '../../../schemas/frames/terminal.ts'
import { PeopleLine, SessionEndCard, SessionStatus } from '../panel/SessionStatus.tsx'
import { FullscreenButton } from '../panel/ToolbarButton.tsx'
import { isAnswerOfTerminal } from '../screen/programRequests.ts'
import type { Screen, Shortcut } from '../screen/screen.ts'
import { useScreenAppearance, useScreenElement, useTerminalPreferences } from '../screen/useScreen.ts'
import { createXtermScreen } from '../screen/xtermScreen.ts'
import { openSessionSocket } from '../session/sessionSocket.ts'
import { type SessionState, TerminalSession } from '../session/terminalSession.ts'
import { useSessionServices } from '../session/useSessionServices.ts'

interface SharedTerminalProps {
  serverId: number
  /** What stands in the link. */
  code: string
}

/** Minutes for which a lost line is tried again. */
const retryMinutes = 1

/** Somebody else's terminal, by a link: to watch it, and to type where its owner lets others type. */
export default function SharedTerminal({ serverId, code }: SharedTerminalProps) {
  const translate = useTranslate()
  const notify = useNotify()
  const services = useSessionServices()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [preferences] = useTerminalPreferences()
  const appearance = useScreenAppearance(preferences, 'app.terminal.share.keys')
  const [state, setState] = useState<SessionState>({ phase: 'starting' })
  const [terminal, setTerminal] = useState<TerminalState>()
  const [owner, setOwner] = useState({ username: '', serverName: '' })
  const [attempt, setAttempt] = useState(0)
  const [sessions] = useState<{ current?: TerminalSession }>({})
  const mayType = terminal?.share === 'type'
  const header = useRef<HTMLElement>(null)

  const type = useEvent((text: string) => {
    // The window of the owner answers what programs ask of the terminal.
    if (mayType && !isAnswerOfTerminal(text)) sessions.current?.type(text)
  })
  const onShortcut = useEvent((shortcut: Shortcut) => {
    if (shortcut === 'leave') header.current?.querySelector('button')?.focus()
    if (shortcut !== 'copy') return
    copyText(screen.selection()).catch((cause: unknown) => {
      console.error(cause)
      notify('app.toast.copy_failed', { type: 'error' })
    })
  })
  const [screen] = useState(() =>
    createXtermScreen(appearance, {
      onText: type,
      onBinary: () => {},
      onResize: () => {},
      onTitle: () => {},
      onClipboard: () => {},
      onBell: () => {},
      onCommandMark: () => {},
      onFolder: () => {},
      onLink: () => {},
      onSelection: () => {},
      onShortcut,
    }),
  )
  const container = useScreenElement(screen)
  useEffect(() => screen.setAppearance(appearance), [screen, appearance])
  useEffect(() => screen.setVisible(true), [screen])
  const join = useEvent(async () => {
    const joined = await call(terminalEndpoints.joinTerminal, { code })
    setOwner({ username: joined.username, serverName: joined.server_name })
    return joined
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is a session of its own
  useEffect(() => {
    const session = startSession({ serverId, screen, services, join, setState, setTerminal })
    sessions.current = session
    return () => session.close()
  }, [serverId, screen, services, join, sessions, attempt])

  const title = translate('app.terminal.share.of', { owner: owner.username, name: owner.serverName || `#${serverId}` })
  usePageTitle(title)
  return (
    <Page className="terminal-page">
      <header ref={header}>
        <h1>
          <SessionStatus state={state} />
          {title}
        </h1>
        <FullscreenButton onChange={() => screen.focus()} />
      </header>
      {terminal ? (
        <PeopleLine terminal={terminal}>
          <span>{translate(mayType ? 'app.terminal.share.you_type' : 'app.terminal.share.you_watch')}</span>
        </PeopleLine>
      ) : null}
      <section aria-label={translate('app.terminal.pane', { name: owner.serverName })}>
        <div
          className="terminal-place"
          ref={container}
          style={{ flex: 1, overflow: 'auto' }}
          onPasteCapture={(event) => {
            event.preventDefault()
            event.stopPropagation()
            screen.paste(escapeControlCharacters(event.clipboardData.getData('text/plain')))
          }}
        />
        {state.phase === 'ended' ? (
          <SessionEndCard
            end={state.end}
            serverId={serverId}
            takesFocus
            onReconnect={() => setAttempt(attempt + 1)}
            onClose={() => window.close()}
          />
        ) : null}
      </section>
    </Page>
  )
}

interface SessionParts {
  serverId: number
  screen: Screen
  services: ReturnType<typeof useSessionServices>
  join: () => Promise<{ session_id: string; server_name: string }>
  setState: (state: SessionState) => void
  setTerminal: (terminal: TerminalState) => void
}

function startSession({ serverId, screen, services, join, setState, setTerminal }: SessionParts): TerminalSession {
  const session = new TerminalSession(
    serverId,
    screen,
    {
      ...services,
      create: join,
      features: async () => ({ ...(await services.features()), holdMinutes: retryMinutes }),
      open: (id, options, events) => openSessionSocket(id, options, events, 'shared-terminal'),
    },
    {
      onState: setState,
      onSocketError: () => {},
      onServerName: () => {},
      onReturned: () => {},
      onOutput: () => {},
      onTerminal: (terminal) => {
        setTerminal(terminal)
        screen.setSize(terminal)
      },
      onSkipped: () => {},
    },
  )
  void session.start()
  return session
}

const Page = styled('main')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  height: '100dvh',
  minHeight: 0,
  overflow: 'hidden',
  background: theme.vars.palette.background.paper,
  '& > header': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    flex: 'none',
    minHeight: 40,
    paddingInline: '12px 4px',
    background: theme.vars.palette.sunken,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > header > h1': {
    ...theme.typography.h3,
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minWidth: 0,
    margin: 0,
    overflowWrap: 'anywhere',
  },
  '& > section': { position: 'relative', display: 'flex', flex: 1, minHeight: 0, minWidth: 0 },
}))

import { styled } from '@mui/material/styles'
import { type ClipboardEvent, useEffect } from 'react'
import { useTranslate } from 'react-admin'
import { PeopleLine, SessionEndCard, SessionStatus } from './panel/SessionStatus.tsx'
import { type Pane, paneName } from './panes/paneStore.ts'
import { useScreenElement } from './screen/useScreen.ts'

interface TerminalPaneProps {
  pane: Pane
  isActive: boolean
  isShown: boolean
  /** Whether it is shown beside others, and therefore with its name. */
  isSplit: boolean
  onActivate: () => void
  onPaste: (text: string) => void
  onReconnect: () => void
  onClose: () => void
}

/** One terminal. While it is not shown, it keeps its size and its session goes on. */
export function TerminalPane({ pane, isActive, isShown, isSplit, onActivate, ...events }: TerminalPaneProps) {
  const translate = useTranslate()
  const { screen, state } = pane
  const container = useScreenElement(screen)
  const name = paneName(pane)
  useEffect(() => screen.setVisible(isShown), [screen, isShown])
  const isOpen = state.phase === 'open'
  useEffect(() => {
    if (isActive && isOpen) screen.focus()
  }, [screen, isActive, isOpen])

  const onPaste = (event: ClipboardEvent) => {
    // Before the emulator sees it: the text is asked about and made harmless first.
    event.preventDefault()
    event.stopPropagation()
    events.onPaste(event.clipboardData.getData('text/plain'))
  }
  return (
    <Frame
      aria-label={translate('app.terminal.pane', { name })}
      data-shown={isShown}
      data-split={isSplit}
      data-active={isActive}
      onFocusCapture={onActivate}
      onPointerDownCapture={onActivate}
    >
      {isSplit ? (
        <header>
          <SessionStatus state={state} />
          <span>{name}</span>
        </header>
      ) : null}
      {pane.terminal ? <PeopleLine terminal={pane.terminal} /> : null}
      <div className="terminal-place" style={{ flex: 1 }} ref={container} onPasteCapture={onPaste} />
      {state.phase === 'starting' ? (
        <ConnectingNotice role="status">{translate('app.terminal.connecting', { name })}</ConnectingNotice>
      ) : null}
      {state.phase === 'lost' ? (
        <ConnectingNotice role="status">{translate('app.terminal.lost')}</ConnectingNotice>
      ) : null}
      {state.phase === 'ended' ? (
        <SessionEndCard
          key={pane.key}
          end={state.end}
          serverId={pane.serverId}
          takesFocus={isActive}
          onReconnect={events.onReconnect}
          onClose={events.onClose}
        />
      ) : null}
    </Frame>
  )
}

const Frame = styled('section')(({ theme }) => ({
  position: 'absolute',
  inset: 0,
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  minHeight: 0,
  background: theme.vars.palette.background.paper,
  '&[data-shown=false]': { visibility: 'hidden' },
  '&[data-split=true]': { position: 'relative' },
  '& > header': {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    flex: 'none',
    height: 26,
    paddingInline: 10,
    fontSize: 12,
    color: theme.vars.palette.text.secondary,
    background: theme.vars.palette.sunken,
    '& > span:last-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  },
  '&[data-active=true] > header': {
    color: theme.vars.palette.text.primary,
    fontWeight: 600,
    boxShadow: `inset 0 2px ${theme.vars.palette.primary.main}`,
  },
}))

const ConnectingNotice = styled('p')(({ theme }) => ({
  position: 'absolute',
  insetInlineStart: 12,
  bottom: 8,
  margin: 0,
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
  // Shown only if connecting takes a while.
  animation: 'terminal-wait 0s 400ms backwards',
  '@keyframes terminal-wait': { from: { visibility: 'hidden' } },
}))

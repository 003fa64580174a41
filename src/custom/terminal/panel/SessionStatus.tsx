import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef } from 'react'
import { useTranslate } from 'react-admin'
import { floatingShadow } from '../../../components/theme/tokens.ts'
import { useLive } from '../../../live/store.ts'
import type { TerminalState } from '../../../schemas/frames/terminal.ts'
import { doctorPath } from '../../../session/signInAddress.ts'
import type { SessionEnd, SessionEndReason } from '../session/sessionEnd.ts'
import type { SessionState } from '../session/terminalSession.ts'

/** How a session is doing: a dot, and a word for those who do not see it. */
export function SessionStatus({ state }: { state: SessionState }) {
  const translate = useTranslate()
  const text = translate(`app.terminal.state.${state.phase}`)
  return (
    <Dot data-phase={state.phase} title={text}>
      <span className="visually-hidden">{text}</span>
    </Dot>
  )
}

const Dot = styled('span')(({ theme }) => ({
  position: 'relative',
  flex: 'none',
  width: 8,
  height: 8,
  borderRadius: '50%',
  background: theme.vars.palette.warning.main,
  '&[data-phase=open]': { background: theme.vars.palette.success.main },
  '&[data-phase=ended]': { background: 'none', border: `2px solid ${theme.vars.palette.text.secondary}` },
}))

interface SessionEndCardProps {
  end: SessionEnd
  serverId: number
  /** Whether the active terminal has ended: then the button takes the focus. */
  takesFocus: boolean
  onReconnect: () => void
  onClose: () => void
}

/** Reasons for which the server's message says more than our text. */
const hasServerMessage: readonly SessionEndReason[] = ['failed', 'tooMany']
/** Reasons that something between browser and server may have caused. */
const mayBeNetwork: readonly SessionEndReason[] = ['refused', 'away']

/**
 * Says that a session has ended, above its terminal. The dialog is not modal: the output can still be read, scrolled
 * and copied beside it.
 */
export function SessionEndCard({ end, serverId, takesFocus, onReconnect, onClose }: SessionEndCardProps) {
  const translate = useTranslate()
  const titleId = useId()
  const textId = useId()
  const reconnectButton = useRef<HTMLButtonElement>(null)
  const isOffline = useLive(serverId, (live) => live?.online === false)
  useEffect(() => {
    // Somebody may be typing in another place of the page.
    const at = document.activeElement
    if (takesFocus && (at === document.body || at?.closest('.xterm'))) reconnectButton.current?.focus()
  }, [takesFocus])

  const { reason, message, hadShell } = end
  const wasOpen = hadShell || reason === 'completed' || reason === 'tooLarge'
  const isTaken = reason === 'taken'
  const title = isTaken
    ? 'taken_title'
    : wasOpen
      ? 'ended_title'
      : reason === 'offline'
        ? 'ending.offline'
        : 'not_opened'
  const explanation = reason === 'completed' ? isOffline && 'offline_now' : title !== 'ending.offline' && reason
  return (
    <Layer>
      <Card role="dialog" aria-labelledby={titleId} aria-describedby={textId}>
        <h2 id={titleId}>{translate(`app.terminal.${title}`)}</h2>
        <div id={textId}>
          {wasOpen && !isTaken ? <p>{translate('app.terminal.ended_text')}</p> : null}
          {explanation ? <p>{translate(`app.terminal.ending.${explanation}`)}</p> : null}
          {message && hasServerMessage.includes(reason) ? (
            <p className="server-message">{translate(message, { _: message })}</p>
          ) : null}
          {mayBeNetwork.includes(reason) ? (
            <p>
              <Link href={doctorPath} target="_blank" rel="noopener">
                {translate('app.shell.doctor')}
              </Link>
            </p>
          ) : null}
        </div>
        <footer>
          <Button onClick={onClose}>{translate('app.action.close')}</Button>
          <Button ref={reconnectButton} variant="contained" onClick={onReconnect}>
            {translate('app.terminal.reconnect')}
          </Button>
        </footer>
      </Card>
    </Layer>
  )
}

const Layer = styled('div')({
  position: 'absolute',
  inset: 0,
  display: 'grid',
  placeItems: 'center',
  padding: 16,
  pointerEvents: 'none',
})

const Card = styled('div')(({ theme }) => ({
  ...theme.typography.body1,
  pointerEvents: 'auto',
  width: '100%',
  maxWidth: 420,
  maxHeight: '100%',
  overflow: 'auto',
  padding: theme.spacing(2, 3),
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  boxShadow: floatingShadow,
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& p': { margin: theme.spacing(1, 0, 0), color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
  '& .server-message': { fontFamily: theme.typography.fontFamilyMono, fontSize: 13 },
  '& footer': { display: 'flex', justifyContent: 'flex-end', gap: 8, marginTop: theme.spacing(2) },
}))

/** Who is in a terminal, who typed last, and whether it is recorded. Nothing for one that nobody else sees or keeps. */
export function PeopleLine({ terminal, children }: { terminal: TerminalState; children?: React.ReactNode }) {
  const translate = useTranslate()
  const { people, share, recording } = terminal
  const isRecorded = recording === 'on' || recording === 'always'
  if (!share && !isRecorded && recording !== 'ended') return null
  const names = people.map(({ name, role, typed }) => {
    const words = [
      role === 'owner' && translate('app.terminal.share.owner'),
      typed && people.length > 1 && translate('app.terminal.share.typed'),
    ].filter(Boolean)
    return words.length > 0 ? `${name} (${words.join(', ')})` : name
  })
  return (
    <Line role="status">
      {isRecorded ? <strong>● {translate('app.terminal.record.on')}</strong> : null}
      {recording === 'ended' ? <strong>{translate('app.terminal.record.cut')}</strong> : null}
      {share ? <span>{translate('app.terminal.share.here', { names: names.join(', ') })}</span> : null}
      {children}
    </Line>
  )
}

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  flex: 'none',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0, 2),
  padding: theme.spacing(0.25, 1.5),
  minHeight: 28,
  fontSize: 13,
  overflowWrap: 'anywhere',
  color: theme.vars.palette.text.secondary,
  background: theme.vars.palette.sunken,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > strong': { fontWeight: 600, color: theme.vars.palette.error.main },
}))

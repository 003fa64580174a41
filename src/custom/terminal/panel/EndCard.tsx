import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef } from 'react'
import { useTranslate } from 'react-admin'
import { useLive } from '../../../live/store.ts'
import { doctor } from '../../../session/signInAddress.ts'
import { floating } from '../../theme/tokens.ts'
import type { End, Ending } from '../session/ending.ts'

interface EndCardProps {
  end: End
  serverId: number
  /** Whether the keyboard comes here: the terminal in front has ended. */
  takesFocus: boolean
  onReconnect: () => void
  onClose: () => void
}

/** Endings of which the server's words say more than ours. */
const hasOwnWords: readonly Ending[] = ['failed', 'tooMany']
/** Endings that something on the way may be to blame for. */
const isOfTheWay: readonly Ending[] = ['refused', 'away']

/**
 * Says that a session is over, above the terminal it belongs to. It is a dialog that blocks nothing: what the shell
 * wrote can still be read, scrolled and copied beside it.
 */
export function EndCard({ end, serverId, takesFocus, onReconnect, onClose }: EndCardProps) {
  const translate = useTranslate()
  const titleId = useId()
  const textId = useId()
  const again = useRef<HTMLButtonElement>(null)
  const isOffline = useLive(serverId, (live) => live?.online === false)
  useEffect(() => {
    // Somebody may be typing in another place of the page.
    const at = document.activeElement
    if (takesFocus && (at === document.body || at?.closest('.xterm'))) again.current?.focus()
  }, [takesFocus])

  const { ending, words, hadShell } = end
  const wasOpen = hadShell || ending === 'completed' || ending === 'disabled' || ending === 'tooLarge'
  const title = wasOpen ? 'ended_title' : ending === 'offline' ? 'ending.offline' : 'not_opened'
  const reason = ending === 'completed' ? isOffline && 'offline_now' : title !== 'ending.offline' && ending
  return (
    <Layer>
      <Card role="dialog" aria-labelledby={titleId} aria-describedby={textId}>
        <h2 id={titleId}>{translate(`app.terminal.${title}`)}</h2>
        <div id={textId}>
          {wasOpen ? <p>{translate('app.terminal.ended_text')}</p> : null}
          {reason ? <p>{translate(`app.terminal.ending.${reason}`)}</p> : null}
          {words && hasOwnWords.includes(ending) ? <p className="words">{words}</p> : null}
          {isOfTheWay.includes(ending) ? (
            <p>
              <Link href={doctor} target="_blank" rel="noopener">
                {translate('app.shell.doctor')}
              </Link>
            </p>
          ) : null}
        </div>
        <footer>
          <Button onClick={onClose}>{translate('app.action.close')}</Button>
          <Button ref={again} variant="contained" onClick={onReconnect}>
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
  boxShadow: floating,
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& p': { margin: theme.spacing(1, 0, 0), color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
  '& .words': { fontFamily: theme.typography.fontFamilyMono, fontSize: 13 },
  '& footer': { display: 'flex', justifyContent: 'flex-end', gap: 8, marginTop: theme.spacing(2) },
}))

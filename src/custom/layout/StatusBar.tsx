import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import { createPortal } from 'react-dom'
import { subscribeToReachability, unreachableSince } from '../../api/connectivity.ts'
import { useLiveStatus } from '../../live/liveStatus.ts'
import { reloadPage } from '../../session/navigation.ts'
import { isSafeMode, leaveSafeMode } from '../../site/customCode.ts'
import { isConsoleOutdated, subscribeToNewBuild } from '../../site/newBuild.ts'
import { floatingShadow } from '../theme/tokens.ts'

/**
 * A quiet note in the corner of the window for what concerns every screen: the server is away and since when, live
 * figures have stopped, the console was updated. It stands beside dialogs, which stay as they are.
 */
export function StatusBar() {
  const translate = useTranslate()
  const outdated = useSyncExternalStore(subscribeToNewBuild, isConsoleOutdated)
  const message = useConnectionTrouble()
  return createPortal(
    // A dialog hides the rest of the page from screen readers as it opens; this must be heard all the same.
    <Place role="status" ref={(place) => place?.removeAttribute('aria-hidden')}>
      {message && <Line data-trouble>{message}</Line>}
      {isSafeMode && (
        <Line>
          {translate('app.status.safe_start')}
          <Button size="small" onClick={leaveSafeMode} style={{ pointerEvents: 'auto' }}>
            {translate('app.status.leave_safe_start')}
          </Button>
        </Line>
      )}
      {outdated && (
        <Line>
          {translate('app.status.outdated')}
          <Button size="small" onClick={reloadPage} style={{ pointerEvents: 'auto' }}>
            {translate('app.error_page.reload')}
          </Button>
        </Line>
      )}
    </Place>,
    document.body,
  )
}

function useConnectionTrouble(): string | undefined {
  const translate = useTranslate()
  const timeOf = useTimeOfDay()
  const awaySince = useSyncExternalStore(subscribeToReachability, unreachableSince)
  const stoppedSince = useLiveStoppedSince()
  if (awaySince !== undefined) return translate('app.status.server_away', { time: timeOf(awaySince) })
  if (stoppedSince !== undefined) return translate('app.status.live_stopped', { time: timeOf(stoppedSince) })
  return undefined
}

/** A line that comes back within this time, in ms, is not worth a word. */
const graceMs = 10_000

/** Since when no live figures have come, once that lasts. */
function useLiveStoppedSince(): number | undefined {
  const { state, since } = useLiveStatus()
  const [lasting, setLasting] = useState<number>()
  useEffect(() => {
    if (state !== 'lost') return setLasting(undefined)
    const timer = setTimeout(() => setLasting(since), graceMs)
    return () => clearTimeout(timer)
  }, [state, since])
  return lasting
}

function useTimeOfDay() {
  const locale = useLocale()
  return (time: number) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(time)
}

const Place = styled('div')(({ theme }) => ({
  position: 'fixed',
  insetInlineStart: 16,
  bottom: 16,
  // As much as a dialog leaves free beside itself on a window of 1280 px.
  maxWidth: 288,
  zIndex: theme.zIndex.snackbar,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  // Whatever lies beneath can still be reached.
  pointerEvents: 'none',
  // On narrow screens the foot belongs to buttons, and the top to toasts.
  [theme.breakpoints.down('md')]: { insetInlineEnd: 16, bottom: 72, maxWidth: 'none' },
}))

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  padding: '8px 12px',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  boxShadow: floatingShadow,
  fontVariantNumeric: 'tabular-nums',
  '&[data-trouble]': { borderColor: theme.vars.palette.warning.main },
}))

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
import { useIsDiskFull } from '../hooks/useSetting.ts'
import { floatingShadow } from '../theme/tokens.ts'

/**
 * Messages in the corner of the window that concern every screen: the server cannot be reached, live metrics have
 * stopped, the server's disk is full, the console was updated. They do not cover dialogs.
 */
export function StatusBar() {
  const translate = useTranslate()
  const outdated = useSyncExternalStore(subscribeToNewBuild, isConsoleOutdated)
  const message = useConnectionTrouble()
  const isDiskFull = useIsDiskFull()
  return createPortal(
    // An open dialog hides the rest of the page from screen readers; this has to be read out all the same.
    <Corner role="status" ref={(place) => place?.removeAttribute('aria-hidden')}>
      {message && <Line data-trouble>{message}</Line>}
      {isDiskFull && <Line data-trouble>{translate('app.status.disk_full')}</Line>}
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
    </Corner>,
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

/** Milliseconds: a connection that returns within this time is not reported. */
const graceMs = 10_000

/** When live metrics stopped, if they do not return soon. */
function useLiveStoppedSince(): number | undefined {
  const { state, since } = useLiveStatus()
  const [stoppedSince, setStoppedSince] = useState<number>()
  useEffect(() => {
    if (state !== 'lost') return setStoppedSince(undefined)
    const timer = setTimeout(() => setStoppedSince(since), graceMs)
    return () => clearTimeout(timer)
  }, [state, since])
  return stoppedSince
}

function useTimeOfDay() {
  const locale = useLocale()
  return (time: number) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(time)
}

const Corner = styled('div')(({ theme }) => ({
  position: 'fixed',
  insetInlineStart: 16,
  bottom: 16,
  // The space that a dialog leaves beside it in a window of 1280 px.
  maxWidth: 288,
  zIndex: theme.zIndex.snackbar,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  // Elements below it stay clickable.
  pointerEvents: 'none',
  // On narrow screens, buttons are at the bottom and toasts at the top.
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

import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import { subscribeToReachability, unreachableSince } from '../../api/connectivity.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { currentChangesByOthers, subscribeToChangesByOthers } from '../../lastVisit/changesByOthers.ts'
import { useLiveStatus } from '../../live/liveStatus.ts'
import { reloadPage } from '../../session/navigation.ts'
import { isSafeMode, leaveSafeMode } from '../../site/customCode.ts'
import { isConsoleOutdated, subscribeToNewBuild } from '../../site/newBuild.ts'
import { useServerTroubles } from '../useSetting.ts'

const ChangesByOthersLine = lazyPart(() => import('./ChangesByOthersLine.tsx'))

/**
 * Messages that concern every screen, for as long as they are true: the server cannot be reached, live metrics have
 * stopped, the server's disk is full, its database is held, its backup failed, an error ended it or it has too much to do,
 * the console was updated; and what others have changed since the last visit, until it is seen.
 */
export function StatusBar() {
  const translate = useTranslate()
  const outdated = useSyncExternalStore(subscribeToNewBuild, isConsoleOutdated)
  const message = useConnectionTrouble()
  const troubles = useServerTroubles()
  const changesByOthers = useSyncExternalStore(subscribeToChangesByOthers, currentChangesByOthers)
  return (
    <Lines role="status">
      {message && (
        <Line data-message data-trouble>
          {message}
        </Line>
      )}
      {troubles.map((name) => (
        <Line key={name} data-message data-trouble>
          {translate(`app.status.${name}`)}
        </Line>
      ))}
      {isSafeMode && (
        <Line data-message>
          {translate('app.status.safe_start')}
          <Button size="small" onClick={leaveSafeMode}>
            {translate('app.status.leave_safe_start')}
          </Button>
        </Line>
      )}
      {changesByOthers && (
        <Line data-message>
          <Suspense>
            <ChangesByOthersLine found={changesByOthers} />
          </Suspense>
        </Line>
      )}
      {outdated && (
        <Line data-message>
          {translate('app.status.outdated')}
          <Button size="small" onClick={reloadPage}>
            {translate('app.error_page.reload')}
          </Button>
        </Line>
      )}
    </Lines>
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

const Lines = styled('div')({ display: 'flex', flexDirection: 'column', gap: 8 })

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  padding: '8px 12px',
  backgroundColor: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  fontVariantNumeric: 'tabular-nums',
  '&[data-trouble]': { borderColor: theme.vars.palette.warning.main },
}))

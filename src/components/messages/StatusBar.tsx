import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { useTranslate } from 'react-admin'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { currentChangesByOthers, subscribeToChangesByOthers } from '../../lastVisit/changesByOthers.ts'
import { reloadPage } from '../../session/navigation.ts'
import { isSafeMode, leaveSafeMode } from '../../site/customCode.ts'
import { isConsoleOutdated, subscribeToNewBuild } from '../../site/newBuild.ts'
import { useServerTroubles } from '../useSetting.ts'

const ChangesByOthersLine = lazyPart(() => import('./ChangesByOthersLine.tsx'))

/**
 * Messages that concern every screen, for as long as they are true: the server's disk is full, its database is held, its
 * backup failed or it has too much to do, the console was updated; what others have changed since the last visit, until
 * it is seen; and that an error ended the server, until it is closed.
 */
export function StatusBar() {
  const translate = useTranslate()
  const outdated = useSyncExternalStore(subscribeToNewBuild, isConsoleOutdated)
  const troubles = useServerTroubles()
  const [isRestartRead, setRestartRead] = useState(false)
  // The next one is told again.
  if (isRestartRead && !troubles.includes('restarted')) setRestartRead(false)
  const changesByOthers = useSyncExternalStore(subscribeToChangesByOthers, currentChangesByOthers)
  return (
    <Lines role="status">
      {troubles.map((name) =>
        name === 'restarted' && isRestartRead ? null : (
          <Line key={name} data-message data-trouble>
            {translate(`app.status.${name}`)}
            {/* It is told for a day, and there is nothing that could end sooner. */}
            {name === 'restarted' && (
              <Button size="small" onClick={() => setRestartRead(true)}>
                {translate('app.action.close')}
              </Button>
            )}
          </Line>
        ),
      )}
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
  [theme.breakpoints.down('sm')]: { padding: '4px 8px', fontSize: 12 },
  '&[data-trouble]': { borderColor: theme.vars.palette.warning.main },
}))

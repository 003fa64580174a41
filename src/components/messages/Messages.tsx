import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Suspense, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslate } from 'react-admin'
import { createPortal } from 'react-dom'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { currentChangesByOthers, subscribeToChangesByOthers } from '../../lastVisit/changesByOthers.ts'
import { reloadPage } from '../../session/navigation.ts'
import { isSafeMode, leaveSafeMode } from '../../site/customCode.ts'
import { isConsoleOutdated, subscribeToNewBuild } from '../../site/newBuild.ts'
import { messagesHeight } from '../theme/tokens.ts'
import { useServerTroubles } from '../useSetting.ts'
import { Toasts } from './Toasts.tsx'

/**
 * What the console has to say, at the lower edge of the window: what concerns every screen at the left, toasts at the
 * right. The window ends above it, for pages, dialogs and drawers: they use its height, `messagesHeight`. So it never
 * lies over a button, and nothing moves when a message comes or goes, except what is at the lower edge itself.
 */
export function Messages() {
  const bar = useRef<HTMLDivElement>(null)
  // An open dialog hides the rest of the page from screen readers; messages are read out all the same.
  useLayoutEffect(() => {
    const element = bar.current
    if (!element) return
    const observer = new MutationObserver(() => element.removeAttribute('aria-hidden'))
    observer.observe(element, { attributeFilter: ['aria-hidden'] })
    element.removeAttribute('aria-hidden')
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const element = bar.current
    const { style } = document.documentElement
    // jsdom has no layout.
    if (!element || !globalThis.ResizeObserver) return
    const observer = new ResizeObserver(() => style.setProperty(messagesHeight.name, `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(messagesHeight.name)
    }
  }, [])
  return createPortal(
    <Bar ref={bar}>
      <StatusBar />
      <Toasts />
    </Bar>,
    document.body,
  )
}

const Bar = styled('div')(({ theme }) => ({
  position: 'fixed',
  insetInline: 0,
  bottom: 0,
  zIndex: theme.zIndex.snackbar,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  columnGap: 16,
  maxHeight: '40dvh',
  overflowY: 'auto',
  paddingInline: 24,
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.default,
  [theme.breakpoints.down('sm')]: { paddingInline: 12 },
  '& > :not(:empty)': { marginTop: 8 },
  '&:has([data-message]:not([hidden]))': {
    paddingBottom: 8,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
}))

const ChangesByOthersLine = lazyPart(() => import('./ChangesByOthersLine.tsx'))

/**
 * Messages that concern every screen, for as long as they are true: the server's disk is full, its database is held, its
 * backup failed or it has too much to do, the console was updated; what others have changed since the last visit, until
 * it is seen; and that an error ended the server, until it is closed.
 */
function StatusBar() {
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

import { useEffect } from 'react'
import { useBlocker, useEvent, useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import type { Pane } from '../panes/paneStore.ts'

/**
 * Asks before the page is left while shells are running: they end with it. Those that the server holds go on when the
 * page is closed or loaded again, and nothing is asked then.
 */
export function LeaveDialog({ panes }: { panes: () => readonly Pane[] }) {
  const translate = useTranslate()
  const panesNow = useEvent(panes)
  const countNow = useEvent(() => panesNow().length)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && countNow() > 0,
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (panesNow().some(({ isHeld }) => !isHeld)) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [panesNow])
  if (blocker.state !== 'blocked') return null
  return (
    <QuestionDialog
      title={translate('app.terminal.leave.title', { smart_count: countNow() })}
      button={translate('app.terminal.leave.button')}
      no={translate('app.terminal.leave.stay')}
      onConfirm={blocker.proceed}
      onCancel={blocker.reset}
    >
      {translate('app.terminal.leave.text')}
    </QuestionDialog>
  )
}

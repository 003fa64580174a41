import { useEffect } from 'react'
import { useBlocker, useEvent, useTranslate } from 'react-admin'
import { QuestionDialog } from './QuestionDialog.tsx'

/** Asks before the page is left while shells are running: they end with it. */
export function LeaveDialog({ count }: { count: () => number }) {
  const translate = useTranslate()
  const countNow = useEvent(count) as () => number
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && countNow() > 0,
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (countNow() > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [countNow])
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

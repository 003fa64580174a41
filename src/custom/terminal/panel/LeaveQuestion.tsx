import { useEffect } from 'react'
import { useBlocker, useEvent, useTranslate } from 'react-admin'
import { Ask } from './Ask.tsx'

/** Asks before the page is left while shells are running: they end with it. */
export function LeaveQuestion({ count }: { count: () => number }) {
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
    <Ask
      title={translate('app.terminal.leave.title', { smart_count: countNow() })}
      button={translate('app.terminal.leave.button')}
      no={translate('app.terminal.leave.stay')}
      onYes={blocker.proceed}
      onNo={blocker.reset}
    >
      {translate('app.terminal.leave.text')}
    </Ask>
  )
}

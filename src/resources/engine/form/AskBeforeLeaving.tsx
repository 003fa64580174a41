import { useEffect } from 'react'
import { useBlocker, useEvent } from 'react-admin'
import { DiscardDialog } from './DiscardDialog.tsx'

/**
 * Asks whether to throw typed changes away: on a close, the back button, a link, and (in the browser's words) a reload.
 */
export function AskBeforeLeaving({ isDirty }: { isDirty: () => boolean }) {
  const asksNow = useEvent(isDirty) as () => boolean
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && asksNow(),
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (asksNow()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [asksNow])
  return blocker.state === 'blocked' ? <DiscardDialog onDiscard={blocker.proceed} onKeep={blocker.reset} /> : null
}

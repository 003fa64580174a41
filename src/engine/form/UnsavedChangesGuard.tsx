import { useEffect } from 'react'
import { useBlocker, useEvent } from 'react-admin'
import { DiscardDialog } from './DiscardDialog.tsx'

interface UnsavedChangesGuardProps {
  isDirty: () => boolean
  /** Whether the changes have been sent, and the server has not answered yet. */
  isSent?: boolean
}

/**
 * Asks before unsaved changes are discarded by closing, the back button or a link. Before a reload the browser asks in
 * its own words.
 */
export function UnsavedChangesGuard({ isDirty, isSent }: UnsavedChangesGuardProps) {
  const mustAsk = useEvent(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && mustAsk(),
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (mustAsk()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [mustAsk])
  return blocker.state === 'blocked' ? (
    <DiscardDialog isSent={isSent} onDiscard={blocker.proceed} onKeep={blocker.reset} />
  ) : null
}

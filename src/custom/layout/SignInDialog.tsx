import { Suspense, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'
import { goToSignIn } from '../../session/navigation.ts'
import { hasSessionEnded, subscribeToGate } from '../../session/sessionGate.ts'

const SignInAgainDialog = lazyPart(() => import('./SignInAgainDialog.tsx'))

/** Opens once a session has ended; Cancel goes to the login page. */
export function SignInDialog() {
  const isOpen = useSyncExternalStore(subscribeToGate, hasSessionEnded)
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <SignInAgainDialog isOpen={isOpen} onClose={goToSignIn} />
    </Suspense>
  )
}

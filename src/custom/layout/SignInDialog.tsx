import { useSyncExternalStore } from 'react'
import { goToSignIn } from '../../session/navigation.ts'
import { hasSessionEnded, subscribeToGate } from '../../session/sessionGate.ts'
import { SignInAgainDialog } from './SignInAgainDialog.tsx'

/**
 * Opens once a session has ended; Cancel goes to the login page. Its code comes with the console: calls with a token that
 * has ended can block this address for a moment, and then the server refuses to send any file.
 */
export function SignInDialog() {
  const isOpen = useSyncExternalStore(subscribeToGate, hasSessionEnded)
  return <SignInAgainDialog isOpen={isOpen} onClose={goToSignIn} />
}

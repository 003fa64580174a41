import { createEmitter } from '../events/emitter.ts'
import { forgetChanges } from '../storage/forgetChanges.ts'
import { clearSavedNames } from '../storage/savedNames.ts'
import { type CurrentUser, forgetCurrentUser, isOtherUser, setCurrentUser } from './currentUser.ts'
import { dropEarlyReplies } from './earlyReplies.ts'
import { leaveWithoutAsking, reloadWithoutAsking } from './navigation.ts'
import { passwordChangedAddress } from './signInAddress.ts'
import { onTabMessage, postToTabs } from './tabMessages.ts'
import { clearSessionCookies } from './token.ts'

/**
 * Between the end of a session and the next sign-in, calls of this tab wait here and are then continued. So nothing in a
 * form is lost, and no call is made with a token that the server would count as an attack.
 */
let gate: { opened: Promise<void>; open: () => void } | undefined

interface SessionWatcher {
  /** The session has ended and must not be used any more; called before any other call leaves. */
  onEnd(): void
  /** The same user has signed in again. */
  onOpen(): void
}

const watchers = new Set<SessionWatcher>()
const changes = createEmitter()

/** Whether calls wait for a sign-in. */
export const hasSessionEnded = () => gate !== undefined

/** Calls the listener when that changes. */
export const subscribeToGate = changes.subscribe

/** Resolves at once while there is a session, else after the next sign-in. */
export const waitForSession = (): Promise<void> => gate?.opened ?? Promise.resolve()

/** Ends a session that the server no longer accepts, in all tabs. Resolves after the next sign-in. */
export function endSession(): Promise<void> {
  clearSessionCookies()
  if (!gate) {
    close()
    for (const watcher of watchers) watcher.onEnd()
    postToTabs({ type: 'ended' })
  }
  return waitForSession()
}

/**
 * Starts the session of a user who has signed in at this tab. The same user continues where the last session ended; for
 * another one the page is reloaded.
 */
export function startSession(person: CurrentUser): void {
  postToTabs({ type: 'opened', person: { id: person.id, role: person.role } })
  if (isOtherUser(person)) reloadForOtherUser()
  else {
    setCurrentUser(person)
    open()
  }
}

/** Follows the session in this tab and the others. Returns how to stop. */
export function watchSession(watcher: SessionWatcher): () => void {
  watchers.add(watcher)
  const unsubscribe = onTabMessage((message) => {
    if (message.type === 'ended') close()
    else if (message.type === 'left') signOutThisTab()
    else if (message.type === 'opened') {
      if (isOtherUser(message.person)) reloadForOtherUser()
      else open()
    }
  })
  return () => {
    watchers.delete(watcher)
    unsubscribe()
  }
}

function close(): void {
  if (gate) return
  dropEarlyReplies()
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = { opened: promise, open: resolve }
  changes.emit()
}

function open(): void {
  if (!gate) return
  const { open: release } = gate
  gate = undefined
  for (const watcher of watchers) watcher.onOpen()
  changes.emit()
  release()
}

/** Signs out in all tabs. Theme, language and table preferences stay. */
export function signOut(): void {
  postToTabs({ type: 'left' })
  signOutThisTab()
}

/** Signs out this tab; leaving the page clears the memory. */
function signOutThisTab(): void {
  clearSessionCookies()
  clearOnPageHide()
  leaveWithoutAsking()
}

/** Signs out after a change that ended all sessions of the account; the sign-in form says so. */
export function signOutAfterChange(): void {
  postToTabs({ type: 'left' })
  clearSessionCookies()
  clearOnPageHide()
  leaveWithoutAsking(passwordChangedAddress)
}

/** Reloads the page for the user who has signed in instead. */
function reloadForOtherUser(): void {
  clearOnPageHide()
  reloadWithoutAsking()
}

function clearOnPageHide(): void {
  clearUserData()
  forgetChanges()
  // Forms save a draft on `pagehide`; this listener runs after theirs.
  window.addEventListener('pagehide', clearTabStorage)
}

/** Removes what the browser has stored of a user: profile, record names, and the drafts of this tab. */
export function clearUserData(): void {
  forgetCurrentUser()
  clearSavedNames()
  clearTabStorage()
}

function clearTabStorage(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Storage that is forbidden holds nothing either.
  }
}

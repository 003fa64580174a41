import { forgetChanges } from '../storage/forgetChanges.ts'
import { clearSavedNames } from '../storage/savedNames.ts'
import { forgetCurrentUser } from './currentUser.ts'
import { leaveWithoutAsking, reloadWithoutAsking } from './navigation.ts'
import { passwordChangedAddress } from './signInAddress.ts'
import { postToTabs } from './tabMessages.ts'
import { clearSessionCookies } from './token.ts'

/** Signs out in all tabs. Theme, language and table preferences stay. */
export function signOut(): void {
  postToTabs({ type: 'left' })
  signOutThisTab()
}

/** Signs out this tab; leaving the page clears the memory. */
export function signOutThisTab(): void {
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
export function reloadForOtherUser(): void {
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

import { forgetNames } from '../records/savedNames.ts'
import { leaveForGood, startAnew } from './navigation.ts'
import { forgetPerson } from './signedInUser.ts'
import { changedAddress } from './signInAddress.ts'
import { tellTabs } from './tabMessages.ts'
import { clearCookies } from './token.ts'

/** Ends the visit in all tabs, on purpose. Theme, language and table choices stay. */
export function signOut(): void {
  tellTabs({ type: 'left' })
  signOutHere()
}

/** This tab's part of a sign-out, wherever it was asked for. Memory goes with the page. */
export function signOutHere(): void {
  clearCookies()
  forgetWithPage()
  leaveForGood()
}

/** After a change that ended all sessions of the account: the sign-in form says so. */
export function signOutAfterChange(): void {
  tellTabs({ type: 'left' })
  clearCookies()
  forgetWithPage()
  leaveForGood(changedAddress)
}

/** Loads the page anew for the person who is signed in now. */
export function handOver(): void {
  forgetWithPage()
  startAnew()
}

function forgetWithPage(): void {
  forgetVisit()
  // A form keeps a draft as its page goes; this comes after it.
  window.addEventListener('pagehide', () => sessionStorage.clear())
}

/** Forgets what a browser keeps of a person: who they are, the names they saw, the drafts of this tab. */
export function forgetVisit(): void {
  forgetPerson()
  forgetNames()
  sessionStorage.clear()
}

import { login, loginFor } from './signInAddress.ts'

/** Leads to the sign-in form, and back here afterwards. A form with unsaved changes may ask, and keep the page. */
export function leaveForLogin(): void {
  window.location.assign(loginFor(window.location, true))
}

/** Leads to a provider, whose page leads back to the sign-in form. */
export function leaveForProvider(address: string): void {
  window.location.assign(address)
}

/** Leads away from a page that is no longer this person's: no form is asked, and the way back shows nothing. */
export function leaveForGood(address = login): void {
  askNobody()
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())
  window.location.assign(address)
}

/** Loads the page anew for somebody else; no form is asked. */
export function startAnew(): void {
  askNobody()
  reloadPage()
}

/** Loads the page anew; a form with unsaved changes may ask. */
export function reloadPage(): void {
  window.location.reload()
}

/** A form asks before the page goes; this listener comes first and keeps it from hearing. */
function askNobody(): void {
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
}

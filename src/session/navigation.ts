import { loginAddressFor, loginPath } from './signInAddress.ts'

/** Goes to the sign-in form, which leads back here. A form with unsaved changes may ask first and keep the page. */
export function goToSignIn(): void {
  window.location.assign(loginAddressFor(window.location, true))
}

/** Goes to an OAuth2 provider, which leads back to the sign-in form. */
export function goToProvider(address: string): void {
  window.location.assign(address)
}

/** Leaves a page of a user who has signed out: no form may ask, and the back button shows nothing of it. */
export function leaveWithoutAsking(address = loginPath): void {
  suppressBeforeUnload()
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())
  window.location.assign(address)
}

/** Reloads the page for another user; no form may ask. */
export function reloadWithoutAsking(): void {
  suppressBeforeUnload()
  reloadPage()
}

/** Reloads the page; a form with unsaved changes may ask. */
export function reloadPage(): void {
  window.location.reload()
}

/** Forms ask in `beforeunload`; this listener runs first and stops the event. */
function suppressBeforeUnload(): void {
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
}

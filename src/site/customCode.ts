/** Whether this start was asked to leave the operator's code out. Read once: the address changes soon after. */
export const isSafeStart = new URLSearchParams(globalThis.location?.search).get('safe') === '1'

let hasStarted = false

/**
 * Lets the operator's own code (`custom_code_dashboard`) into the page, at the first reading of the settings and never
 * again: what is changed later counts from the next start on, together with the page's policy for scripts.
 */
export function startCustomCode(code: string | undefined): void {
  if (hasStarted) return
  hasStarted = true
  if (!code || isSafeStart) return
  import('./injectCode.ts')
    .then(({ injectCode }) => injectCode(code))
    .catch((error: unknown) => console.error('The custom code could not be started:', error))
}

/** The page anew, with the operator's code in it. */
export function leaveSafeStart(): void {
  const address = new URL(window.location.href)
  address.searchParams.delete('safe')
  window.location.assign(address)
}

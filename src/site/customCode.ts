/** Whether the address says `?safe=1`: then the operator's code is left out. Read once, because the address changes. */
export const isSafeMode = new URLSearchParams(globalThis.location?.search).get('safe') === '1'

let hasStarted = false

/**
 * Runs the operator's own code (`custom_code_dashboard`) in the page, once, when the settings are first read. Changed code
 * applies from the next start on, together with the page's content security policy.
 */
export function runCustomCode(code: string | undefined): void {
  if (hasStarted) return
  hasStarted = true
  if (!code || isSafeMode) return
  import('./injectCode.ts')
    .then(({ injectCode }) => injectCode(code))
    .catch((error: unknown) => console.error('The custom code could not be started:', error))
}

/** Reloads the page with the operator's code. */
export function leaveSafeMode(): void {
  const address = new URL(window.location.href)
  address.searchParams.delete('safe')
  window.location.assign(address)
}

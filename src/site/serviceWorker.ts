/**
 * Registers the service worker, which says so where the server cannot be reached, and shows the messages of this device.
 * Browsers offer it over https, and on this machine itself.
 * @returns `undefined` where there is none: the console works without it
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined
  const address = `${import.meta.env.BASE_URL}service-worker.js`
  try {
    const registered = await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL)
    // Browsers look for a newer one by themselves.
    if (registered) return registered
    // Where another server serves the files, it does not allow the list of servers, whose address has no slash at its end.
    const { headers } = await fetch(address, { cache: 'no-cache' })
    const scope = headers.get('service-worker-allowed') ?? undefined
    return await navigator.serviceWorker.register(address, { scope, updateViaCache: 'none' })
  } catch {
    // Refused, as with a certificate that is not trusted, or there is no such file.
    return undefined
  }
}

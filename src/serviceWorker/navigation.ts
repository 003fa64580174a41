import type { FetchEvent, WorkerScope } from './workerScope.ts'

/** Put in by the build (`scripts/build/serviceWorker.ts`): the page, and the policy that allows its script and style. */
declare const __OFFLINE_PAGE__: string
declare const __OFFLINE_POLICY__: string

/** The page from the server; where that cannot be reached, one that says so in the language of the person. */
export async function answerNavigation({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return new Response(__OFFLINE_PAGE__, {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': __OFFLINE_POLICY__,
        'cache-control': 'no-store',
      },
    })
  }
}

/** Whether this worker has looked since it was started, which browsers do for each few visits. */
let hasLooked = false

/**
 * Unregisters the worker where the server has none any more, such as one that was replaced by another product: browsers keep
 * a worker whose script is gone. A device that gets messages keeps its worker, for they would end with it without anybody
 * being told, and one wrong reply of a proxy during an update looks the same.
 */
export async function removeIfGone({ location, registration }: WorkerScope): Promise<void> {
  if (hasLooked) return
  hasLooked = true
  try {
    // Not HEAD, which some servers answer for no file.
    const { ok, status, headers } = await fetch(location.href, { cache: 'no-cache' })
    // Servers also answer with a page to every path that they do not know.
    const isScript = /\bjavascript\b/.test(headers.get('content-type') ?? '')
    const isGone = status === 404 || status === 410 || (ok && !isScript)
    if (isGone && !(await registration.pushManager?.getSubscription())) await registration.unregister()
  } catch {
    // Without a connection nothing is known.
    hasLooked = false
  }
}

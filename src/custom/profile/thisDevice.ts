import { registerServiceWorker } from '../../site/serviceWorker.ts'

/** What a server needs to send messages to this browser. */
interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** Why this browser gets no messages, as the texts name it. */
export class NoMessagesError extends Error {
  constructor(reason: 'denied' | 'no_service', cause?: unknown) {
    super(`app.push.${reason}`, { cause })
  }
}

/** Whether this browser can get messages of this address at all. */
export const canGetMessages = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function pushManager(): Promise<PushManager | undefined> {
  const registration = await registerServiceWorker()
  return registration?.pushManager
}

/** How the server names this browser; `undefined` while it gets no messages. */
export async function ownFingerprint(): Promise<string | undefined> {
  if (!canGetMessages()) return undefined
  const current = await (await pushManager())?.getSubscription()
  if (!current) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(current.endpoint))
  return base64url(hash)
}

/**
 * Asks the person, and then the browser's push service. To be called by a click: browsers ask for no permission otherwise.
 * @param key the public key of the server @throws NoMessagesError
 */
export async function subscribe(key: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NoMessagesError('denied')
  try {
    const manager = await pushManager()
    if (!manager) throw new TypeError('There is no service worker.')
    const made = await subscribeWith(manager, key)
    const [p256dh, auth] = [made.getKey('p256dh'), made.getKey('auth')]
    if (!p256dh || !auth) throw new TypeError('The browser has given no keys.')
    return { endpoint: made.endpoint, p256dh: base64url(p256dh), auth: base64url(auth) }
  } catch (cause) {
    throw new NoMessagesError('no_service', cause)
  }
}

/** A subscription is for one key: with that of another server at this address, as after a new installation, it is of no use. */
async function subscribeWith(manager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const old = await manager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return manager.subscribe(options)
  }
}

/** Ends the messages to this browser, for whoever sends them. */
export async function unsubscribe(): Promise<void> {
  await (await (await pushManager())?.getSubscription())?.unsubscribe()
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

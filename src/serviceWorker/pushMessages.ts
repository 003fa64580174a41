import { type PushPayload, readPushPayload } from '../domain/app/pushPayload.ts'
import { neutralName } from '../domain/app/webManifest.ts'
import { consolePath } from '../schemas/consolePath.ts'
import type { NotificationEvent, ShownNotification, WorkerScope } from './workerScope.ts'

const acknowledgeAction = 'acknowledge'
const icons = { icon: `${consolePath}/icons/app-192.png`, badge: `${consolePath}/icons/badge-96.png` }

/** Shows a message. Browsers ask for a notification of each, so one that cannot be read is shown as well. */
export function showPush({ registration }: WorkerScope, text: string): Promise<void> {
  const payload = readPushPayload(text)
  if (!payload) return registration.showNotification(neutralName, { ...icons, data: undefined })
  return registration.showNotification(payload.title, optionsOf(payload))
}

function optionsOf(payload: PushPayload): ShownNotification {
  const { body, tag, at, acknowledge } = payload
  return {
    ...icons,
    body,
    timestamp: at,
    data: payload,
    ...(tag && { tag, renotify: true }),
    ...(acknowledge && { actions: [{ action: acknowledgeAction, title: acknowledge.label }] }),
  }
}

/** A click on a message opens what it is about; its button acknowledges without opening anything. */
export async function answerNotification(
  worker: WorkerScope,
  { notification, action }: NotificationEvent,
): Promise<void> {
  notification.close()
  const payload: PushPayload | undefined = notification.data ?? undefined
  if (action === acknowledgeAction && payload?.acknowledge) await acknowledge(worker, payload, payload.acknowledge)
  else await open(worker, payload?.link ?? consolePath)
}

/** A window that shows it comes to the front; others are left as they are, for there may be something typed in them. */
async function open({ clients, location }: WorkerScope, link: string): Promise<void> {
  const { origin, href } = new URL(link, location.origin)
  if (origin !== location.origin) return
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === href)
  await (shown ? shown.focus() : clients.openWindow(href))
}

async function acknowledge(
  { registration }: WorkerScope,
  payload: PushPayload,
  { path, states, failed }: NonNullable<PushPayload['acknowledge']>,
): Promise<void> {
  const state = await acknowledgedState(path)
  const body = (state === undefined ? undefined : states[state]) ?? failed
  await registration.showNotification(payload.title, {
    ...icons,
    body,
    data: payload,
    ...(payload.tag && { tag: payload.tag }),
    silent: true,
  })
}

/** The state of the incident now; `undefined` when it could not be acknowledged. */
async function acknowledgedState(path: string): Promise<string | undefined> {
  try {
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(path, { method: 'POST', headers, body: '' })
    if (!reply.ok) return undefined
    const { state }: { state?: unknown } = await reply.json()
    return typeof state === 'string' ? state : undefined
  } catch {
    return undefined
  }
}

import type { PushPayload } from '../../src/domain/app/pushPayload.ts'
import { consolePath } from '../../src/schemas/consolePath.ts'
import { readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { type PushKeys, pushRequest } from '../outbound/webPush.ts'
import type { Messages } from '../site/messages.ts'
import { readTexts } from '../texts.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Notifier, Placeholders } from './notifierRequest.ts'
import type { WaitingMessage } from './outbox.ts'

/** What a device is told beside the text. */
export type DeviceFrame = Omit<PushPayload, 'title' | 'body'>

/** The refusal of an address that is not that of a device. */
export const noDevice = 'the address of a device needs the form webpush://host/path#p256dh=…&auth=…'

const acknowledgeTexts = readTexts('acknowledge')

/** Seconds for which a push service keeps a message for a device that is away: an alarm of yesterday is of no use. */
const ttl = 86_400

/** What a message is about, and the button by which whoever gets it says that they are on it. */
export function deviceFrame(
  { incident_id, acknowledge_path: path, created_at: at }: WaitingMessage,
  messages: Messages,
): DeviceFrame {
  if (incident_id === null) return { link: consolePath, tag: '', at }
  const frame = { link: `${consolePath}/incident/${incident_id}/overview`, tag: `incident-${incident_id}`, at }
  if (!path) return frame
  const { acknowledge: label, states } = acknowledgeTexts[messages.locale()]
  return { ...frame, acknowledge: { path, label, states, failed: messages('not_acknowledged') } }
}

/**
 * A message as the request to the push service of a device. Its first line is the title, and a link in its last line is
 * left out: a click leads there. @throws ApiError when the notifier is no device
 */
export function deviceMessage(
  { url, verify_tls: verifyTls }: Pick<Notifier, 'url' | 'verify_tls'>,
  { NEZHA = '' }: Placeholders,
  {
    frame = { link: consolePath, tag: '', at: Date.now() },
    pushKeys: keys,
  }: { frame?: DeviceFrame; pushKeys: PushKeys },
): OutboundRequest {
  const device = readPushUrl(url)
  if (!device) throw new ApiError(noDevice)
  const [title = '', ...lines] = NEZHA.split('\n')
  if (/^https?:\/\/\S+$/.test(lines.at(-1) ?? '')) lines.pop()
  const payload: PushPayload = { title, body: lines.join('\n'), ...frame }
  const topic = frame.tag || undefined
  return pushRequest(device, { payload: JSON.stringify(payload), ttl, topic }, { keys, verifyTls })
}

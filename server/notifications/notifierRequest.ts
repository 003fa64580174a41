import type { PushPayload } from '../../src/domain/app/pushPayload.ts'
import { consolePath } from '../../src/schemas/consolePath.ts'
import { isMailUrl, readMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isPushUrl, readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { parseStringMap } from '../../src/schemas/formats/stringMap.ts'
import { type GuardedRequestOptions, guardedRequest } from '../outbound/guardedRequest.ts'
import { type MailReply, sendMail } from '../outbound/sendMail.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { type PushKeys, pushRequest } from '../outbound/webPush.ts'
import type { Messages } from '../site/messages.ts'
import { readTexts } from '../texts.ts'
import { newEvent, startOf } from '../webhooks/newEvent.ts'
import { type FillTemplate, templateFiller } from '../webhooks/templateFiller.ts'
import { webhookRequest } from '../webhooks/webhookRequest.ts'
import { ApiError } from '../wire/apiCall.ts'
import { jsonObject } from '../wire/jsonObject.ts'
import { parseJson, readTyped } from '../wire/parseJson.ts'
import { messageExcerpt } from './excerpts.ts'
import type { WaitingMessage } from './outbox.ts'

/** The fields of a notifier that make its request. */
export interface Notifier {
  url: string
  request_method: number
  request_type: number
  request_header: string
  request_body: string
  verify_tls: boolean
  /** Whether it gets events as JSON in place of messages. */
  send_events?: boolean | null
  signing_secret?: string | null
}

/** Values by placeholder: `NEZHA` is the message; `SERVER.NAME` etc. exist when it is about a server. */
export type Placeholders = Readonly<Record<string, string>>

/** The message and the time. @param now milliseconds since 1970 */
export const messagePlaceholders = (message: string, now = Date.now()): Placeholders => ({
  NEZHA: message,
  DATETIME: `${new Date(now).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`,
})

/**
 * The HTTP request for a notification.
 * @param key sent as `Idempotency-Key`, unless the notifier has such a header itself
 * @throws ApiError when the notifier's fields are invalid
 */
export function notifierRequest(notifier: Notifier, placeholders: Placeholders, key = ''): OutboundRequest {
  const method = methods[notifier.request_method]
  // Real servers have these texts in Chinese, whatever the language.
  if (!method) throw new ApiError('不支持的请求方式')
  const fill = fillerOf(placeholders)
  const content = method === 'POST' ? contentOf(notifier, fill) : undefined
  return {
    method,
    url: fill(notifier.url, (value) => new URLSearchParams({ v: value }).toString().slice('v='.length)),
    headers: () => ({
      ...(content && { 'content-type': content.type }),
      ...(key && { 'idempotency-key': key }),
      ...headersOf(notifier),
    }),
    body: content?.body,
    verifyTls: notifier.verify_tls,
  }
}

const methods: Readonly<Record<number, OutboundRequest['method'] | undefined>> = { 1: 'GET', 2: 'POST' }

function contentOf({ request_type, request_body }: Notifier, fill: FillTemplate) {
  if (request_type === 1) {
    const escaped = (value: string) => JSON.stringify(value).slice(1, -1)
    return { type: 'application/json', body: fill(request_body, escaped) }
  }
  if (request_type !== 2) throw new ApiError('不支持的请求类型')
  const pairs = request_body.trim() === '' ? undefined : parseStringMap(request_body)
  if (!pairs) throw new ApiError('wrong type')
  const filled = Object.entries(pairs).map(([name, value]) => [name, fill(value, (text) => text)])
  filled.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(filled).toString() }
}

/** The headers that its author wants. @throws ApiError when they are no JSON object of texts */
export function headersOf({ request_header }: Pick<Notifier, 'request_header'>): Record<string, string> {
  if (request_header === '') return {}
  const type = { kind: 'map', key: 'string', of: { kind: 'string' } } as const
  return (readTyped(parseJson(request_header), type, 'Go value') as Record<string, string> | null) ?? {}
}

const fillerOf = (placeholders: Placeholders): FillTemplate => templateFiller(/#([A-Z][A-Z0-9.]*)#/g, placeholders)

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
function deviceMessage(
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

/** What a receiver answered. */
export interface NotifierReply extends MailReply {
  /** The beginning of the body, as far as it was requested. */
  body: string
  /** The header `Retry-After`, as it was sent. */
  retryAfter?: string
  /** Whether the receiver, a device, will never be there again. */
  isGone?: boolean
}

export type SendOptions = Pick<GuardedRequestOptions, 'allowPrivate' | 'signal' | 'maxBodyBytes'>

/** What is sent: a message of a group, or that of a test. */
export type MessageKind = 'message' | 'test'

interface MessageOptions {
  /** The type of the event, for notifiers that get events. Default: a message. */
  kind?: MessageKind
  /** What tells this message from others, the same at each try; for requests that are no events. */
  key?: string
  /** What it is about, for devices. Default: nothing that can be opened. */
  frame?: DeviceFrame
  pushKeys: PushKeys
}

/**
 * A notification as its notifier sends it: an HTTP request, a mail, an event, or a message to a device.
 * @returns a function that sends it once @throws ApiError when the notifier's fields are invalid
 */
export function prepareNotification(
  notifier: Notifier,
  placeholders: Placeholders,
  { kind = 'message', key, frame, pushKeys }: MessageOptions,
): (options: SendOptions) => Promise<NotifierReply> {
  if (isPushUrl(notifier.url)) {
    const send = sender(deviceMessage(notifier, placeholders, { frame, pushKeys }), { maxRedirects: 0 })
    return async (options) => withoutDevice(await send(options))
  }
  if (notifier.send_events) return sender(messageEvent(notifier, placeholders, kind), { maxRedirects: 0 })
  if (isMailUrl(notifier.url)) return prepareMail(notifier, placeholders)
  const request = notifierRequest(notifier, placeholders, key)
  const send = sender(request, { mustArrive: true })
  return async (options) => judged(request, await send({ maxBodyBytes: answerBytes, ...options }))
}

/** Bytes of an answer in which a receiver may say that it has not taken the message. */
const answerBytes = 2048

function judged({ url }: OutboundRequest, reply: NotifierReply): NotifierReply {
  const refusal = reply.isSent ? refusalInBody(url, reply.body) : undefined
  return refusal ? { ...reply, ...refusal, isSent: false, isFinal: false, text: reply.body } : reply
}

/** With these, a push service says that somebody has switched messages off on the device, or that it is not known. */
const goneStatuses: readonly number[] = [404, 410]

function withoutDevice(reply: NotifierReply): NotifierReply {
  const isGone = goneStatuses.includes(reply.code)
  return { ...reply, isGone, isFinal: reply.isFinal || isGone }
}

/** A message as the request of a notifier that gets events. @throws ApiError when the notifier's fields are invalid */
export function messageEvent(notifier: Notifier, { NEZHA = '' }: Placeholders, kind: MessageKind): OutboundRequest {
  const now = Date.now()
  const event = newEvent(kind, { text: startOf(NEZHA) }, now)
  return webhookRequest(notifier, event, { headers: headersOf(notifier), now })
}

function sender(request: OutboundRequest, rules: Pick<GuardedRequestOptions, 'maxRedirects' | 'mustArrive'>) {
  return async (options: SendOptions): Promise<NotifierReply> => {
    const { code, text, body, retryAfter } = await guardedRequest(request, { ...options, ...rules })
    const isSent = code >= 200 && code <= 299
    return { isSent, isFinal: isSent, code, text, body, retryAfter }
  }
}

/** A notification as a mail. @throws ApiError when it is not a mail address */
export function mailOf({ url: address }: Pick<Notifier, 'url'>, placeholders: Placeholders) {
  const url = readMailUrl(address)
  if (!url) throw new ApiError('the mail address needs the form smtps://user:password@host:465/?from=…&to=…')
  const text = placeholders.NEZHA ?? ''
  const subject = messageExcerpt(fillerOf(placeholders)(url.subject || text, (value) => value))
  return { url, subject, text }
}

function prepareMail(notifier: Notifier, placeholders: Placeholders) {
  const mail = { ...mailOf(notifier, placeholders), verifyTls: notifier.verify_tls }
  return async ({ allowPrivate, signal }: SendOptions): Promise<NotifierReply> => ({
    ...(await sendMail(mail, { allowPrivate, signal })),
    body: '',
  })
}

/** Messengers that say in `code` whether they took a message, 0 for yes. To others, 200 or 1 is good. */
const codeIsError = /(^|\.)(feishu\.cn|larksuite\.com|ftqq\.com|ft07\.com)$/

/** WeCom (two), DingTalk and Feishu are called too often. */
const throttledCodes: readonly unknown[] = [45009, 45033, 130101, 11232]

/**
 * Whether a receiver that answers with a good status says in its JSON that it has not taken the message, as WeCom,
 * DingTalk, Feishu, ServerChan, the API of Slack and OneBot do. A person would wait for it in vain.
 * @param url of the request
 * @returns `undefined` for a message that was taken, also by a receiver whose answer is not known
 */
export function refusalInBody(url: string, body: string): { isThrottled: boolean } | undefined {
  const answer = jsonObject(body)
  if (!answer) return undefined
  const { ok, success, errcode, retcode, code } = answer
  const ofHost = codeIsError.test(new URL(url).hostname) ? code : undefined
  const error = [errcode, retcode, ofHost].find((one) => typeof one === 'number' && one !== 0)
  // OneBot has 1 for what it will do in a moment.
  const isRefused = ok === false || success === false || (error !== undefined && !(error === retcode && error === 1))
  return isRefused ? { isThrottled: throttledCodes.includes(error) } : undefined
}

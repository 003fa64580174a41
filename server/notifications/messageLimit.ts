import { isObject } from '../../src/schemas/define/values.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import type { Notifier } from './notifierRequest.ts'

interface Receiver {
  limit: MessageLimit
  /** Whether a notifier sends to it. Many can be run by anybody: those are known by the form of their requests. */
  is(url: URL, notifier: Notifier): boolean
}

const host = (pattern: RegExp) => (url: URL) => pattern.test(url.hostname)

/** Limits of services, as each counts; of those that count a whole request, with room for the rest of it. */
const receivers: Readonly<Record<string, Receiver>> = {
  telegram: {
    limit: { unit: 'utf16_units', max: 4096 },
    is: (url) => url.hostname === 'api.telegram.org' || /^\/bot[^/]+\/sendMessage$/i.test(url.pathname),
  },
  // That of a description, which presets fill in; a message of its own has half of it.
  discord: { limit: { unit: 'utf16_units', max: 4096 }, is: (url, notifier) => isDiscord(url) && hasEmbeds(notifier) },
  discord_content: { limit: { unit: 'utf16_units', max: 2000 }, is: isDiscord },
  slack: { limit: { unit: 'characters', max: 40_000 }, is: host(/^hooks\.slack\.com$/) },
  teams: {
    limit: { unit: 'json_bytes', max: 24_000 },
    is: host(/\.(logic\.azure|webhook\.office|powerplatform)\.com$/),
  },
  matrix: { limit: { unit: 'json_bytes', max: 60_000 }, is: (url) => url.pathname.startsWith('/_matrix/client/') },
  pushover: { limit: { unit: 'characters', max: 1024 }, is: host(/^api\.pushover\.net$/) },
  pagerduty: { limit: { unit: 'characters', max: 1024 }, is: (url) => url.pathname === '/v2/enqueue' },
  dingtalk: { limit: { unit: 'bytes', max: 18_000 }, is: host(/^oapi\.dingtalk\.com$/) },
  feishu: { limit: { unit: 'json_bytes', max: 18_000 }, is: host(/^open\.(feishu\.cn|larksuite\.com)$/) },
  wecom: { limit: { unit: 'bytes', max: 2048 }, is: host(/^qyapi\.weixin\.qq\.com$/) },
  serverchan: { limit: { unit: 'bytes', max: 32_000 }, is: host(/(^sctapi\.ftqq\.com|\.push\.ft07\.com)$/) },
  bark: { limit: { unit: 'json_bytes', max: 3000 }, is: (_, notifier) => hasField(notifier, 'device_key') },
  ntfy: {
    limit: { unit: 'bytes', max: 4096 },
    is: (_, notifier) => hasField(notifier, 'topic') && hasField(notifier, 'message'),
  },
  mattermost: { limit: { unit: 'characters', max: 16_383 }, is: (url) => /\/hooks\/[a-z0-9]{26}$/.test(url.pathname) },
}

function isDiscord(url: URL): boolean {
  return /^(ptb\.|canary\.)?discord(app)?\.com$/.test(url.hostname)
}

const hasEmbeds = (notifier: Notifier) => hasField(notifier, 'embeds')

/** Of what a device takes (`maxPayload`), without what stands beside the text: links, and the words of the button. */
const deviceLimit: MessageLimit = { unit: 'json_bytes', max: 2800 }

/** How much of a message fits into the request of a notifier; `undefined` where nothing is known about its receiver. */
export function messageLimitOf(notifier: Notifier): MessageLimit | undefined {
  if (isPushUrl(notifier.url)) return deviceLimit
  if (notifier.send_events || isMailUrl(notifier.url) || !URL.canParse(notifier.url)) return undefined
  const url = new URL(notifier.url)
  const receiver = Object.values(receivers).find(({ is }) => is(url, notifier))
  if (!receiver) return undefined
  const { unit, max } = receiver.limit
  return { unit, max: Math.max(1, max - measure(textAround(notifier), { unit })) }
}

const placeholder = '#NEZHA#'

/** What a template has in the same text as the message, such as a keyword in front of it. */
function textAround({ request_body }: Notifier): string {
  const template = textsIn(parsed(request_body)).find((text) => text.includes(placeholder))
  return template?.replaceAll(placeholder, '') ?? ''
}

const hasField = ({ request_body }: Notifier, name: string) => {
  const body = parsed(request_body)
  return isObject(body) && Object.hasOwn(body, name)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** How much text a receiver takes, in the unit in which it counts. */
export interface MessageLimit {
  unit: keyof typeof measures
  max: number
}

const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length

/** Each adds up: the measure of a text is that of its parts. */
const measures = {
  /** Unicode code points. */
  characters: (text: string) => [...text].length,
  utf16_units: (text: string) => text.length,
  /** Of UTF-8. */
  bytes: bytesOf,
  /** Of UTF-8, escaped as in JSON: where the limit is that of the whole request. */
  json_bytes: (text: string) => bytesOf(JSON.stringify(text)) - 2,
} as const

const mark = '…'
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How much a text takes of a limit. */
export const measure = (text: string, { unit }: Pick<MessageLimit, 'unit'>): number => measures[unit](text)

/**
 * Shortens a message to the limit of its receiver, between two letters as people see them. The first line, which names
 * what it is about, and a link in the last line stay; what is between gets shorter from its end.
 * @param keepsEnd whether it gets shorter from its beginning: of the output of a command, the end says most
 */
export function shortenMessage(text: string, limit: MessageLimit, { keepsEnd = false } = {}): string {
  if (measure(text, limit) <= limit.max) return text
  const lines = text.split('\n')
  const last = lines.at(-1) ?? ''
  const isLink = lines.length > 1 && /^https?:\/\/\S+$/.test(last) && measure(last, limit) * 2 < limit.max
  const tail = isLink ? `\n${last}` : ''
  const [head = '', ...body] = isLink ? lines.slice(0, -1) : lines
  const room = limit.max - measure(tail, limit)
  const roomOfBody = room - measure(`${head}\n`, limit)
  if (body.length === 0 || roomOfBody <= measure(mark, limit)) return cut(head, room, limit, false) + tail
  return `${head}\n${cut(body.join('\n'), roomOfBody, limit, keepsEnd)}${tail}`
}

function cut(text: string, room: number, limit: MessageLimit, keepsEnd: boolean): string {
  if (measure(text, limit) <= room) return text
  // No unit counts less than one for a UTF-16 unit, but characters, of which two units are one.
  const near = keepsEnd ? text.slice(-2 * room) : text.slice(0, 2 * room)
  const parts = [...letters.segment(near)].map(({ segment }) => segment)
  if (keepsEnd) parts.reverse()
  let left = room - measure(mark, limit)
  const kept: string[] = []
  for (const part of parts) {
    left -= measure(part, limit)
    if (left < 0) break
    kept.push(part)
  }
  return keepsEnd ? mark + kept.reverse().join('') : kept.join('') + mark
}

import { isObject } from '../../src/schemas/define/values.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import type { Notifier } from './notifierRequest.ts'
import { type MessageLimit, measure } from './shortenMessage.ts'

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

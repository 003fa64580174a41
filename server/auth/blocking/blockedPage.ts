import type { FastifyReply } from 'fastify'
import type { Locale } from '../../../i18n/locales.ts'
import { blockedFailure } from '../../../src/schemas/define/wireNames.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { Block } from './blockRules.ts'

/** Refuses an attempt until a block ends; see `sendBlocked`. */
export class BlockedError extends ApiError {
  readonly block: Block
  /** Whole seconds until the end. */
  readonly secondsLeft: number

  /** @param now seconds since 1970 */
  constructor(block: Block, now: number) {
    super(blockedFailure, 403)
    this.block = block
    this.secondsLeft = Math.ceil(block.until - now)
  }
}

/**
 * Replies with why, and until when: with a page, as real servers do, or with JSON when the client accepts only that. The
 * page is in the visitor's language and loads nothing else, which could be refused as well.
 */
export function sendBlocked(reply: FastifyReply, { block, secondsLeft }: BlockedError): FastifyReply {
  const { headers } = reply.request
  if (Number.isFinite(secondsLeft)) reply.header('retry-after', secondsLeft)
  reply.code(403).header('cache-control', 'no-store').header('vary', 'accept, accept-language')
  if (wantsJson(headers.accept ?? '')) return reply.send({ error: blockedFailure, data: { reason: block.reason } })
  const locale = acceptedLocale(headers['accept-language'] ?? '')
  return reply.type('text/html; charset=utf-8').send(page(locale, block, secondsLeft))
}

const wantsJson = (accept: string) => /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)

function page(locale: Locale, { reason, until }: Block, secondsLeft: number): string {
  const { title, reasons, permanent, again } = texts[locale]
  const end = Number.isFinite(until)
    ? again.replace('{{wait}}', waitText(secondsLeft, locale)).replace('{{time}}', timeText(until, locale))
    : permanent
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>html{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1rem}</style>
</head>
<body>
<h1>${title}</h1>
<p>${reasons[reason]} ${end}</p>
</body>
</html>
`
}

/** In the largest unit of which there is more than one. */
function waitText(seconds: number, locale: Locale): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, length]) => seconds >= 2 * length) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(locale).format(Math.ceil(seconds / length), unit)
}

/** The zone of the visitor is not known here. @param at seconds since 1970 */
function timeText(at: number, locale: Locale): string {
  const style = { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' } as const
  const format = new Intl.DateTimeFormat(locale, style)
  return `${format.format(Math.ceil(at) * 1000)} UTC`
}

/** The first of our languages that a visitor reads, as the header says; else English. */
function acceptedLocale(header: string): Locale {
  const wanted = header
    .split(',')
    .map((entry) => {
      const [, tag = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+))?/.exec(entry) ?? []
      return { tag: tag.toLowerCase(), weight: Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { tag } of wanted) {
    const [language] = tag.split('-')
    if (language === 'zh') return /^zh-(hant|tw|hk|mo)/.test(tag) ? 'zh-TW' : 'zh-CN'
    if (language === 'en') return 'en-US'
    if (language === 'it') return 'it'
    if (language === 'de') return 'de-DE'
  }
  return 'en-US'
}

interface Texts {
  title: string
  reasons: Record<Block['reason'], string>
  /** `{{wait}}` is like "in 16 seconds", `{{time}}` the end. */
  again: string
  permanent: string
}

const texts: Record<Locale, Texts> = {
  'en-US': {
    title: 'Blocked',
    reasons: {
      account: 'There were failed sign-ins to this account from your address.',
      address: 'There were failed sign-ins to many accounts from your address.',
      passkey: 'There were sign-ins with a wrong passkey from your address.',
      'api-token': 'There were calls with a wrong API token from your address.',
      agent: 'There were agents with a wrong secret at your address.',
      oauth2: 'There were failed sign-ins at a provider from your address.',
      'by-admin': 'An administrator has blocked your address.',
    },
    again: 'Try again {{wait}} ({{time}}). The pause grows with every failure.',
    permanent: 'An administrator at another address can lift the block.',
  },
  it: {
    title: 'Bloccato',
    reasons: {
      account: 'Dal tuo indirizzo ci sono stati accessi non riusciti a questo account.',
      address: 'Dal tuo indirizzo ci sono stati accessi non riusciti a molti account.',
      passkey: 'Dal tuo indirizzo ci sono stati accessi con una passkey errata.',
      'api-token': 'Dal tuo indirizzo sono arrivate chiamate con un token API errato.',
      agent: 'Al tuo indirizzo ci sono agenti con un segreto errato.',
      oauth2: 'Dal tuo indirizzo ci sono stati accessi non riusciti presso un provider.',
      'by-admin': 'Un amministratore ha bloccato il tuo indirizzo.',
    },
    again: 'Riprova {{wait}} ({{time}}). L’attesa cresce a ogni errore.',
    permanent: 'Un amministratore da un altro indirizzo può togliere il blocco.',
  },
  'zh-CN': {
    title: '已封禁',
    reasons: {
      account: '您的地址登录此账号失败。',
      address: '您的地址登录多个账号失败。',
      passkey: '您的地址使用了错误的通行密钥登录。',
      'api-token': '您的地址使用了错误的 API 令牌。',
      agent: '您的地址有 Agent 使用了错误的密钥。',
      oauth2: '您的地址通过第三方登录失败。',
      'by-admin': '管理员封禁了您的地址。',
    },
    again: '请在{{wait}}（{{time}}）重试。每次失败后等待时间都会变长。',
    permanent: '其他地址的管理员可以解除封禁。',
  },
  'zh-TW': {
    title: '已封鎖',
    reasons: {
      account: '您的位址登入此帳號失敗。',
      address: '您的位址登入多個帳號失敗。',
      passkey: '您的位址使用了錯誤的通行金鑰登入。',
      'api-token': '您的位址使用了錯誤的 API 權杖。',
      agent: '您的位址有 Agent 使用了錯誤的金鑰。',
      oauth2: '您的位址透過第三方登入失敗。',
      'by-admin': '管理員封鎖了您的位址。',
    },
    again: '請在{{wait}}（{{time}}）再試。每次失敗後等待時間都會變長。',
    permanent: '其他位址的管理員可以解除封鎖。',
  },
  'de-DE': {
    title: 'Gesperrt',
    reasons: {
      account: 'Von dieser Adresse gab es fehlgeschlagene Anmeldungen an diesem Konto.',
      address: 'Von dieser Adresse gab es fehlgeschlagene Anmeldungen an vielen Konten.',
      passkey: 'Von dieser Adresse gab es Anmeldungen mit einem falschen Passkey.',
      'api-token': 'Von dieser Adresse kamen Aufrufe mit einem falschen API-Token.',
      agent: 'An dieser Adresse gibt es Agents mit falschem Schlüssel.',
      oauth2: 'Von dieser Adresse gab es fehlgeschlagene Anmeldungen bei einem Anbieter.',
      'by-admin': 'Ein Administrator hat diese Adresse gesperrt.',
    },
    again: 'Bitte {{wait}} erneut versuchen ({{time}}). Die Pause wächst mit jedem Fehler.',
    permanent: 'Ein Administrator an einer anderen Adresse kann die Sperre aufheben.',
  },
}

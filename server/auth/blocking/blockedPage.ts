import type { FastifyReply } from 'fastify'
import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { blockedFailure } from '../../../src/schemas/define/wireNames.ts'
import { acceptedLocale } from '../../site/locale.ts'
import { readTexts } from '../../texts.ts'
import { ApiError } from '../../wire/apiCall.ts'
import type { Block } from './blockRules.ts'

const texts = readTexts('blocked')

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
    ? fillText(again, { wait: waitText(secondsLeft, locale), time: timeText(until, locale) })
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

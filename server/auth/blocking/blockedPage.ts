import type { FastifyReply } from 'fastify'
import { blockedFailure } from '../../../src/schemas/define/wireNames.ts'
import type { Waf } from './blockedAddresses.ts'

/** The reply to a blocked address, for every path. It loads nothing else: that would be blocked as well. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Blocked</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}</style>
</head>
<body>
<h1>Blocked</h1>
<p>Your address was blocked after failed sign-ins. Wait a little and try again: the pause grows with every failure.</p>
</body>
</html>
`

/** Seconds. A longer block is a permanent one, and gets no Retry-After. */
const maxRetryAfter = 366 * 86_400

/** Replies to a blocked address with a page, as real servers do, or with JSON when the client accepts only that. */
export function sendBlocked(waf: Waf, reply: FastifyReply): FastifyReply {
  const { headers, address } = reply.request
  const seconds = waf.secondsLeft(address)
  if (seconds > 0 && seconds < maxRetryAfter) reply.header('retry-after', seconds)
  reply.code(403).header('cache-control', 'no-store').header('vary', 'accept')
  return wantsJson(headers.accept ?? '')
    ? reply.send({ error: blockedFailure })
    : reply.type('text/html; charset=utf-8').send(page)
}

const wantsJson = (accept: string) => /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)

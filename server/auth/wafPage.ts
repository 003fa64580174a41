import type { FastifyReply } from 'fastify'

/** What a blocked address gets for every path. It asks for nothing else, since that would be blocked as well. */
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

export function sendBlocked(reply: FastifyReply): FastifyReply {
  return reply.code(403).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)
}

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectError } from '../machines/hosts/host.ts'

/** Why a visitor of a forwarded name gets no answer of the service, as a sentence that names no address. */
export class NatFailure extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.headers = headers
  }
}

/** What an error on the way to the service means to the visitor. */
export function natFailureOf(error: unknown): NatFailure {
  if (error instanceof NatFailure) return error
  if (error instanceof ConnectError) return new NatFailure(502, error.message, {}, error)
  return new NatFailure(502, 'The service behind this name broke the connection off. Try again.', {}, error)
}

/** Answers in the service's place; when its answer has begun already, all that can be done is to break it off. */
export function sendFailure(request: IncomingMessage, response: ServerResponse, failure: NatFailure): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const page = pageOf(failure)
  response.writeHead(failure.status, headersOf(failure, page))
  response.end(request.method === 'HEAD' ? undefined : page)
}

/** The same on a connection that wanted to change protocols. */
export function refuseUpgrade(client: Duplex, failure: NatFailure): void {
  const page = pageOf(failure)
  const headers = Object.entries({ ...headersOf(failure, page), connection: 'close' })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  client.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${page}`, () =>
    client.destroy(),
  )
}

const headersOf = ({ headers }: NatFailure, page: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-length': String(Buffer.byteLength(page)),
  'cache-control': 'no-store',
  ...headers,
})

const pageOf = ({ status, message }: NatFailure) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} ${STATUS_CODES[status]}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}</style>
</head>
<body>
<h1>${status} ${STATUS_CODES[status]}</h1>
<p>${message}</p>
</body>
</html>
`

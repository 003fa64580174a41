import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectError } from '../machines/hosts/host.ts'

/** Why a request cannot be forwarded, as a sentence for the visitor that contains no address of the service. */
export class NatError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.headers = headers
  }
}

/** Turns any error of the forwarding into one for the visitor. */
export function toNatError(error: unknown): NatError {
  if (error instanceof NatError) return error
  if (error instanceof ConnectError) return new NatError(502, error.message, {}, error)
  return new NatError(502, 'The service behind this name broke the connection off. Try again.', {}, error)
}

/** Replies with an error page. When the service's reply has already begun, the connection is closed. */
export function sendErrorPage(request: IncomingMessage, response: ServerResponse, error: NatError): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const page = errorPage(error)
  response.writeHead(error.status, errorHeaders(error, page))
  response.end(request.method === 'HEAD' ? undefined : page)
}

/** Replies with an error page to a request that asked for an upgrade. */
export function refuseUpgrade(client: Duplex, error: NatError): void {
  const page = errorPage(error)
  const headers = Object.entries({ ...errorHeaders(error, page), connection: 'close' })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  client.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${page}`, () =>
    client.destroy(),
  )
}

const errorHeaders = ({ headers }: NatError, page: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-length': String(Buffer.byteLength(page)),
  'cache-control': 'no-store',
  ...headers,
})

const errorPage = ({ status, message }: NatError) => `<!doctype html>
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

import type { IncomingMessage } from 'node:http'
import { cookies, visitCookie } from '../../src/schemas/define/wireNames.ts'
import { ofAddresses, ofOneConnection } from '../gateway/requestHeaders.ts'
import type { Visitor } from './visitor.ts'

interface Introduction extends Visitor {
  /** What this server writes into `loopHeader`. */
  marker: string
}

/** By this a server knows a request that it forwarded itself. */
export const loopHeader = 'x-wheelhouse-nat'

const ofConsole = new Set<string>([...Object.values(cookies), visitCookie])

/** Written by us alone: what a visitor says there is not passed on. */
const ownWords = ['host', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-ssl', 'x-real-ip', 'nz-realip']

/** A message's headers as Node takes them: names and values in turn. */
type Flat = string[]

/** The headers with which a request goes on to the service: the visitor's own, and who that is. */
export function requestHeaders(asked: IncomingMessage, upgrade: string | undefined, about: Introduction): Flat {
  const { headers, method = '' } = asked
  const left = new Set([...ofOneConnection, ...ofAddresses, ...ownWords, about.realIpHeader, ...namedIn(headers)])
  const kept = pairs(asked.rawHeaders).flatMap(([name, value]) => {
    const known = name.toLowerCase()
    if (left.has(known) || known === loopHeader) return []
    const text = known === 'cookie' ? withoutOurs(value) : value
    return text === '' && value !== '' ? [] : [name, text]
  })
  const coding = headers['transfer-encoding']
  // Without a length, Node would take it for a body of unknown size.
  const isBare = coding === undefined && headers['content-length'] === undefined && hasBodyByNature(method)
  const seen = [headers[loopHeader], about.marker].flat().filter(Boolean).join(', ')
  return [
    ...['Host', headers.host ?? ''],
    ...kept,
    ...(coding === undefined ? [] : ['Transfer-Encoding', coding]),
    ...(isBare ? ['Content-Length', '0'] : []),
    ...(about.address === '' ? [] : ['X-Forwarded-For', about.address, 'X-Real-IP', about.address]),
    ...['X-Forwarded-Proto', about.protocol, 'X-Forwarded-Host', headers.host ?? ''],
    ...[loopHeader, seen],
    ...(upgrade === undefined ? ['Connection', 'close'] : ['Connection', 'Upgrade', 'Upgrade', upgrade]),
  ]
}

/** The headers with which the service's reply comes back. The session of the console is not the service's to set. */
export function replyHeaders({ headers, rawHeaders }: IncomingMessage): Flat {
  const left = new Set([...ofOneConnection, ...namedIn(headers)])
  return pairs(rawHeaders).flatMap(([name, value]) => {
    const known = name.toLowerCase()
    return left.has(known) || (known === 'set-cookie' && isOurs(value)) ? [] : [name, value]
  })
}

const hasBodyByNature = (method: string) => !['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)

/** The headers that `Connection` says are of this connection only. */
const namedIn = ({ connection }: IncomingMessage['headers']) =>
  connection?.split(',').map((name) => name.trim().toLowerCase()) ?? []

function withoutOurs(cookieHeader: string): string {
  const kept = cookieHeader.split(';').filter((pair) => !ofConsole.has(pair.split('=', 1)[0]?.trim() ?? ''))
  return kept.join(';').trim()
}

/** A cookie without a name, `=nz-jwt=x`, would come back as if it had one. */
function isOurs(setCookie: string): boolean {
  const [, name = ''] = /^[\s=]*([^=;]*)/.exec(setCookie) ?? []
  return ofConsole.has(name.trim())
}

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])
}

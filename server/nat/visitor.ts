import type { IncomingMessage } from 'node:http'
import { isBehindProxy, readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import { ApiError } from '../wire/apiError.ts'
import { NatError } from './natError.ts'

/** The sender of a request. */
export interface Visitor {
  /** '' when the address is unknown. */
  address: string
  protocol: 'http' | 'https'
  /** The header in which a reverse proxy sends addresses, in lower case; '' without one. */
  realIpHeader: string
}

interface VisitorOptions {
  /** The setting `web_real_ip_header`. */
  header: string
  publicUrl: URL | undefined
  waf: Pick<Waf, 'isBlockedByAdmin'>
}

/** @throws NatError for addresses that an administrator blocked, as in the console */
export function visitorOf(request: IncomingMessage, { header, publicUrl, waf }: VisitorOptions): Visitor {
  const address = clientAddress(request, header)
  if (waf.isBlockedByAdmin(address)) throw new NatError(403, 'An administrator has blocked your address.')
  // Headers about the visitor only count when the settings say that there is a reverse proxy.
  const hasProxy = isBehindProxy(header)
  return {
    address,
    protocol: publicUrl ? protocolOf(publicUrl) : hasProxy ? forwardedProtocol(request) : 'http',
    realIpHeader: hasProxy ? header.toLowerCase() : '',
  }
}

const protocolOf = ({ protocol }: URL) => (protocol === 'https:' ? 'https' : 'http')

const forwardedProtocol = ({ headers }: IncomingMessage) =>
  headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'

function clientAddress(request: IncomingMessage, header: string): string {
  try {
    return readClientAddress(request, header)
  } catch (error) {
    // Its message repeats what the visitor sent.
    if (error instanceof ApiError) throw new NatError(403, 'The proxy in front does not say who the visitor is.')
    throw error
  }
}

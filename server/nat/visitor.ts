import type { IncomingMessage } from 'node:http'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { addressOf } from '../auth/addresses/clientAddress.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import { ApiError } from '../wire/apiError.ts'
import { NatFailure } from './failure.ts'

/** Who asks, and how they came. */
export interface Visitor {
  /** '' when addresses are not known. */
  address: string
  protocol: 'http' | 'https'
  /** The header in which a proxy in front tells addresses, in small letters; '' without one. */
  realIpHeader: string
}

interface Known {
  /** The setting `web_real_ip_header`. */
  header: string
  publicUrl: URL | undefined
  waf: Pick<Waf, 'isBlocked' | 'secondsLeft'>
}

/** @throws NatFailure for whom nothing is forwarded: as at the console, blocked addresses stay out */
export function visitorOf(asked: IncomingMessage, { header, publicUrl, waf }: Known): Visitor {
  const address = addressIn(asked, header)
  if (waf.isBlocked(address)) {
    const wait = { 'retry-after': String(waf.secondsLeft(address)) }
    throw new NatFailure(403, 'Your address was blocked. Wait a little and try again.', wait)
  }
  // Only a proxy that the operator said to be in front is asked what it says about the visitor.
  const isBehindProxy = header !== '' && header !== usePeerAddress
  return {
    address,
    protocol: publicUrl ? protocolOf(publicUrl) : isBehindProxy ? protocolTold(asked) : 'http',
    realIpHeader: isBehindProxy ? header.toLowerCase() : '',
  }
}

const protocolOf = ({ protocol }: URL) => (protocol === 'https:' ? 'https' : 'http')

const protocolTold = ({ headers }: IncomingMessage) => (headers['x-forwarded-proto'] === 'https' ? 'https' : 'http')

function addressIn(asked: IncomingMessage, header: string): string {
  try {
    return addressOf(asked, header)
  } catch (error) {
    // Its words repeat what the visitor sent.
    if (error instanceof ApiError) throw new NatFailure(403, 'The proxy in front does not say who the visitor is.')
    throw error
  }
}

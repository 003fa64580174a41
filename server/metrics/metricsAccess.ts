import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '../../src/schemas/define/access.ts'
import type { AddressRanges } from '../auth/addresses/addressRanges.ts'
import { isProxyHeaderUnread } from '../auth/addresses/clientAddress.ts'
import { isAdmin } from '../person.ts'

/** What an API token needs: the metrics are a way to read the records of these three. */
export const metricScopes: readonly TokenScope[] = ['nezha:server:read', 'nezha:service:read', 'nezha:alertrule:read']

export interface Refusal {
  status: 401 | 403
  /** What the operator of a collector can do about it. */
  text: string
}

interface AccessRules {
  /** Addresses that read without a session or token. */
  allowed: AddressRanges | undefined
  /** The header with the address of a visitor, as the site's settings have it. */
  realIpHeader: () => string
}

/** @returns why a request may not read the metrics; `undefined` when it may. The guard has set its person. */
export function metricsRefusal(request: FastifyRequest, { allowed, realIpHeader }: AccessRules): Refusal | undefined {
  if (isAdmin(request.person)) return undefined
  if (allowed?.has(request.address)) {
    if (!isProxyHeaderUnread(request, realIpHeader())) return undefined
    return {
      status: 403,
      text:
        'A proxy on this machine forwards requests, and the addresses that it sends are not read, so everybody seems to ' +
        'have an address of METRICS_ALLOW. Set the real IP header in the settings to the one that your proxy writes.',
    }
  }
  if (request.person) return { status: 403, text: 'The metrics are for administrators.' }
  const address = request.address === '' ? 'which this server does not know' : `now ${request.address}`
  return {
    status: 401,
    text:
      'The metrics are for administrators. To read them with Prometheus, send an API token of one with the scopes ' +
      `${metricScopes.join(', ')}, or start this server with METRICS_ALLOW set to the address of Prometheus (${address}).`,
  }
}

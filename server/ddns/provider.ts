import type { Reply } from '../outbound/reply.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'

/** What a profile says about its provider; the rest of it says when and for whom. */
export interface ProviderSettings {
  provider: string
  access_id: string
  access_secret: string
  webhook_url: string
  webhook_method: number
  webhook_request_type: number
  webhook_request_body: string
  webhook_headers: string
}

/** One name that is to lead to one address. */
export interface Update {
  settings: ProviderSettings
  /** As name servers know it: `xn--…` for other scripts. */
  domain: string
  record: RecordType
  address: string
}

export type RecordType = 'A' | 'AAAA'

/** Calls the provider, as far as the profile's owner may. Redirects are followed, and the reply's head is read. */
export type Ask = (call: Omit<OutboundRequest, 'verifyTls'>) => Promise<Reply>

/** Carries out an update. @throws DdnsFailure or ApiError in words for people */
export type Provider = (update: Update, ask: Ask) => Promise<void>

/** Not updated; the message says why, in the provider's words where it had any. */
export class DdnsFailure extends Error {
  /** Whether trying again is of no use, or even unwelcome: wrong credentials, a name that is not there. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false } = {}) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Reads a reply that is to be JSON. @throws DdnsFailure with the status when it is not */
export function readJson(reply: Reply): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(reply.body)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // An error page of something on the way: its status says more than its text.
  }
  throw new DdnsFailure(`The provider answered ${reply.text} without anything that can be read.`)
}

/**
 * The zones that a name may belong to, the nearest first: `a.b.example.org`, `b.example.org`, `example.org`. No
 * top-level domain is anybody's zone.
 */
export function possibleZones(domain: string): string[] {
  const labels = domain.replace(/^\*\./, '').split('.')
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
}

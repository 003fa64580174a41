import { z } from 'zod'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { Reply } from '../../outbound/reply.ts'
import type { OutboundRequest } from '../../outbound/sendRequest.ts'
import { jsonObject } from '../../wire/jsonObject.ts'

/** The fields of a profile that its provider needs. */
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

/** A DNS record to set. */
export interface Update {
  settings: ProviderSettings
  /** In ASCII, as name servers know it: `xn--…` for other scripts. */
  domain: string
  record: RecordType
  address: string
}

export type RecordType = 'A' | 'AAAA'

/** Sends a request to the provider with the permissions of the profile's owner. Follows redirects. */
export type CallProvider = (request: Omit<OutboundRequest, 'verifyTls'>) => Promise<Reply>

/** Carries out an update. @throws DdnsError or ApiError with a message for people */
export type Provider = (update: Update, call: CallProvider) => Promise<void>

interface ProviderOptions {
  /** Milliseconds since 1970. */
  now: () => number
  /** Address of the API; by default the provider's own. */
  url?: string
}

export type ProviderFactory = (options: ProviderOptions) => Provider

/** A failed update. The message is for people; it contains the provider's own message if there is one. */
export class DdnsError extends Error {
  /** Whether a retry is useless or even unwelcome: wrong credentials, an unknown name. */
  readonly isFinal: boolean
  /** Whether the provider is called too often, where it says so by other means than the status of its reply. */
  readonly isThrottled: boolean

  constructor(message: string, { isFinal = false, isThrottled = false } = {}) {
    super(message)
    this.isFinal = isFinal
    this.isThrottled = isThrottled
  }
}

/** Results of the DynDNS update protocol for which a retry is useless; repeating them counts as abuse. */
export const finalResults: ReadonlySet<string> = new Set([
  'badauth',
  'nohost',
  'notfqdn',
  'numhost',
  'abuse',
  'badagent',
  '!donator',
  '!yours',
])

/** Reads a JSON object from a reply. @throws DdnsError with the HTTP status when it is not one */
export function readJson(reply: Reply): Values {
  const value = jsonObject(reply.body)
  if (value) return value
  // Probably the HTML error page of a proxy: its status says more than its text.
  throw new DdnsError(`The provider answered ${reply.text} without anything that can be read.`)
}

/** Reads the items of a list in a reply. @throws DdnsError where they are not what the API promises */
export function readList<Item>(list: unknown, item: z.ZodType<Item>): Item[] {
  const { success, data } = z.array(item).safeParse(list)
  if (!success) throw new DdnsError('The provider answered with a list that is not as its API says.')
  return data
}

/**
 * The zones that a domain may belong to, longest first: `a.b.example.org`, `b.example.org`, `example.org`. Top-level
 * domains are left out.
 */
export function possibleZones(domain: string): string[] {
  const labels = domain.replace(/^\*\./, '').split('.')
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
}

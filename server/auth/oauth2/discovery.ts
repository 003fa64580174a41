import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client'
import { TargetNotAllowedError } from '../../outbound/dial.ts'
import { guardedRequest } from '../../outbound/guardedRequest.ts'
import { type OpenidProvider, withoutEndSlash } from '../providers/providers.ts'

/** Milliseconds for which what a provider says of itself is kept, and for which a failure is. */
const keptMs = { good: 600_000, bad: 5000 } as const

/** Seconds for one reply of a provider. */
export const timeoutSeconds = 10

/** Bytes: a token, the keys of a provider, or what it sends about an account. */
const maxReplyBytes = 1024 * 1024

/**
 * The algorithms with which an ID token may be signed. None of them has a secret in common with the provider, so that
 * nobody signs with what is published; `none` is not among them.
 */
const algorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

interface Kept {
  until: number
  metadata: Promise<ServerMetadata>
}

const kept = new WeakMap<OpenidProvider, Kept>()

/**
 * What a provider says of itself, as far as it is used, in the last ten minutes. Its keys are no part of that: they are
 * fetched for each token, so that new ones count at once.
 * @throws Error when the provider does not answer, is somebody else, or names addresses that may not be asked
 */
export async function metadataOf(provider: OpenidProvider): Promise<ServerMetadata> {
  const known = kept.get(provider)
  if (known && known.until > performance.now()) return known.metadata
  const entry: Kept = { until: Number.POSITIVE_INFINITY, metadata: discover(provider) }
  // Strangers start sign-ins: all of them share one request, and one failure.
  kept.set(provider, entry)
  const keepFor = (ms: number) => {
    entry.until = performance.now() + ms
  }
  entry.metadata.then(
    () => keepFor(keptMs.good),
    () => keepFor(keptMs.bad),
  )
  return entry.metadata
}

async function discover(provider: OpenidProvider): Promise<ServerMetadata> {
  const { issuer, clientId } = provider
  const isPlain = issuer.protocol === 'http:'
  const document = new URL(`${withoutEndSlash(issuer)}/.well-known/openid-configuration`)
  const found = await discovery(document, clientId, undefined, undefined, {
    [customFetch]: fetchGuarded(issuer),
    timeout: timeoutSeconds,
    ...(isPlain && { execute: [allowInsecureRequests] }),
  })
  const metadata = found.serverMetadata()
  // The document is at the same address with and without a slash at the end, and people copy that. Nothing else may
  // differ: where one provider answers for all of its tenants, anybody there could be anybody here.
  if (!URL.canParse(metadata.issuer) || withoutEndSlash(new URL(metadata.issuer)) !== withoutEndSlash(issuer)) {
    throw new Error(`${issuer.href} names itself ${JSON.stringify(metadata.issuer)}`)
  }
  function isAllowed(address: unknown): boolean {
    const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
    return url?.protocol === 'https:' || (isPlain && url?.protocol === 'http:')
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (!isAllowed(metadata[name])) throw new Error(`${issuer.href} names no usable address as ${name}`)
  }
  const signed = metadata.id_token_signing_alg_values_supported?.filter((one) => algorithms.includes(one)) ?? ['RS256']
  if (signed.length === 0) throw new Error(`${issuer.href} signs with none of ${algorithms.join(', ')}`)
  return {
    issuer: metadata.issuer,
    authorization_endpoint: metadata.authorization_endpoint,
    token_endpoint: metadata.token_endpoint,
    jwks_uri: metadata.jwks_uri,
    // One that may not be asked is left out: what it would say is a help, not a need.
    ...(isAllowed(metadata.userinfo_endpoint) && { userinfo_endpoint: metadata.userinfo_endpoint }),
    scopes_supported: metadata.scopes_supported,
    claims_supported: metadata.claims_supported,
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported,
    id_token_signing_alg_values_supported: signed,
  }
}

export type Fetch = (
  address: string,
  init: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>

/**
 * Asks a provider in the way of all outbound requests, without following redirects. Addresses in private networks are
 * asked at hosts that an administrator has named, and nowhere that the provider names.
 * @param named the addresses that were entered
 */
export function fetchGuarded(...named: [URL, ...URL[]]): Fetch {
  return async (address, { method, headers, body }) => {
    const { host, origin } = new URL(address)
    const isNamed = named.some((one) => one.host === host)
    const reply = await guardedRequest(
      {
        url: address,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: () => headers,
        ...(body !== undefined && body !== null && { body: String(body) }),
        verifyTls: true,
      },
      {
        allowPrivate: isNamed,
        timeoutMs: timeoutSeconds * 1000,
        maxRedirects: 0,
        maxBodyBytes: maxReplyBytes + 1,
      },
    ).catch((error) => {
      if (isNamed || !(error instanceof TargetNotAllowedError)) throw error
      throw new Error(`${host} has no public address: in a network of its own, only ${named[0].host} is asked`)
    })
    if (Buffer.byteLength(reply.body) > maxReplyBytes) throw new Error(`${origin} sent more than 1 MiB`)
    if (reply.code >= 300 && reply.code < 400) throw new Error(`${origin} redirects, which is not followed`)
    const { 'content-type': type, 'www-authenticate': challenge } = reply.headers
    return new Response(reply.body === '' ? null : reply.body, {
      status: reply.code,
      headers: { ...(type && { 'content-type': type }), ...(challenge && { 'www-authenticate': challenge }) },
    })
  }
}

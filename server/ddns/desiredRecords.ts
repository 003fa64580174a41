import { createHash } from 'node:crypto'
import { roles } from '../../src/schemas/define/access.ts'
import type { Row } from '../entities/row.ts'
import { addressScope } from '../outbound/addressScope.ts'
import { asciiDomain } from './ddnsHooks.ts'
import type { ProviderSettings, RecordType } from './provider.ts'

/** A DDNS profile as it is kept. */
export type Profile = Row &
  ProviderSettings & { domains: string[] | null; max_retries: number; enable_ipv4: boolean; enable_ipv6: boolean }

/** What a machine says of itself; without it, nothing is known of its addresses. */
export interface Addresses {
  ipv4_addr?: string
  ipv6_addr?: string
}

/** A name that is to follow a server. */
export interface Wanted {
  profile: Profile
  serverId: number
  domain: string
  record: RecordType
  /** Where it is to lead; `undefined` while the server has no address of the kind that the provider may be told. */
  address: string | undefined
  /** Why it cannot be updated at all, in words for people. */
  obstacle?: string
}

/**
 * The names that follow a server, each once for a profile. Its list of profiles says which, the profiles or the
 * server's own list say which names.
 */
export function wantedBy(
  server: Row,
  profileOf: (id: number) => Profile | undefined,
  addresses: Addresses,
  roleOf: (id: number) => number | undefined,
): Wanted[] {
  if (!server.enable_ddns) return []
  const ids = new Set((server.ddns_profiles as number[] | null) ?? [])
  return [...ids].flatMap((id) => {
    const profile = profileOf(id)
    if (!profile) return []
    const obstacle = mayUse(server, profile, roleOf)
      ? undefined
      : 'The profile belongs to somebody else than the server.'
    const kinds = recordsOf(profile, addresses)
    return [...new Set(domainsFor(server, profile))].flatMap((name) => {
      const { domain, problem } = readDomain(name)
      return kinds.map((kind) => ({ profile, serverId: server.id, domain, ...kind, obstacle: obstacle ?? problem }))
    })
  })
}

/** Whoever may change a server could put anybody's profile on it, and with that take over somebody's names. */
function mayUse(server: Row, profile: Profile, roleOf: (id: number) => number | undefined): boolean {
  const isAdmins = server.user_id === 0 || roleOf(server.user_id) === roles.admin
  return isAdmins || server.user_id === profile.user_id
}

/** A server's own list takes the place of the profile's. */
function domainsFor(server: Row, profile: Profile): string[] {
  const override = server.override_ddns_domains as Record<string, string[] | null> | null
  const own = override?.[profile.id] ?? []
  return (own.length > 0 ? own : (profile.domains ?? [])).map((domain) => domain.trim()).filter(Boolean)
}

function readDomain(name: string): { domain: string; problem?: string } {
  try {
    return { domain: asciiDomain(name) }
  } catch (error) {
    return { domain: name, problem: (error as Error).message }
  }
}

function recordsOf(profile: Profile, { ipv4_addr, ipv6_addr }: Addresses): Pick<Wanted, 'record' | 'address'>[] {
  const told = (address: string | undefined) => (mayTell(profile.provider, address) ? address : undefined)
  return [
    ...(profile.enable_ipv4 ? [{ record: 'A' as const, address: told(ipv4_addr) }] : []),
    ...(profile.enable_ipv6 ? [{ record: 'AAAA' as const, address: told(ipv6_addr) }] : []),
  ]
}

/**
 * A name that everybody asks for must not lead into a private network; what a webhook makes of it is its own affair.
 */
function mayTell(provider: string, address: string | undefined): boolean {
  if (!address) return false
  const scope = addressScope(address)
  return scope === 'public' || (scope === 'private' && (provider === 'webhook' || provider === 'dummy'))
}

const fingerprints = new WeakMap<Profile, string>()

/** Changes with everything that decides what the provider is told, and says nothing of it. */
export function fingerprintOf(profile: Profile): string {
  const known = fingerprints.get(profile) ?? newFingerprint(profile)
  fingerprints.set(profile, known)
  return known
}

function newFingerprint(profile: Profile): string {
  const { provider, access_id, access_secret } = profile
  const { webhook_url, webhook_method, webhook_request_type, webhook_request_body, webhook_headers } = profile
  const told =
    provider === 'webhook'
      ? [webhook_url, webhook_method, webhook_request_type, webhook_request_body, webhook_headers]
      : []
  const text = JSON.stringify([provider, access_id, access_secret, ...told])
  return createHash('sha256').update(text).digest('base64').slice(0, 22)
}

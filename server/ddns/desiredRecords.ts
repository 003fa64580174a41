import { createHash } from 'node:crypto'
import { errorMessage } from '../../src/domain/errors.ts'
import type { ddns } from '../../src/schemas/ddns.ts'
import { roles } from '../../src/schemas/define/access.ts'
import type { Row, ServerRow } from '../entities/row.ts'
import type { ReportedAddresses } from '../machines/machines.ts'
import { addressScope } from '../outbound/addressScope.ts'
import { mayAct } from '../person.ts'
import { asciiDomain } from './ddnsHooks.ts'
import type { RecordType } from './providers/provider.ts'

/** A DDNS profile in the database. */
export type Profile = Row<typeof ddns>

/** A DNS record as it should be: the name of a profile with the address of a server. */
export interface DesiredRecord {
  profile: Profile
  serverId: number
  domain: string
  record: RecordType
  /** `undefined` while the server has no address of this type that may be sent to the provider. */
  address: string | undefined
  /** Why it cannot be updated at all; a message for people. */
  error?: string
}

/**
 * The DNS records of a server, without duplicates: those of each profile in its list, with the domains of the profile
 * or the server's own ones.
 */
export function desiredRecords(
  server: ServerRow,
  profileOf: (id: number) => Profile | undefined,
  addresses: ReportedAddresses,
  roleOf: (id: number) => number | undefined,
): DesiredRecord[] {
  if (!server.enable_ddns) return []
  const ids = new Set(server.ddns_profiles)
  return [...ids].flatMap((id) => {
    const profile = profileOf(id)
    if (!profile) return []
    const permissionError = !mayAct(profile.user_id, roleOf)
      ? 'The owner of the profile was deleted.'
      : mayUse(server, profile, roleOf)
        ? undefined
        : 'The profile belongs to somebody else than the server.'
    const records = enabledRecords(profile, addresses)
    return [...new Set(domainsOf(server, profile))].flatMap((name) => {
      const { domain, error: domainError } = readDomain(name)
      return records.map((record) => ({
        profile,
        serverId: server.id,
        domain,
        ...record,
        error: permissionError ?? domainError,
      }))
    })
  })
}

/** Without this check, a member could put an administrator's profile on a server and take over its names. */
function mayUse(server: ServerRow, profile: Profile, roleOf: (id: number) => number | undefined): boolean {
  const isOwnerAdmin = server.user_id === 0 || roleOf(server.user_id) === roles.admin
  return isOwnerAdmin || server.user_id === profile.user_id
}

/** A server's own list replaces that of the profile. */
function domainsOf(server: ServerRow, profile: Profile): string[] {
  const own = server.override_ddns_domains?.[profile.id] ?? []
  return (own.length > 0 ? own : profile.domains).map((domain) => domain.trim()).filter(Boolean)
}

function readDomain(name: string): { domain: string; error?: string } {
  try {
    return { domain: asciiDomain(name) }
  } catch (error) {
    return { domain: name, error: errorMessage(error) }
  }
}

function enabledRecords(
  profile: Profile,
  { ipv4_addr, ipv6_addr }: ReportedAddresses,
): Pick<DesiredRecord, 'record' | 'address'>[] {
  const allowedAddress = (address: string | undefined) => (maySend(profile.provider, address) ? address : undefined)
  return [
    ...(profile.enable_ipv4 ? [{ record: 'A' as const, address: allowedAddress(ipv4_addr) }] : []),
    ...(profile.enable_ipv6 ? [{ record: 'AAAA' as const, address: allowedAddress(ipv6_addr) }] : []),
  ]
}

/** Public DNS gets only public addresses; a webhook may be a name server in a private network. */
function maySend(provider: string, address: string | undefined): boolean {
  if (!address) return false
  const scope = addressScope(address)
  return scope === 'public' || (scope === 'private' && (provider === 'webhook' || provider === 'dummy'))
}

const fingerprintCache = new WeakMap<Profile, string>()

/** A hash of all settings that are sent to the provider; it changes when one of them does. */
export function fingerprintOf(profile: Profile): string {
  const fingerprint = fingerprintCache.get(profile) ?? newFingerprint(profile)
  fingerprintCache.set(profile, fingerprint)
  return fingerprint
}

function newFingerprint(profile: Profile): string {
  const { provider, access_id, access_secret } = profile
  const { webhook_url, webhook_method, webhook_request_type, webhook_request_body, webhook_headers } = profile
  const webhookSettings =
    provider === 'webhook'
      ? [webhook_url, webhook_method, webhook_request_type, webhook_request_body, webhook_headers]
      : []
  const text = JSON.stringify([provider, access_id, access_secret, ...webhookSettings])
  return createHash('sha256').update(text).digest('base64').slice(0, 22)
}

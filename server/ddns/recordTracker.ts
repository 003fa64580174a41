import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { errorMessage } from '../../src/domain/errors.ts'
import { ddns } from '../../src/schemas/ddns.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { server as serverEntity } from '../../src/schemas/server.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Row, type ServerRow } from '../entities/entityTable.ts'
import type { Machines, ReportedAddresses } from '../machines/machines.ts'
import { addressScope } from '../outbound/addressScope.ts'
import { mayAct } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import type { RecordType } from './providers/provider.ts'

/** The desired records of one server. */
interface ServerRecords {
  server: ServerRow
  /** Its reported addresses as one text; `undefined` while it is offline. */
  addresses: string | undefined
  records: DesiredRecord[]
}

interface RecordTrackerOptions {
  store: Store
  machines: Machines
  roleOf: (id: number) => number | undefined
  /** Called for each record of a connected server that is new or changed, or whose server has another address. */
  onChecked(record: DesiredRecord): void
  /** Called with all records after servers or profiles have changed. */
  onReplaced(records: readonly DesiredRecord[]): void
}

/** Keeps the desired records of all servers up to date. */
export interface RecordTracker {
  /** Applies changes of servers, profiles and addresses. */
  refresh(): void
  all(): Iterable<Pick<ServerRecords, 'server' | 'records'>>
  /** Stops listening to reports. */
  stop(): void
}

export function createRecordTracker(options: RecordTrackerOptions): RecordTracker {
  const { store, machines, roleOf, onChecked, onReplaced } = options
  const servers = entityTable(store, serverEntity)
  const profiles = entityTable(store, ddns)
  const byServer = new Map<number, ServerRecords>()
  /** Servers whose addresses have changed since `refresh`. */
  const movedServers = new Set<number>()
  let profileById = new Map<number, Profile>()
  const snapshot = createSnapshot([servers, profiles])
  let latest: object | undefined

  // Ten thousand machines report every few seconds, so this only compares a text.
  const stop = machines.onReport((id, { facts }) => {
    const existing = byServer.get(id)
    if (existing && existing.addresses !== addressText(facts.geoip.ip)) movedServers.add(id)
  })

  function rebuild(): void {
    profileById = new Map(profiles.all().map((profile) => [profile.id, profile]))
    byServer.clear()
    for (const server of servers.all()) if (server.enable_ddns) checkServer(server)
    onReplaced([...byServer.values()].flatMap(({ records }) => records))
  }

  function checkServer(server: ServerRow): void {
    const addresses = addressesOf(server)
    const records = desiredRecords(server, (id) => profileById.get(id), addresses ?? {}, roleOf)
    byServer.set(server.id, { server, addresses: addresses && addressText(addresses), records })
    if (addresses) for (const record of records) onChecked(record)
  }

  /** The addresses in the last report of a connected machine. */
  const addressesOf = (server: ServerRow): ReportedAddresses | undefined =>
    machines.connected(server) && machines.wireReport(server).geoip.ip

  return {
    stop,
    all: () => byServer.values(),
    refresh() {
      const current = snapshot()
      if (current !== latest) rebuild()
      latest = current
      for (const id of movedServers) {
        const server = byServer.get(id)?.server
        if (server) checkServer(server)
      }
      movedServers.clear()
    },
  }
}

const addressText = ({ ipv4_addr = '', ipv6_addr = '' }: ReportedAddresses) => `${ipv4_addr} ${ipv6_addr}`

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
function desiredRecords(
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

/** What ends a host name in an address, and so can be no part of one. */
const disallowed = /[\s#%/:<>?@[\\\]^|\p{Cc}]/u

/** The domain as name servers know it: `bücher.example` is `xn--bcher-kva.example`. */
export function asciiDomain(domain: string): string {
  const [rune] = disallowed.exec(domain) ?? []
  if (rune) throw new ApiError(`error parsing ${domain}: idna: disallowed rune U+${codeOf(rune)}`)
  const ascii = domainToASCII(domain)
  if (ascii === '' && domain !== '') throw new ApiError(`error parsing ${domain}: idna: invalid label "${domain}"`)
  return ascii
}

const codeOf = (rune: string) => (rune.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

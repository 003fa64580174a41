import { domainToASCII } from 'node:url'
import { roles } from '../../src/schemas/define/access.ts'
import { nat as entity } from '../../src/schemas/nat.ts'
import { server } from '../../src/schemas/server.ts'
import type { AllowedHosts } from '../auth/addresses/allowedHosts.ts'
import { ownerRolesIn } from '../auth/teams/teams.ts'
import type { User } from '../auth/users/users.ts'
import { createSelector, createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import type { Settings } from '../settings.ts'
import { readSite } from '../site/site.ts'
import { NatError } from './natError.ts'

interface DestinationServices {
  store: Store
  machines: Pick<Machines, 'connected'>
  users: ResidentTable<User>
  /** The host names of the console. */
  hosts: Pick<AllowedHosts, 'isAllowed'>
  settings: Pick<Settings, 'host' | 'publicUrl' | 'allowUnreleasedNames'>
}

/** The target of a forwarded host name. */
export interface Destination {
  /** Of the profile. */
  id: number
  serverId: number
  ownerId: number
  /** `host:port` in the network of the server. */
  target: string
  /** Whether the name still has this target, and the profile's owner may still use the server. */
  isStillValid(): boolean
}

export interface Destinations {
  /** The destination for a `Host` header, by the oldest profile with this name, if it is enabled and released. */
  find(hostHeader: string | undefined): Destination | undefined
  /** @throws NatError when the server is not connected, or the profile's owner may not use it */
  connectedHost(destination: Destination): Host
}

export function createDestinations({ store, machines, users, hosts, settings }: DestinationServices): Destinations {
  const profiles = entityTable(store, entity)
  const servers = entityTable(store, server)
  const roleOf = ownerRolesIn(store)
  const ownHosts = ownHostsOf(settings)
  /** Every request needs it. */
  const profilesByName = createSelector([profiles], (rows): ReadonlyMap<string, Row<typeof entity>> => {
    const byName = new Map<string, Row<typeof entity>>()
    for (const row of rows) {
      const name = hostName(row.domain)
      // Also for a profile that is off: pausing it must not hand its visitors to somebody else.
      if (name && !byName.has(name)) byName.set(name, row)
    }
    return byName
  })

  function profileOf(hostHeader: string | undefined): Row<typeof entity> | undefined {
    if (hostHeader === undefined || profilesByName().size === 0) return undefined
    const name = hostName(hostHeader)
    const profile = profilesByName().get(name)
    if (!profile?.enabled || (profile.awaits_release && !settings.allowUnreleasedNames)) return undefined
    // The profile may have been saved before the console got this name.
    const isConsole = hosts.isAllowed(hostHeader) || reservedNames(store, ownHosts).has(name)
    return isConsole ? undefined : profile
  }

  function mayUse({ ownerId, serverId }: Pick<Destination, 'ownerId' | 'serverId'>): boolean {
    const row = servers.get(serverId)
    const role = roleOf(ownerId)
    return row !== undefined && role !== undefined && (row.user_id === ownerId || role === roles.admin)
  }

  const snapshot = createSnapshot([profiles, servers, users])

  return {
    find(hostHeader) {
      const profile = profileOf(hostHeader)
      if (!profile) return undefined
      const { id, host, server_id, user_id: ownerId } = profile
      const destination = { id, ownerId, serverId: server_id, target: host }
      let checked = snapshot()
      let isValid = true
      return {
        ...destination,
        isStillValid() {
          if (snapshot() === checked) return isValid
          checked = snapshot()
          const current = profileOf(hostHeader)
          isValid =
            current?.id === id && current.host === host && current.server_id === server_id && mayUse(destination)
          return isValid
        },
      }
    },
    connectedHost(destination) {
      const row = servers.get(destination.serverId)
      if (!row || !mayUse(destination)) throw new NatError(502, 'The server behind this name is not there any more.')
      const host = machines.connected(row)
      if (!host) throw new NatError(502, 'The server behind this name is not connected. Try again later.')
      return host
    },
  }
}

/**
 * The host name in a `Host` header or in text that a person entered: without port and brackets, in lower case, and as
 * browsers send it (`bücher.example` is `xn--bcher-kva.example`). '' when there is none.
 */
export function hostName(text: string): string {
  const host = text.trim().toLowerCase()
  const [, bracketed] = /^\[(.*)\](:\d*)?$/.exec(host) ?? []
  if (bracketed !== undefined) return bracketed
  const name = (/^[^:]*:\d*$/.test(host) ? host.slice(0, host.indexOf(':')) : host).replace(/\.$/, '')
  return domainToASCII(name) || name
}

/** The host names of the console. The loopback names always work on this machine. */
export const ownHostsOf = ({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): string[] => [
  'localhost',
  '127.0.0.1',
  '::1',
  host,
  ...(publicUrl ? [publicUrl.host] : []),
]

/**
 * The host names that NAT profiles may not use: those of the console and those reserved in the settings.
 * @param ownHosts see `ownHostsOf`
 */
export function reservedNames(store: Store, ownHosts: readonly string[]): ReadonlySet<string> {
  const { install_host = '', dashboard_host, reserved_hosts } = readSite(store)
  const reserved = String(reserved_hosts ?? '').split(',')
  return new Set([install_host, String(dashboard_host ?? ''), ...reserved, ...ownHosts].map(hostName).filter(Boolean))
}

import { roles } from '../../src/schemas/define/access.ts'
import { nat as entity } from '../../src/schemas/nat.ts'
import { server } from '../../src/schemas/server.ts'
import type { KnownHosts } from '../auth/addresses/allowedHosts.ts'
import type { User } from '../auth/users.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store, Table } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import type { Settings } from '../settings.ts'
import { NatFailure } from './failure.ts'
import { hostName, ownHostsOf, reservedNames } from './hostName.ts'

interface DestinationServices {
  store: Store
  machines: Pick<Machines, 'connected'>
  users: Table<User>
  /** The names by which the console may be called. */
  hosts: Pick<KnownHosts, 'isKnown'>
  settings: Pick<Settings, 'host' | 'publicUrl'>
}

/** Where a host name leads to. */
export interface Destination {
  /** Of the profile that says so. */
  id: number
  serverId: number
  ownerId: number
  /** `host:port` in the network of the server. */
  target: string
  /** Whether the name still leads there, and its owner may still use the server. */
  stillHolds(): boolean
}

export interface Destinations {
  /** The enabled profile of a host header; of several with the same name, the oldest. */
  find(hostHeader: string | undefined): Destination | undefined
  /** @throws NatFailure when the server is away, or not the profile's owner's to use */
  hostOf(destination: Destination): Host
}

export function createDestinations({ store, machines, users, hosts, settings }: DestinationServices): Destinations {
  const profiles = entityTable(store, entity)
  const servers = entityTable(store, server)
  const ownHosts = ownHostsOf(settings)
  let seen: readonly Row[] | undefined
  let byName = new Map<string, Row>()

  /** Asked on every request, so it is made anew only when a profile was written. */
  function names(): ReadonlyMap<string, Row> {
    const rows = cachedRows(profiles)
    if (rows === seen) return byName
    seen = rows
    byName = new Map()
    for (const row of rows) {
      const name = hostName(row.domain as string)
      if (row.enabled && name && !byName.has(name)) byName.set(name, row)
    }
    return byName
  }

  function profileOf(hostHeader: string | undefined): Row | undefined {
    if (hostHeader === undefined || names().size === 0) return undefined
    const name = hostName(hostHeader)
    const profile = names().get(name)
    // It may have been saved before the console got that name.
    const isConsole = profile && (hosts.isKnown(hostHeader) || reservedNames(store, ownHosts).has(name))
    return isConsole ? undefined : profile
  }

  function mayUse({ ownerId, serverId }: Pick<Destination, 'ownerId' | 'serverId'>): boolean {
    const row = servers.get(serverId)
    const owner = users.get(ownerId)
    return row !== undefined && owner !== undefined && (row.user_id === ownerId || owner.role === roles.admin)
  }

  const version = () => [profiles, servers, users].map((table) => table.version()).join(' ')

  return {
    find(hostHeader) {
      const profile = profileOf(hostHeader)
      if (!profile) return undefined
      const { id, host, server_id, user_id: ownerId } = profile
      const there = { id, ownerId, serverId: server_id as number, target: host as string }
      let judgedAt = version()
      let holds = true
      return {
        ...there,
        stillHolds() {
          if (version() === judgedAt) return holds
          judgedAt = version()
          const now = profileOf(hostHeader)
          holds = now?.id === id && now.host === host && now.server_id === server_id && mayUse(there)
          return holds
        },
      }
    },
    hostOf(destination) {
      const row = servers.get(destination.serverId)
      if (!row || !mayUse(destination)) throw new NatFailure(502, 'The server behind this name is not there any more.')
      const host = machines.connected(row)
      if (!host) throw new NatFailure(502, 'The server behind this name is not connected. Try again later.')
      return host
    },
  }
}

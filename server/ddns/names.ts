import { ddns as ddnsEntity } from '../../src/schemas/ddns.ts'
import { server as serverEntity } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Machines } from '../machines/machines.ts'
import { type Addresses, type Profile, type Wanted, wantedBy } from './desiredRecords.ts'

/** A server that names follow. */
interface Followed {
  server: Row
  /** Its addresses as one text; `undefined` while it is offline. */
  told: string | undefined
  wanted: Wanted[]
}

interface NamesOptions {
  store: Store
  machines: Machines
  roleOf: (id: number) => number | undefined
  /** A name of a server that is online, which was configured or whose server has moved since it was last looked at. */
  onWanted(wanted: Wanted): void
  /** Servers or profiles have changed; these are all the names there are now. */
  onListed(wanted: readonly Wanted[]): void
}

/** The names that follow servers, as servers and profiles say. */
export interface Names {
  /** Looks what has changed. */
  look(): void
  all(): Iterable<Pick<Followed, 'server' | 'wanted'>>
  /** Listens to no report any more. */
  stop(): void
}

export function createNames({ store, machines, roleOf, onWanted, onListed }: NamesOptions): Names {
  const servers = entityTable(store, serverEntity)
  const profiles = entityTable(store, ddnsEntity)
  const names = new Map<number, Followed>()
  /** Servers whose addresses are others than they were. */
  const moved = new Set<number>()
  let profileById = new Map<number, Profile>()
  let seen = ''

  // Ten thousand machines report every few seconds: whether it is news is all that is asked then.
  const stop = machines.onReport((id, { facts }) => {
    const known = names.get(id)
    if (known && known.told !== toldBy(facts.geoip.ip)) moved.add(id)
  })

  function list(): void {
    profileById = new Map((cachedRows(profiles) as readonly Profile[]).map((profile) => [profile.id, profile]))
    names.clear()
    for (const server of cachedRows(servers)) if (server.enable_ddns) lookAt(server)
    onListed([...names.values()].flatMap(({ wanted }) => wanted))
  }

  function lookAt(server: Row): void {
    const addresses = addressesOf(server)
    const wanted = wantedBy(server, (id) => profileById.get(id), addresses ?? {}, roleOf)
    names.set(server.id, { server, told: addresses && toldBy(addresses), wanted })
    if (addresses) for (const one of wanted) onWanted(one)
  }

  /** The addresses that an online machine tells of itself. */
  const addressesOf = (server: Row): Addresses | undefined =>
    machines.connected(server) && (machines.wireReport(server).geoip.ip as Addresses)

  return {
    stop,
    all: () => names.values(),
    look() {
      const version = `${servers.version()} ${profiles.version()}`
      if (version !== seen) list()
      seen = version
      for (const id of moved) {
        const server = names.get(id)?.server
        if (server) lookAt(server)
      }
      moved.clear()
    },
  }
}

const toldBy = ({ ipv4_addr = '', ipv6_addr = '' }: Addresses) => `${ipv4_addr} ${ipv6_addr}`

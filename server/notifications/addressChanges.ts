import { server } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import { readSite, type Site } from '../site/site.ts'
import { type Addresses, addressWriter, writeAddresses } from './maskAddress.ts'
import type { Notices } from './notifications.ts'
import { writeBehind } from './writeBehind.ts'

/**
 * Tells of servers whose address has become another one, as the settings of the site ask for it
 * (docs/contract/CONTRACT.md#52-settings).
 */
export interface AddressChanges {
  start(): void
  /** Looks at all servers. The timer does it every few seconds. */
  look(): void
  stop(): void
}

interface Services {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  notices: Notices
  log: Pick<Log, 'error'>
}

type Known = Required<Addresses> & { server_id: number }

const betweenLooksMs = 5000
const families = ['ipv4_addr', 'ipv6_addr'] as const

export function watchAddresses({ store, machines, notices, log }: Services): AddressChanges {
  const servers = entityTable(store, server)
  // Kept, so that a server that moves while this one is down is noticed all the same.
  const columns = [
    { name: 'server_id', type: 'INTEGER', unique: true },
    ...families.map((name) => ({ name, type: 'TEXT', initial: '' }) as const),
  ] as const
  const definition = { name: 'known_address', columns }
  const { saved, save } = keyedRows<Known & { id: number }, number>(store, definition, ({ server_id }) => server_id)
  const known = new Map(saved)
  const changed = new Set<number>()
  const behind = writeBehind(write, (error) => log.error('Addresses of servers cannot be kept:', error))
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    if (changed.size === 0) return
    const present = new Set(cachedRows(servers).map(({ id }) => id))
    for (const id of [...known.keys()].filter((id) => !present.has(id))) {
      known.delete(id)
      changed.add(id)
    }
    save([...changed].map((id) => [id, known.get(id)]))
    changed.clear()
  }

  function lookAt(row: Row): void {
    const told = machines.wireReport(row).geoip.ip as Addresses
    const before = known.get(row.id)
    if (!before) {
      known.set(row.id, { server_id: row.id, ipv4_addr: told.ipv4_addr ?? '', ipv6_addr: told.ipv6_addr ?? '' })
      keep(row.id)
      return
    }
    // An address that is not told was only lost for a moment, as far as anybody knows.
    const others = families.filter((name) => told[name] && told[name] !== before[name])
    if (others.length === 0) return
    const old = Object.fromEntries(others.map((name) => [name, before[name]]))
    const next = Object.fromEntries(others.map((name) => [name, told[name]]))
    known.set(row.id, { ...before, ...next })
    keep(row.id)
    tell(row, old, next)
  }

  function keep(id: number): void {
    changed.add(id)
    behind.soon()
  }

  function tell(row: Row, old: Addresses, next: Addresses): void {
    // The first address of its kind is no change of one.
    const site = readSite(store)
    if (writeAddresses(old, String) === '' || !isTold(site, row.id)) return
    const write = addressWriter(store)
    notices.send({
      groupId: site.ip_change_notification_group_id,
      message: `[IP changed] ${row.name}: ${writeAddresses(old, write)} => ${writeAddresses(next, write)}`,
      serverId: row.id,
    })
  }

  function look(): void {
    for (const row of cachedRows(servers)) if (machines.connected(row)) lookAt(row)
  }

  return {
    look,
    start() {
      timer ??= setInterval(() => {
        try {
          look()
        } catch (error) {
          log.error('Addresses of servers cannot be looked at:', error)
        }
      }, betweenLooksMs).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      behind.now()
    },
  }
}

/** `cover` 1: all but those that are named, 2: only those. */
function isTold(site: Site, id: number): boolean {
  if (!site.enable_ip_change_notification) return false
  const named = (site.ignored_ip_notification_server_ids ?? {}) as Record<string, boolean>
  const isNamed = named[id] === true
  return site.cover === 1 ? !isNamed : site.cover === 2 && isNamed
}

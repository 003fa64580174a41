import { server } from '../../src/schemas/server.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { keyedTable, writeBehind } from '../db/writeBehind.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Machines, ReportedAddresses } from '../machines/machines.ts'
import { type Silences, siteOwner } from '../maintenance/silence.ts'
import { messagesOf } from '../site/messages.ts'
import { readSite, type Site } from '../site/site.ts'
import type { Notifications } from './notifications.ts'
import { addressFormatter, formatAddresses } from './serverText.ts'

/**
 * Sends notifications about servers whose address has changed, where the site's settings say so
 * (docs/contract/CONTRACT.md#52-settings).
 */
export interface AddressChanges {
  start(): void
  /** Compares the addresses of all connected servers. The timer calls it every few seconds. */
  check(): void
  stop(): void
}

interface Services {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  notifications: Pick<Notifications, 'send'>
  /** Default: nothing is silent. */
  silences?: Pick<Silences, 'ofServer'>
  log: Pick<Log, 'error'>
  /** Milliseconds between two comparisons. Default: 5000. */
  checkMs?: number
}

type LastAddresses = Required<ReportedAddresses> & { server_id: number }

const families = ['ipv4_addr', 'ipv6_addr'] as const

/** When thousands of servers are there for the first time, others are served between the parts. */
const rowsPerWrite = 500

export function watchAddressChanges({
  store,
  machines,
  notifications,
  silences,
  log,
  checkMs = 5000,
}: Services): AddressChanges {
  const servers = entityTable(store, server)
  const messages = messagesOf(store)
  // Saved, so that a change during a restart of this server is noticed too.
  const columns = [
    { name: 'server_id', type: 'INTEGER', unique: true },
    ...families.map((name) => ({ name, type: 'TEXT', initial: '' }) as const),
  ] as const
  const definition = { name: 'known_address', columns }
  const { saved, save } = keyedTable<LastAddresses & { id: number }, number>(
    store,
    definition,
    ({ server_id }) => server_id,
  )
  const lastByServer = new Map<number, LastAddresses>(saved())
  const changed = new Set<number>()
  const writer = writeBehind(write, (error) => log.error('Addresses of servers could not be saved:', error), {
    isLeft: () => changed.size > 0,
  })

  function write(): void {
    if (changed.size === 0) return
    const serverIds = new Set(servers.all().map(({ id }) => id))
    for (const id of [...lastByServer.keys()].filter((id) => !serverIds.has(id))) {
      lastByServer.delete(id)
      changed.add(id)
    }
    const part = [...changed].slice(0, rowsPerWrite)
    save(part.map((id) => [id, lastByServer.get(id)]))
    for (const id of part) changed.delete(id)
  }

  function checkServer(row: ServerRow): void {
    const reported = machines.wireReport(row).geoip.ip
    const last = lastByServer.get(row.id)
    // A missing address may come back soon, so it does not count as a change.
    const changedFamilies = families.filter((name) => reported[name] && reported[name] !== last?.[name])
    if (last && changedFamilies.length === 0) return
    // Compared once the silence is over: what has changed by then is sent.
    if (silences?.ofServer(row.id, siteOwner)) return
    if (!last) {
      lastByServer.set(row.id, {
        server_id: row.id,
        ipv4_addr: reported.ipv4_addr ?? '',
        ipv6_addr: reported.ipv6_addr ?? '',
      })
      markChanged(row.id)
      return
    }
    const old = Object.fromEntries(changedFamilies.map((name) => [name, last[name]]))
    const next = Object.fromEntries(changedFamilies.map((name) => [name, reported[name]]))
    lastByServer.set(row.id, { ...last, ...next })
    markChanged(row.id)
    notify(row, old, next)
  }

  function markChanged(id: number): void {
    changed.add(id)
    writer.schedule()
  }

  function notify(row: ServerRow, old: ReportedAddresses, next: ReportedAddresses): void {
    // A first address is not a change.
    const site = readSite(store)
    if (formatAddresses(old, String) === '' || !isNotificationEnabled(site, row.id)) return
    const format = addressFormatter(store)
    notifications.send({
      groupId: site.ip_change_notification_group_id,
      message: messages('address_changed', {
        server: String(row.name),
        before: formatAddresses(old, format),
        after: formatAddresses(next, format),
      }),
      serverId: row.id,
    })
  }

  function check(): void {
    for (const row of servers.all()) if (machines.connected(row)) checkServer(row)
  }

  const checks = repeat(check, {
    intervalMs: checkMs,
    log,
    failure: 'Addresses of servers cannot be looked at:',
  })

  return {
    check,
    start: checks.start,
    stop() {
      checks.stop()
      writer.flush()
    },
  }
}

/** `cover` 1: all servers except the listed ones, 2: only the listed ones. */
function isNotificationEnabled(site: Site, id: number): boolean {
  if (!site.enable_ip_change_notification) return false
  const listed = (site.ignored_ip_notification_server_ids ?? {}) as Record<string, boolean>
  const isListed = listed[id] === true
  return site.cover === 1 ? !isListed : site.cover === 2 && isListed
}

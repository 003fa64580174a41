import { nat as entity } from '../../src/schemas/nat.ts'
import { server } from '../../src/schemas/server.ts'
import { entityTable } from '../db/table.ts'
import { owns } from '../person.ts'
import { Refusal } from '../refusal.ts'
import { readSite } from '../site.ts'
import type { Behaviour, Context } from './behaviour.ts'

/**
 * NAT profiles (CONTRACT 5.10). A host name by which the console itself is reached cannot be given away.
 * @param ownHosts the names this server listens by
 */
export const natBehaviour = (ownHosts: readonly string[]): Behaviour => ({
  missing: (id) => `profile id ${id} does not exist`,
  check(form, context, row) {
    const machine = entityTable(context.store, server).get(form.server_id as number)
    if (!machine) throw new Refusal('have invalid server id')
    if (!owns(context.person, machine)) throw new Refusal('permission denied')
    const domain = form.domain as string
    if (reservedHosts(ownHosts, context).has(hostIn(domain))) throw new Refusal('permission denied')
    const taken = entityTable(context.store, entity).find({ domain })
    if (taken.some(({ id }) => id !== row?.id)) throw new Refusal('database error')
    return form
  },
})

/** The names by which people and agents reach this server, and those that an administrator keeps back. */
function reservedHosts(ownHosts: readonly string[], { store }: Context): ReadonlySet<string> {
  const { install_host = '', dashboard_host, reserved_hosts } = readSite(store)
  const kept = String(reserved_hosts ?? '').split(',')
  const hosts = [install_host, String(dashboard_host ?? ''), ...kept, ...ownHosts].map(hostIn)
  return new Set(hosts.filter(Boolean))
}

/** A host without its port, in small letters. */
function hostIn(text: string): string {
  const host = text.trim().toLowerCase()
  const [, bracketed] = /^\[(.*)\](:\d+)?$/.exec(host) ?? []
  return bracketed ?? (/^[^:]*:\d+$/.test(host) ? host.slice(0, host.indexOf(':')) : host)
}

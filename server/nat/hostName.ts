import { domainToASCII } from 'node:url'
import type { Store } from '../db/store.ts'
import type { Settings } from '../settings.ts'
import { readSite } from '../site/site.ts'

/**
 * The name in a host header, or in what people write for one: without port and brackets, in small letters, and as
 * browsers send it (`bücher.example` is `xn--bcher-kva.example`). '' when there is none.
 */
export function hostName(text: string): string {
  const host = text.trim().toLowerCase()
  const [, bracketed] = /^\[(.*)\](:\d*)?$/.exec(host) ?? []
  if (bracketed !== undefined) return bracketed
  const name = (/^[^:]*:\d*$/.test(host) ? host.slice(0, host.indexOf(':')) : host).replace(/\.$/, '')
  return domainToASCII(name) || name
}

/** The names by which browsers reach the console: on this machine the loopback ones, however it was started. */
export const ownHostsOf = ({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): string[] => [
  ...['localhost', '127.0.0.1', '::1', host],
  ...(publicUrl ? [publicUrl.host] : []),
]

/**
 * The names by which people and agents reach this server, and those that an administrator keeps back.
 * @param ownHosts see `ownHostsOf`
 */
export function reservedNames(store: Store, ownHosts: readonly string[]): ReadonlySet<string> {
  const { install_host = '', dashboard_host, reserved_hosts } = readSite(store)
  const kept = String(reserved_hosts ?? '').split(',')
  return new Set([install_host, String(dashboard_host ?? ''), ...kept, ...ownHosts].map(hostName).filter(Boolean))
}

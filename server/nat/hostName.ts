import { domainToASCII } from 'node:url'
import type { Store } from '../db/store.ts'
import type { Settings } from '../settings.ts'
import { readSite } from '../site/site.ts'

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

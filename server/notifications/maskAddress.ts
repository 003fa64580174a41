import { isIP } from 'node:net'
import type { Store } from '../db/store.ts'
import { readSite } from '../site/site.ts'

/** The addresses of a server, as reports have them. */
export interface Addresses {
  ipv4_addr?: string
  ipv6_addr?: string
}

/** How notices name an address: in full only where the settings of the site say so. */
export const addressWriter = (store: Store): ((address: string) => string) =>
  readSite(store).enable_plain_ip_in_notification ? (address) => address : maskAddress

/** `192.0.2.7` is '192.****.7', `2001:db8::1:2` is '2001:db8:****:1:2': enough to know it again. */
export function maskAddress(address: string): string {
  // Without the zone, and without the prefix that dresses up an IPv4 address as IPv6.
  const bare = address.replace(/%.*$/, '').replace(/^.*:(?=[\d.]+$)(?=.*\.)/, '')
  if (isIP(bare) === 4) return bare.replace(/\..*\./, '.****.')
  if (isIP(bare) !== 6) return address === '' ? '' : '****'
  const groups = groupsOf(bare)
  return [...groups.slice(0, 2), '****', ...groups.slice(-2)].join(':')
}

/** All eight groups, also those that `::` stands for, so that no more is shown of a short spelling. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  if (tail === undefined) return [...head]
  const missing = Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
}

/** Both addresses in one text, as `192.****.7/2001:db8:****:1:2`; '' without any. */
export const writeAddresses = ({ ipv4_addr, ipv6_addr }: Addresses, write: (address: string) => string): string =>
  [ipv4_addr, ipv6_addr].flatMap((address) => (address ? [write(address)] : [])).join('/')

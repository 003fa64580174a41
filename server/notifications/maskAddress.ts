import { isIP } from 'node:net'
import type { Store } from '../db/store.ts'
import { readSite } from '../site/site.ts'

/** The addresses of a server in its report. */
export interface ReportedAddresses {
  ipv4_addr?: string
  ipv6_addr?: string
}

/** How notifications show an address: in full only where the site's settings say so. */
export const addressFormatter = (store: Store): ((address: string) => string) =>
  readSite(store).enable_plain_ip_in_notification ? (address) => address : maskAddress

/** Masks the middle of an address: `192.0.2.7` gives '192.****.7', `2001:db8::1:2` gives '2001:db8:****:1:2'. */
export function maskAddress(address: string): string {
  // Without the zone, and without the prefix of an IPv4-mapped address.
  const plain = address.replace(/%.*$/, '').replace(/^.*:(?=[\d.]+$)(?=.*\.)/, '')
  if (isIP(plain) === 4) return plain.replace(/\..*\./, '.****.')
  if (isIP(plain) !== 6) return address === '' ? '' : '****'
  const groups = groupsOf(plain)
  return [...groups.slice(0, 2), '****', ...groups.slice(-2)].join(':')
}

/** All eight groups, also those that `::` stands for, so that a short notation does not reveal more. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  if (tail === undefined) return [...head]
  const missing = Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
}

/** Both addresses in one text, such as `192.****.7/2001:db8:****:1:2`; '' without any. */
export const formatAddresses = (
  { ipv4_addr, ipv6_addr }: ReportedAddresses,
  format: (address: string) => string,
): string => [ipv4_addr, ipv6_addr].flatMap((address) => (address ? [format(address)] : [])).join('/')

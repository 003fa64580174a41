import { isIP } from 'node:net'

/**
 * One spelling for each IP address: IPv6 in lower case and shortened, without `::ffff:` before an IPv4 address. The zone
 * of a link-local address (`fe80::1%eth0`) stays. Texts that are no address stay as they are.
 */
export function canonicalAddress(text: string): string {
  if (isIP(text) !== 6) return text
  const [address = '', zone] = text.split('%')
  // The rules of URLs for hosts are those of RFC 5952.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  if (high !== undefined && low !== undefined) return toIpv4(Number.parseInt(high, 16), Number.parseInt(low, 16))
  return zone === undefined ? short : `${short}%${zone}`
}

/**
 * What failures are counted for: an IPv4 address, or the /64 network of an IPv6 address, all of which a single client
 * can usually use. `::1` and texts that are no address stay as they are.
 * @example addressGroup('2001:db8:0:7:a::1') // '2001:db8:0:7::/64'
 */
export function addressGroup(text: string): string {
  const address = canonicalAddress(text.replace(/\/64$/, ''))
  if (isIP(address) !== 6 || address === '::1') return address
  const [ip = '', zone] = address.split('%')
  const groups = expand(ip).slice(0, 4)
  const network = canonicalAddress(`${groups.join(':')}::`)
  return `${network}${zone === undefined ? '' : `%${zone}`}/64`
}

/** The first bits of an address, as a text that is the same for addresses that have them in common. @param bits a multiple of 8, of 16 for IPv6 */
export function addressPrefix(text: string, bits: number): string {
  const address = canonicalAddress(text)
  if (isIP(address) !== 6)
    return address
      .split('.')
      .slice(0, bits / 8)
      .join('.')
  const [ip = ''] = address.split('%')
  return expand(ip)
    .slice(0, bits / 16)
    .join(':')
}

const toIpv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** The eight groups of a canonical IPv6 address. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const split = (part: string) => (part === '' ? [] : part.split(':'))
  if (tail === undefined) return split(head)
  const zeros = 8 - split(head).length - split(tail).length
  return [...split(head), ...Array.from({ length: zeros }, () => '0'), ...split(tail)]
}

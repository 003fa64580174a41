import { BlockList, isIP } from 'node:net'

type Net = readonly [address: string, prefix: number]

/** Where a cloud tells a machine its own secrets, and what is no single machine: nobody's target. */
const never: readonly Net[] = [
  ['0.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:42::42', 128],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['ff00::', 8],
]

/** Loopback, private, shared, documentation and reserved networks: what lies behind this server. */
const inside: readonly Net[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['240.0.0.0', 4],
  ['::1', 128],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fec0::', 10],
]

/** Ways to write an IPv4 address as IPv6; a router on the way may turn them back: NAT64, 6to4, Teredo. */
const disguised: readonly Net[] = [
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
]

const forNobody = listOf([...never, ...disguised])
// The oldest disguise, ::10.0.0.1, begins right behind ::1.
forNobody.addRange('::2', '::ffff:ffff', 'ipv6')
const behindUs = listOf(inside)

/** `inside` lies behind this server; `nobody` is where clouds hand out secrets, or no address of one machine. */
export type Place = 'outside' | 'inside' | 'nobody'

/** Where an IP address, in any spelling, lies. What is no address is nobody's. */
export function placeOf(address: string): Place {
  // A zone, as in fe80::1%eth0, says by which interface; the lists are about the address.
  const bare = address.replace(/%.*$/, '')
  // BlockList takes an IPv4 address in IPv6 spelling, ::ffff:10.0.0.1, for what it is.
  const family = isIP(bare) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(bare) === 0 || forNobody.check(bare, family)) return 'nobody'
  return behindUs.check(bare, family) ? 'inside' : 'outside'
}

function listOf(nets: readonly Net[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of nets) list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}

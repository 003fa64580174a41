import { BlockList, isIP } from 'node:net'

type Subnet = readonly [address: string, prefix: number]

/** Never called, not even for administrators: metadata services of clouds, link-local, broadcast and multicast. */
const forbidden: readonly Subnet[] = [
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

/** Loopback, private, shared, documentation and reserved networks. */
const privateSubnets: readonly Subnet[] = [
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

/** IPv6 addresses that contain an IPv4 address, to which a router may translate them back: NAT64, 6to4, Teredo. */
const embeddedIpv4: readonly Subnet[] = [
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
]

const forbiddenList = blockListOf([...forbidden, ...embeddedIpv4])
// The deprecated form ::10.0.0.1 also contains an IPv4 address. The range starts right after ::1.
forbiddenList.addRange('::2', '::ffff:ffff', 'ipv6')
const privateList = blockListOf(privateSubnets)

/** `forbidden`: metadata services of clouds, and addresses that are not those of a single machine. */
export type AddressScope = 'public' | 'private' | 'forbidden'

/** The scope of an IP address in any notation. Text that is not an address is `forbidden`. */
export function addressScope(address: string): AddressScope {
  // A zone, as in fe80::1%eth0, names the network interface and is not part of the address.
  const withoutZone = address.replace(/%.*$/, '')
  // BlockList treats an IPv4-mapped address, ::ffff:10.0.0.1, as the IPv4 address.
  const family = isIP(withoutZone) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(withoutZone) === 0 || forbiddenList.check(withoutZone, family)) return 'forbidden'
  return privateList.check(withoutZone, family) ? 'private' : 'public'
}

function blockListOf(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}

import { BlockList, isIP } from 'node:net'

type Net = readonly [address: string, prefix: number]

/** Where a cloud tells a machine its own secrets, and what is no single machine: nobody's target. */
const never: readonly Net[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
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
]

/** Ways to write an IPv4 address as IPv6; a router on the way may turn them back: NAT64, 6to4, Teredo. */
const disguised: readonly Net[] = [
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
]

const forNobody = listOf([...never, ...disguised])
const forAdmins = listOf(inside)

/**
 * Whether somebody may have this server call an address. Members reach the open internet only; admins also what lies
 * behind the server; the addresses where clouds hand out secrets are nobody's.
 */
export function isAllowedTarget(address: string, isAdmin: boolean): boolean {
  // BlockList takes an IPv4 address in IPv6 spelling, ::ffff:10.0.0.1, for what it is.
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || forNobody.check(address, family)) return false
  return isAdmin || !forAdmins.check(address, family)
}

function listOf(nets: readonly Net[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of nets) list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}

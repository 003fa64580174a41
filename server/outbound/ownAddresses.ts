import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** How long the addresses are remembered: many checks may come at once, and reading them takes a system call for each. */
const freshMs = 1000

let list = new BlockList()
let readAt = Number.NEGATIVE_INFINITY

/**
 * Whether an address is one of this machine's own, public ones too: what listens on it may rely on nobody else coming
 * from here. The interfaces are read again after a second, so that a new address counts.
 * @param address an IP address in any notation
 */
export function isOwnAddress(address: string): boolean {
  if (performance.now() - readAt >= freshMs) {
    readAt = performance.now()
    list = ownAddresses()
  }
  const ip = withoutZone(address)
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

function ownAddresses(): BlockList {
  const own = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    const ip = withoutZone(address)
    own.addAddress(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  }
  return own
}

const withoutZone = (address: string) => address.replace(/%.*$/, '')

import type { NetworkInterfaceInfo } from 'node:os'
import { addressScope } from '../../../../outbound/addressScope.ts'
import type { HostAddresses } from '../../host.ts'

/** Interfaces with traffic inside the machine, or with traffic that a physical interface counts too. */
const VIRTUAL =
  /^(lo\d*$|veth|docker|br-|virbr|vmbr|vnet|tun|tap|utun|kube|cni|cali|flannel|cilium|lxc|lxd|fwbr|fwpr|fwln|ifb|dummy|wg|tailscale|zt|gif|stf|awdl|llw|anpi|bridge|sit|Loopback|vEthernet)/

/**
 * Chooses the interfaces to count: those with traffic that leaves the machine. If there is hardware, only hardware
 * counts, because bytes of a bond, bridge or VLAN would count twice. In a container there is none; then all interfaces
 * count that do not have the name of a virtual one.
 */
export function countedInterfaces(names: Iterable<string>, isHardware: (name: string) => boolean): Set<string> {
  const external = [...names].filter((name) => !VIRTUAL.test(name))
  const hardware = external.filter(isHardware)
  return new Set(hardware.length > 0 ? hardware : external)
}

/**
 * The machine's own IPv4 and IPv6 address: the first public one of its external interfaces, else the first one. No
 * service on the internet is asked.
 */
export function ownAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): HostAddresses {
  const external = countedInterfaces(Object.keys(interfaces), () => false)
  const addresses = [...external].flatMap((name) => interfaces[name] ?? []).filter((address) => !address.internal)
  const ipv4 = preferPublic(
    addresses.filter(({ family, address }) => family === 'IPv4' && !address.startsWith('169.254.')),
  )
  const ipv6 = preferPublic(addresses.filter(({ family, address }) => family === 'IPv6' && !/^fe[89ab]/i.test(address)))
  return {
    ip: { ...(ipv4 && { ipv4_addr: ipv4.address }), ...(ipv6 && { ipv6_addr: ipv6.address }) },
  }
}

const preferPublic = (addresses: NetworkInterfaceInfo[]) =>
  addresses.find(({ address }) => addressScope(address) === 'public') ?? addresses[0]

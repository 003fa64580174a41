import type { NetworkInterfaceInfo } from 'node:os'
import { addressScope } from '../../../../outbound/addressScope.ts'
import type { HostAddresses } from '../../host.ts'

/** Names of interfaces whose traffic stays inside the machine, or is counted again on the interface that carries it. */
const INNER =
  /^(lo\d*$|veth|docker|br-|virbr|vmbr|vnet|tun|tap|utun|kube|cni|cali|flannel|cilium|lxc|lxd|fwbr|fwpr|fwln|ifb|dummy|wg|tailscale|zt|gif|stf|awdl|llw|anpi|bridge|sit|Loopback|vEthernet)/

/**
 * Picks the interfaces whose traffic is the machine's traffic with the outside.
 * When hardware is known, only hardware counts, or a bond, bridge or VLAN would count its bytes twice. In a container
 * no interface is hardware: then the names decide.
 */
export function countedInterfaces(names: Iterable<string>, isHardware: (name: string) => boolean): Set<string> {
  const outer = [...names].filter((name) => !INNER.test(name))
  const hardware = outer.filter(isHardware)
  return new Set(hardware.length > 0 ? hardware : outer)
}

/**
 * The address of each family that others can reach the machine by, over its outer interfaces: the first that everybody
 * can use, else the first. Nobody is asked what the machine looks like from outside.
 */
export function ownAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): HostAddresses {
  const outer = countedInterfaces(Object.keys(interfaces), () => false)
  const addresses = [...outer].flatMap((name) => interfaces[name] ?? []).filter((address) => !address.internal)
  const ipv4 = best(addresses.filter(({ family, address }) => family === 'IPv4' && !address.startsWith('169.254.')))
  const ipv6 = best(addresses.filter(({ family, address }) => family === 'IPv6' && !/^fe[89ab]/i.test(address)))
  return {
    ip: { ...(ipv4 && { ipv4_addr: ipv4.address }), ...(ipv6 && { ipv6_addr: ipv6.address }) },
  }
}

const best = (addresses: NetworkInterfaceInfo[]) =>
  addresses.find(({ address }) => addressScope(address) === 'public') ?? addresses[0]

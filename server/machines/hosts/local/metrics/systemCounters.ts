import type { NetworkInterfaceInfo } from 'node:os'
import { addressScope } from '../../../../outbound/addressScope.ts'
import type { HostAddresses } from '../../host.ts'

/**
 * Counters of the system at one moment. Times and traffic are totals since boot, because rates need two readings.
 * What could not be read is 0.
 */
export interface SystemCounters {
  /** Milliseconds of a monotonic clock. */
  at: number
  cpu: CpuTimes
  /** Bytes. */
  memory: { total: number; used: number; swapTotal: number; swapUsed: number }
  network: NetworkCounters
  /** Over 1, 5 and 15 minutes. */
  load: [number, number, number]
  /** Seconds. */
  uptime: number
  /** Seconds since 1970. */
  bootTime: number
  /** TCP sockets in use. */
  tcp: number
  /** UDP sockets in use. */
  udp: number
  processes: number
}

/** Time used by all processors since boot, in any unit. */
export interface CpuTimes {
  busy: number
  total: number
}

export interface NetworkCounters {
  /** Milliseconds of the same clock. Outside Linux the network is read less often than the rest. */
  at: number
  /** Bytes since boot, by interface. */
  interfaces: ReadonlyMap<string, { received: number; sent: number }>
}

/** @throws Error when nothing at all could be read */
export type CounterReader = () => SystemCounters

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

export interface Rates {
  /** Percent, 0 to 100. */
  cpu: number
  /** Bytes per second. */
  received: number
  /** Bytes per second. */
  sent: number
}

/** The kernel counts processor time in steps of 10 ms, so that a shorter span would be too inaccurate. */
export const MIN_SPAN_MS = 250

/**
 * Returns a function that calculates rates since the previous counters. Counters less than MIN_SPAN_MS after the
 * previous ones are skipped: the last rates are returned.
 */
export function createRates(): (counters: SystemCounters) => Rates {
  let cpuBase: Pick<SystemCounters, 'at' | 'cpu'> | undefined
  let networkBase: NetworkCounters | undefined
  const rates: Rates = { cpu: 0, received: 0, sent: 0 }
  return (counters) => {
    if (!cpuBase || counters.at - cpuBase.at >= MIN_SPAN_MS) {
      if (cpuBase) rates.cpu = cpuPercent(cpuBase.cpu, counters.cpu)
      cpuBase = counters
    }
    if (!networkBase || counters.network.at - networkBase.at >= MIN_SPAN_MS) {
      if (networkBase) Object.assign(rates, networkSpeeds(networkBase, counters.network))
      networkBase = counters.network
    }
    return { ...rates }
  }
}

/** Processor use in percent; 0 when no time has passed or the counters went backwards, as after a resume. */
export function cpuPercent(earlier: CpuTimes, later: CpuTimes): number {
  const total = later.total - earlier.total
  if (total <= 0) return 0
  return Math.min(100, Math.max(0, (100 * (later.busy - earlier.busy)) / total))
}

/**
 * Bytes per second, rounded. Calculated per interface: one that appears, disappears or resets its counters adds 0,
 * where the difference of sums would be a peak or a negative speed.
 */
export function networkSpeeds(earlier: NetworkCounters, later: NetworkCounters): { received: number; sent: number } {
  const seconds = (later.at - earlier.at) / 1000
  if (seconds <= 0) return { received: 0, sent: 0 }
  let received = 0
  let sent = 0
  for (const [name, now] of later.interfaces) {
    const before = earlier.interfaces.get(name)
    if (!before) continue
    received += Math.max(0, now.received - before.received)
    sent += Math.max(0, now.sent - before.sent)
  }
  return { received: Math.round(received / seconds), sent: Math.round(sent / seconds) }
}

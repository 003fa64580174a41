import { isIP } from 'node:net'
import type { Store } from '../db/store.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import type { ReportedAddresses, WireReport } from '../machines/machines.ts'
import type { Messages } from '../site/messages.ts'
import { readSite } from '../site/site.ts'
import type { Placeholders } from './notifierRequest.ts'

/**
 * Placeholders about a server (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands): name, addresses, and
 * the metrics of its last report. While it is offline, the metrics are 0 and the addresses empty. A metric of which
 * nothing true is known is a dash where it would have a unit, else `null`, which fits into a body of JSON.
 * @param withUnits whether to format metrics for people, `12.34 %`; else as plain numbers
 */
export function serverPlaceholders(
  { id, name }: ServerRow,
  report: WireReport | undefined,
  withUnits: boolean,
): Placeholders {
  const missing = new Set<string>(report?.missing)
  const state = numberReader(report?.state, missing)
  const host = (name: string) => numberReader(report?.host)(name) ?? 0
  const addresses: ReportedAddresses = report?.geoip.ip ?? {}
  const { ipv4_addr: ipv4 = '', ipv6_addr: ipv6 = '' } = addresses
  const formatted = (
    value: number | undefined,
    withUnit: (known: number) => string,
    plain: (known: number) => string,
  ) => {
    if (value === undefined) return withUnits ? '–' : 'null'
    return (withUnits ? withUnit : plain)(value)
  }
  const ratio = (name: string, total: number) => {
    const share = (used: number) => (total > 0 ? used / total : 0)
    const plain = (used: number) => String(Math.round(share(used) * 1e6) / 1e6)
    return formatted(state(name), (used) => formatPercent(share(used) * 100), plain)
  }
  const size = (name: string) => formatted(state(name), formatBytes, String)
  const speed = (name: string) => formatted(state(name), (bytes) => `${formatBytes(bytes)}/s`, String)
  const raw = (name: string) => String(state(name) ?? null)
  const float = (name: string) => state(name)?.toFixed(6) ?? 'null'
  return {
    'SERVER.NAME': String(name ?? ''),
    'SERVER.ID': String(id),
    'SERVER.IP': ipv4 || ipv6,
    'SERVER.IPV4': ipv4,
    'SERVER.IPV6': ipv6,
    'SERVER.CPU': formatted(state('cpu'), formatPercent, formatFloat),
    'SERVER.MEM': ratio('mem_used', host('mem_total')),
    'SERVER.SWAP': ratio('swap_used', host('swap_total')),
    'SERVER.DISK': ratio('disk_used', host('disk_total')),
    'SERVER.SPEEDIN': speed('net_in_speed'),
    'SERVER.SPEEDOUT': speed('net_out_speed'),
    'SERVER.TRANSFERIN': size('net_in_transfer'),
    'SERVER.TRANSFEROUT': size('net_out_transfer'),
    'SERVER.CPUUSED': float('cpu'),
    'SERVER.MEMUSED': raw('mem_used'),
    'SERVER.SWAPUSED': raw('swap_used'),
    'SERVER.DISKUSED': raw('disk_used'),
    'SERVER.MEMTOTAL': String(host('mem_total')),
    'SERVER.SWAPTOTAL': String(host('swap_total')),
    'SERVER.DISKTOTAL': String(host('disk_total')),
    'SERVER.NETINSPEED': raw('net_in_speed'),
    'SERVER.NETOUTSPEED': raw('net_out_speed'),
    'SERVER.NETINTRANSFER': raw('net_in_transfer'),
    'SERVER.NETOUTTRANSFER': raw('net_out_transfer'),
    'SERVER.LOAD1': float('load_1'),
    'SERVER.LOAD5': float('load_5'),
    'SERVER.LOAD15': float('load_15'),
    'SERVER.TCPCONNCOUNT': raw('tcp_conn_count'),
    'SERVER.UDPCONNCOUNT': raw('udp_conn_count'),
  }
}

/** Reports leave out metrics that are 0, and those of which nothing true is known. @param missing the names of the latter */
const numberReader =
  (report: object = {}, missing: ReadonlySet<string> = new Set()) =>
  (name: string): number | undefined => {
    const value: unknown = Reflect.get(report, name)
    if (missing.has(name)) return undefined
    return typeof value === 'number' ? value : 0
  }

/** The format of real servers: `0.000000`. */
const formatFloat = (value: number) => value.toFixed(6)

const formatPercent = (value: number) => `${value.toFixed(2)} %`

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** `1503238553` gives '1.40 GiB'. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let power = 0
  while (power < units.length - 1 && value >= 1023.995) {
    value /= 1024
    power++
  }
  return `${power === 0 ? value : value.toFixed(2)} ${units[power]}`
}

interface AlarmMessage {
  key: 'alarm_began' | 'alarm_ended'
  server: ServerRow
  /** As notifications show it; '' for none. */
  address: string
  /** The name of the rule. */
  rule: string
}

/** The first line of a notification about an alarm. */
export const alarmMessage = (messages: Messages, { key, server, address, rule }: AlarmMessage): string =>
  messages(key, { server: `${server.name}${address && `(${address})`}`, rule })

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

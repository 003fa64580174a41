import type { Row } from '../entities/row.ts'
import type { WireReport } from '../machines/machines.ts'
import type { Placeholders } from './notifierRequest.ts'

/**
 * Placeholders about a server (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands): name, addresses, and
 * the metrics of its last report. While it is offline, the metrics are 0 and the addresses empty.
 * @param withUnits whether to format metrics for people, `12.34 %`; else as plain numbers
 */
export function serverPlaceholders(
  { id, name }: Row,
  report: WireReport | undefined,
  withUnits: boolean,
): Placeholders {
  const state = numberReader(report?.state)
  const host = numberReader(report?.host)
  const { ipv4_addr: ipv4 = '', ipv6_addr: ipv6 = '' } = (report?.geoip.ip ?? {}) as Record<string, string>
  const ratio = (used: number, all: number) => {
    const part = all > 0 ? used / all : 0
    return withUnits ? formatPercent(part * 100) : String(Math.round(part * 1e6) / 1e6)
  }
  const size = (bytes: number) => (withUnits ? formatBytes(bytes) : String(bytes))
  const speed = (bytes: number) => (withUnits ? `${formatBytes(bytes)}/s` : String(bytes))
  const raw = (name: string) => String(state(name))
  return {
    'SERVER.NAME': String(name ?? ''),
    'SERVER.ID': String(id),
    'SERVER.IP': ipv4 || ipv6,
    'SERVER.IPV4': ipv4,
    'SERVER.IPV6': ipv6,
    'SERVER.CPU': withUnits ? formatPercent(state('cpu')) : formatFloat(state('cpu')),
    'SERVER.MEM': ratio(state('mem_used'), host('mem_total')),
    'SERVER.SWAP': ratio(state('swap_used'), host('swap_total')),
    'SERVER.DISK': ratio(state('disk_used'), host('disk_total')),
    'SERVER.SPEEDIN': speed(state('net_in_speed')),
    'SERVER.SPEEDOUT': speed(state('net_out_speed')),
    'SERVER.TRANSFERIN': size(state('net_in_transfer')),
    'SERVER.TRANSFEROUT': size(state('net_out_transfer')),
    'SERVER.CPUUSED': formatFloat(state('cpu')),
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
    'SERVER.LOAD1': formatFloat(state('load_1')),
    'SERVER.LOAD5': formatFloat(state('load_5')),
    'SERVER.LOAD15': formatFloat(state('load_15')),
    'SERVER.TCPCONNCOUNT': raw('tcp_conn_count'),
    'SERVER.UDPCONNCOUNT': raw('udp_conn_count'),
  }
}

/** Reports leave out metrics that are 0. */
const numberReader =
  (report: object = {}) =>
  (name: string): number => {
    const value = (report as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'number' ? value : 0
  }

/** The format of real servers: `0.000000`. */
const formatFloat = (value: number) => value.toFixed(6)

const formatPercent = (value: number) => `${value.toFixed(2)} %`

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** `1503238553` gives '1.40 GiB'. */
function formatBytes(bytes: number): string {
  let value = bytes
  let power = 0
  while (power < units.length - 1 && value >= 1023.995) {
    value /= 1024
    power++
  }
  return `${power === 0 ? value : value.toFixed(2)} ${units[power]}`
}

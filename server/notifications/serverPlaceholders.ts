import type { Row } from '../entities/row.ts'
import type { WireReport } from '../machines/machines.ts'
import type { Placeholders } from './notifierRequest.ts'

/**
 * What a notice about a server has beside its message
 * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands): name and addresses, and the figures that the
 * server told last. While it is offline the figures are 0 and the addresses empty.
 * @param withUnits figures for people, `12.34 %`; else plain numbers, for programs
 */
export function serverPlaceholders(
  { id, name }: Row,
  report: WireReport | undefined,
  withUnits: boolean,
): Placeholders {
  const figure = figuresOf(report?.state)
  const total = figuresOf(report?.host)
  const { ipv4_addr: ipv4 = '', ipv6_addr: ipv6 = '' } = (report?.geoip.ip ?? {}) as Record<string, string>
  const share = (used: number, all: number) => {
    const part = all > 0 ? used / all : 0
    return withUnits ? percent(part * 100) : String(Math.round(part * 1e6) / 1e6)
  }
  const size = (bytes: number) => (withUnits ? withUnit(bytes) : String(bytes))
  const speed = (bytes: number) => (withUnits ? `${withUnit(bytes)}/s` : String(bytes))
  const raw = (name: string) => String(figure(name))
  return {
    'SERVER.NAME': String(name ?? ''),
    'SERVER.ID': String(id),
    'SERVER.IP': ipv4 || ipv6,
    'SERVER.IPV4': ipv4,
    'SERVER.IPV6': ipv6,
    'SERVER.CPU': withUnits ? percent(figure('cpu')) : float(figure('cpu')),
    'SERVER.MEM': share(figure('mem_used'), total('mem_total')),
    'SERVER.SWAP': share(figure('swap_used'), total('swap_total')),
    'SERVER.DISK': share(figure('disk_used'), total('disk_total')),
    'SERVER.SPEEDIN': speed(figure('net_in_speed')),
    'SERVER.SPEEDOUT': speed(figure('net_out_speed')),
    'SERVER.TRANSFERIN': size(figure('net_in_transfer')),
    'SERVER.TRANSFEROUT': size(figure('net_out_transfer')),
    'SERVER.CPUUSED': float(figure('cpu')),
    'SERVER.MEMUSED': raw('mem_used'),
    'SERVER.SWAPUSED': raw('swap_used'),
    'SERVER.DISKUSED': raw('disk_used'),
    'SERVER.MEMTOTAL': String(total('mem_total')),
    'SERVER.SWAPTOTAL': String(total('swap_total')),
    'SERVER.DISKTOTAL': String(total('disk_total')),
    'SERVER.NETINSPEED': raw('net_in_speed'),
    'SERVER.NETOUTSPEED': raw('net_out_speed'),
    'SERVER.NETINTRANSFER': raw('net_in_transfer'),
    'SERVER.NETOUTTRANSFER': raw('net_out_transfer'),
    'SERVER.LOAD1': float(figure('load_1')),
    'SERVER.LOAD5': float(figure('load_5')),
    'SERVER.LOAD15': float(figure('load_15')),
    'SERVER.TCPCONNCOUNT': raw('tcp_conn_count'),
    'SERVER.UDPCONNCOUNT': raw('udp_conn_count'),
  }
}

/** Reports leave out what is 0. */
const figuresOf =
  (told: object = {}) =>
  (name: string): number => {
    const value = (told as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'number' ? value : 0
  }

/** As real servers write such numbers: `0.000000`. */
const float = (value: number) => value.toFixed(6)

const percent = (value: number) => `${value.toFixed(2)} %`

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** `1503238553` is '1.40 GiB'. */
function withUnit(bytes: number): string {
  let value = bytes
  let power = 0
  while (power < units.length - 1 && value >= 1023.995) {
    value /= 1024
    power++
  }
  return `${power === 0 ? value : value.toFixed(2)} ${units[power]}`
}

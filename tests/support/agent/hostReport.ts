import type { HostMessage, StateMessage } from './agentMessages.ts'

/** When this process began stands for the boot of its machine. Seconds since 1970. */
const bootTime = Math.floor(Date.now() / 1000) - 3600

/** A small Debian machine, as in the recordings. */
export function defaultHost(): HostMessage {
  return {
    platform: 'debian',
    platform_version: '12.11',
    cpu: ['AMD EPYC 2 Virtual Core'],
    mem_total: 25_276_510_208,
    disk_total: 270_553_174_016,
    arch: 'x86_64',
    virtualization: 'docker',
    boot_time: bootTime,
  }
}

/** Metrics that move a little from report to report. */
export function defaultState(count: number): StateMessage {
  return {
    cpu: 5 + (count % 40),
    mem_used: 5_222_850_560 + count * 4096,
    disk_used: 23_627_968_512,
    net_in_transfer: 1_000_000 + count * 2000,
    net_out_transfer: 500_000 + count * 1000,
    net_in_speed: count === 0 ? 0 : 1000,
    net_out_speed: count === 0 ? 0 : 500,
    uptime: Math.floor(Date.now() / 1000) - bootTime,
    load1: 0.5,
    load5: 0.4,
    load15: 0.3,
    tcp_conn_count: 47,
    udp_conn_count: 3,
    process_count: 127,
  }
}

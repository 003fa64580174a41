import { randomUUID } from 'node:crypto'
import type { HostDetails, HostState } from '../../server/machines/hosts/host.ts'
import { createTestHost, type TestHost } from '../../tests/support/server/testHost.ts'
import { randomlyFrom } from '../seed/random.ts'

interface Member {
  name: string
  system: readonly [platform: string, version: string]
  processor: string
  cores: number
  /** Of memory and of disk, in GiB. */
  memory: number
  disk: number
  /** Percent in use. */
  usage: { cpu: number; memory: number; disk: number }
  /** Bytes per second, received and sent. */
  speeds: readonly [number, number]
  days: number
  isOffline?: boolean
}

const epyc = 'AMD EPYC 9354'
const xeon = 'Intel(R) Xeon(R) Gold 6430'
const debian = ['debian', '13.1'] as const
const ubuntu = ['ubuntu', '24.04'] as const
const alpine = ['alpine', '3.22'] as const

/** A small company's machines on an ordinary afternoon: one disk nearly full, one machine away. */
const members: readonly Member[] = [
  machine('web-ams-1', debian, epyc, [8, 16, 160], [34, 58, 41], [2_400_000, 9_800_000], 61),
  machine('web-ams-2', debian, epyc, [8, 16, 160], [29, 55, 40], [2_100_000, 8_700_000], 61),
  machine('web-fra-1', debian, xeon, [8, 16, 160], [41, 63, 44], [3_000_000, 11_200_000], 18),
  machine('db-ams-1', ubuntu, epyc, [32, 128, 1920], [57, 81, 68], [6_400_000, 4_100_000], 143),
  machine('db-fra-1', ubuntu, xeon, [32, 128, 1920], [22, 76, 92], [3_900_000, 900_000], 143),
  machine('cache-ams-1', alpine, epyc, [4, 32, 40], [12, 87, 21], [1_200_000, 1_900_000], 204),
  machine('proxy-sin-1', alpine, 'Ampere Altra', [2, 4, 20], [8, 37, 33], [640_000, 720_000], 97),
  machine('proxy-iad-1', alpine, xeon, [2, 4, 20], [11, 41, 35], [810_000, 930_000], 97),
  machine('build-waw-1', ubuntu, epyc, [16, 64, 640], [94, 71, 77], [14_000_000, 3_000_000], 5),
  machine('mail-mil-1', debian, xeon, [2, 8, 320], [5, 44, 59], [48_000, 61_000], 212),
  machine('backup-par-1', debian, xeon, [4, 8, 3840], [3, 18, 84], [18_000_000, 25_000], 33),
  { ...machine('lab-tyo-1', ubuntu, 'Ampere Altra', [4, 8, 80], [0, 0, 26], [0, 0], 2), isOffline: true },
]

/** Groups by the beginnings of their members' names. */
export const groups = { Web: ['web-', 'proxy-'], Databases: ['db-', 'cache-'], Inside: ['build-', 'mail-', 'backup-'] }

const gibibyte = 2 ** 30
const everyMs = 2000
/** How long an offline machine has been away, in seconds. */
const away = 3 * 3600 + 240

/** Hosts that report every two seconds, each time something a little different. */
export function reportingFleet(): { hosts: TestHost[]; stop: () => void } {
  const machines = members.map((member) => ({
    member,
    details: detailsOf(member),
    host: createTestHost({ uuid: randomUUID(), name: member.name }),
    transfer: [member.days * 41 * gibibyte, member.days * 87 * gibibyte] as [number, number],
  }))
  const random = randomlyFrom(12)
  /** The value, up to a tenth more or less. */
  const about = (value: number) => value * (0.9 + random.whole(201) / 1000)
  const report = () => {
    for (const { member, details, host, transfer } of machines) {
      const [received, sent] = member.speeds.map(about) as [number, number]
      transfer[0] += received * 2
      transfer[1] += sent * 2
      host.report({
        host: details,
        ip: { ipv4_addr: addressOf(member) },
        state: stateOf(member, { received, sent, transfer, about }),
        at: new Date(Date.now() - (member.isOffline ? away * 1000 : 0)),
      })
    }
  }
  // The server starts to listen to the hosts after this returns.
  const first = setTimeout(report, 0)
  const timer = setInterval(report, everyMs)
  const stop = () => {
    clearTimeout(first)
    clearInterval(timer)
  }
  return { hosts: machines.map(({ host }) => host), stop }
}

function machine(
  name: string,
  system: Member['system'],
  processor: string,
  [cores, memory, disk]: [number, number, number],
  [cpu, memoryUsed, diskUsed]: [number, number, number],
  speeds: Member['speeds'],
  days: number,
): Member {
  return {
    name,
    system,
    processor,
    cores,
    memory,
    disk,
    usage: { cpu, memory: memoryUsed, disk: diskUsed },
    speeds,
    days,
  }
}

/** From the block that is kept free for documentation (RFC 5737). */
const addressOf = (member: Member) => `203.0.113.${10 + members.indexOf(member)}`

function detailsOf({ system: [platform, platform_version], processor, cores, memory, disk, days }: Member) {
  return {
    platform,
    platform_version,
    cpu: [`${processor} ${cores} Virtual Core`],
    mem_total: memory * gibibyte,
    disk_total: disk * gibibyte,
    arch: processor.startsWith('Ampere') ? 'aarch64' : 'x86_64',
    virtualization: 'kvm',
    boot_time: Math.floor(Date.now() / 1000) - days * 86_400,
    version: '1.14.1',
  } satisfies Partial<HostDetails>
}

interface Moment {
  received: number
  sent: number
  transfer: readonly [number, number]
  about: (value: number) => number
}

function stateOf({ usage, memory, disk, cores, days, isOffline }: Member, { received, sent, transfer, about }: Moment) {
  return {
    cpu: Math.min(100, about(usage.cpu)),
    mem_used: Math.floor((memory * gibibyte * usage.memory) / 100),
    disk_used: Math.floor((disk * gibibyte * usage.disk) / 100),
    net_in_speed: Math.floor(received),
    net_out_speed: Math.floor(sent),
    net_in_transfer: Math.floor(transfer[0]),
    net_out_transfer: Math.floor(transfer[1]),
    // The console reckons from boot and uptime when a machine was last heard of.
    uptime: days * 86_400 - (isOffline ? away : 0),
    load_1: (cores * usage.cpu) / 100,
    load_5: (cores * usage.cpu) / 105,
    load_15: (cores * usage.cpu) / 110,
    tcp_conn_count: Math.floor(about(180)),
    process_count: Math.floor(about(140)),
  } satisfies Partial<HostState>
}

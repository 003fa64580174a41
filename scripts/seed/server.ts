import type { HostDetails, HostState } from '../../server/machines/hosts/host.ts'
import type { Random } from './random.ts'

/** Where the made-up machines stand; each place is a group. */
export const sites = ['Amsterdam', 'Frankfurt', 'Milano', 'Paris', 'Singapore', 'Tokyo', 'Virginia', 'Warsaw'] as const

const countries = {
  Amsterdam: 'nl',
  Frankfurt: 'de',
  Milano: 'it',
  Paris: 'fr',
  Singapore: 'sg',
  Tokyo: 'jp',
  Virginia: 'us',
  Warsaw: 'pl',
}
const gibibyte = 2 ** 30
const now = Math.floor(Date.now() / 1000)

/** One made-up machine: offline, with the metrics of its last report. */
export function seedServer(number: number, random: Random) {
  const site = random.oneOf(sites)
  const role = random.oneOf(['web', 'db', 'cache', 'mail', 'proxy', 'queue', 'build', 'backup'])
  const host = hostDetails(random)
  const ipv4_addr = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  return {
    site,
    name: `${role}-${site.slice(0, 3).toLowerCase()}-${number}`,
    display_index: random.whole(20) === 0 ? random.whole(10) : 0,
    note: random.whole(5) === 0 ? `Rack ${random.whole(40)}, unit ${random.whole(42)}` : '',
    hide_for_guest: random.whole(10) === 0,
    host,
    state: hostState(random, host),
    geoip: { ip: { ipv4_addr }, country_code: countries[site] },
  }
}

function hostDetails(random: Random) {
  const [platform, platform_version] = random.oneOf([
    ['debian', '13.1'],
    ['ubuntu', '24.04'],
    ['alpine', '3.22'],
    ['rocky', '10.0'],
  ])
  const cores = random.oneOf([1, 2, 4, 8, 16, 32])
  return {
    platform,
    platform_version,
    cpu: [`${random.oneOf(['AMD EPYC 9354', 'Intel(R) Xeon(R) Gold 6430', 'Ampere Altra'])} ${cores} Virtual Core`],
    mem_total: cores * 2 * gibibyte,
    disk_total: random.oneOf([20, 40, 80, 160, 320]) * gibibyte,
    swap_total: random.oneOf([0, 1, 2]) * gibibyte,
    arch: 'x86_64',
    virtualization: random.oneOf(['kvm', 'docker', 'vmware']),
    boot_time: now - random.whole(200 * 86_400),
    version: '1.14.1',
  } satisfies Partial<HostDetails>
}

function hostState(random: Random, { mem_total, disk_total, swap_total, boot_time }: ReturnType<typeof hostDetails>) {
  const part = (total: number) => Math.floor((total * random.whole(1000)) / 1000)
  return {
    cpu: random.whole(10_000) / 100,
    mem_used: part(mem_total),
    swap_used: part(swap_total),
    disk_used: part(disk_total),
    net_in_transfer: part(2 ** 42),
    net_out_transfer: part(2 ** 42),
    net_in_speed: part(2 ** 24),
    net_out_speed: part(2 ** 24),
    uptime: now - boot_time,
    load_1: random.whole(800) / 100,
    load_5: random.whole(800) / 100,
    load_15: random.whole(800) / 100,
    tcp_conn_count: random.whole(2000),
    udp_conn_count: random.whole(50),
    process_count: 40 + random.whole(400),
  } satisfies Partial<HostState>
}

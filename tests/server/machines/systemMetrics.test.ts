import { describe, expect, it } from 'vitest'
import {
  countProcesses,
  parseLoadavg,
  parseMeminfo,
  parseNetDev,
  parseSockstat,
  parseStat,
  parseUptime,
} from '../../../server/machines/hosts/local/metrics/counterReaders.ts'
import { parseMounts, sumSpace, withoutDuplicateOverlays } from '../../../server/machines/hosts/local/metrics/disks.ts'
import {
  countedInterfaces,
  cpuPercent,
  createRates,
  networkSpeeds,
  ownAddresses,
  type SystemCounters,
} from '../../../server/machines/hosts/local/metrics/systemCounters.ts'

describe('processor time', () => {
  const first = 'cpu  1000 100 400 8000 300 0 100 100 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 5 1 2\nbtime 1795227900\n'
  const second = 'cpu  1050 100 420 8120 305 0 105 100 90 0\ncpu0 9 9 9 9 9 9 9 9 9 9\nintr 9 1 2\nbtime 1795227900\n'

  it('is busy time without idling, waiting for disks or guest time counted twice', () => {
    expect(parseStat(first)).toEqual({ cpu: { busy: 1700, total: 10_000 }, bootTime: 1_795_227_900 })
  })

  it('becomes a percentage between two readings', () => {
    expect(cpuPercent(parseStat(first).cpu, parseStat(second).cpu)).toBeCloseTo((100 * 75) / 200)
  })

  it('is no use at all when the counters went backwards or stood still', () => {
    expect(cpuPercent(parseStat(second).cpu, parseStat(first).cpu)).toBe(0)
    expect(cpuPercent(parseStat(first).cpu, parseStat(first).cpu)).toBe(0)
  })

  it('stays between 0 and 100 when the kernel takes back some idle time', () => {
    expect(cpuPercent({ busy: 100, total: 1000 }, { busy: 220, total: 1100 })).toBe(100)
    expect(cpuPercent({ busy: 100, total: 1000 }, { busy: 90, total: 1100 })).toBe(0)
  })
})

describe('memory', () => {
  it('counts as used what is not available, in bytes', () => {
    const text =
      'MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\nSwapTotal:       500 kB\nSwapFree:        450 kB\n'
    expect(parseMeminfo(text)).toEqual({
      total: 1000 * 1024,
      used: 400 * 1024,
      swapTotal: 500 * 1024,
      swapUsed: 50 * 1024,
    })
  })

  it('has no swap where the kernel lists none', () => {
    expect(parseMeminfo('MemTotal: 1000 kB\nMemAvailable: 600 kB\n')).toMatchObject({ swapTotal: 0, swapUsed: 0 })
  })

  it('counts the cache of ZFS as free, but for what it never gives back', () => {
    const text = 'MemTotal: 1000 kB\nMemFree: 20 kB\nMemAvailable: 30 kB\n'
    const arcstats = `13 1 0x01 147 39984 9876543 1234567\nname                            type data\nc_min                           4    ${100 * 1024}\nc_max                           4    ${900 * 1024}\nsize                            4    ${700 * 1024}\ncompressed_size                 4    5\n`
    expect(parseMeminfo(text).used).toBe(970 * 1024)
    expect(parseMeminfo(text, arcstats).used).toBe(370 * 1024)
    // A cache that is smaller than it may become gives nothing back.
    expect(parseMeminfo(text, arcstats.replace(/size {26,}\S+.*/, `size  4  ${50 * 1024}`)).used).toBe(970 * 1024)
  })

  it('is estimated from free memory and caches on an old kernel', () => {
    const text = 'MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 250 kB\n'
    expect(parseMeminfo(text).used).toBe(600 * 1024)
  })
})

describe('network', () => {
  const header =
    'Inter-|   Receive                                                |  Transmit\n' +
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n'
  const line = (name: string, received: number, sent: number) =>
    `  ${name}:${received}       9    0    0    0     0          0         0 ${sent}      7    0    0    0     0       0          0\n`

  it('reads bytes of every interface, also where number and colon touch', () => {
    const interfaces = parseNetDev(`${header}${line('lo', 11, 11)}${line('eth0', 5_000_000_000, 77)}`)
    expect([...interfaces]).toEqual([
      ['lo', { received: 11, sent: 11 }],
      ['eth0', { received: 5_000_000_000, sent: 77 }],
    ])
  })

  it('leaves out loopback, bridges, tunnels and the far ends of containers', () => {
    const names = ['lo', 'eth0', 'wlan0', 'veth12ab', 'docker0', 'br-1f2e', 'virbr0', 'tun0', 'ifb0', 'cni0', 'wg0']
    expect([...countedInterfaces(names, () => false)]).toEqual(['eth0', 'wlan0'])
  })

  it('keeps interfaces whose names only begin like an excluded one', () => {
    expect([...countedInterfaces(['lan0', 'longhaul0', 'enp3s0'], () => false)]).toEqual([
      'lan0',
      'longhaul0',
      'enp3s0',
    ])
  })

  it('counts a bond or VLAN only once, on the card that carries it', () => {
    const cards = new Set(['eno1', 'eno2'])
    expect([...countedInterfaces(['eno1', 'eno2', 'bond0', 'bond0.100'], (name) => cards.has(name))]).toEqual([
      'eno1',
      'eno2',
    ])
  })

  const counters = (at: number, interfaces: Record<string, [number, number]>) => ({
    at,
    interfaces: new Map(Object.entries(interfaces).map(([name, [received, sent]]) => [name, { received, sent }])),
  })

  it('has a speed in bytes per second', () => {
    const speeds = networkSpeeds(counters(1000, { eth0: [100, 50] }), counters(3000, { eth0: [2100, 150] }))
    expect(speeds).toEqual({ received: 1000, sent: 50 })
  })

  it('is never negative when a counter starts again', () => {
    const speeds = networkSpeeds(
      counters(0, { eth0: [4_294_967_000, 10], eth1: [0, 0] }),
      counters(1000, { eth0: [500, 30], eth1: [7, 0] }),
    )
    expect(speeds).toEqual({ received: 7, sent: 20 })
  })

  it('shows no peak when an interface with old counters appears', () => {
    expect(networkSpeeds(counters(0, {}), counters(1000, { eth0: [9e12, 9e12] }))).toEqual({ received: 0, sent: 0 })
  })

  it('names the first address others can use, of each family', () => {
    const address = (family: 'IPv4' | 'IPv6', text: string, internal = false) =>
      ({ family, address: text, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as const
    expect(
      ownAddresses({
        lo: [address('IPv4', '127.0.0.1', true)],
        docker0: [address('IPv4', '172.17.0.1')],
        eth0: [address('IPv4', '169.254.7.7'), address('IPv4', '192.0.2.7'), address('IPv6', 'fe80::1')],
        eth1: [address('IPv6', '2001:db8::7')],
      }),
    ).toEqual({ ip: { ipv4_addr: '192.0.2.7', ipv6_addr: '2001:db8::7' } })
  })

  it('names an address of the internet before one of a private network', () => {
    const address = (family: 'IPv4' | 'IPv6', text: string) =>
      ({ family, address: text, internal: false, netmask: '', mac: '', cidr: null, scopeid: 0 }) as const
    expect(
      ownAddresses({
        eth0: [address('IPv4', '10.0.0.7'), address('IPv6', 'fd12::7')],
        eth1: [address('IPv4', '93.184.216.34'), address('IPv6', '2606:4700::7')],
      }),
    ).toEqual({ ip: { ipv4_addr: '93.184.216.34', ipv6_addr: '2606:4700::7' } })
  })
})

describe('rates', () => {
  const reading = (at: number, busy: number): SystemCounters => ({
    at,
    cpu: { busy, total: at },
    memory: { total: 0, used: 0, swapTotal: 0, swapUsed: 0 },
    network: { at, interfaces: new Map([['eth0', { received: busy * 2, sent: busy }]]) },
    load: [0, 0, 0],
    uptime: 0,
    bootTime: 0,
    tcp: 0,
    udp: 0,
    processes: 0,
  })

  it('need two readings, and are not disturbed by a third one right after', () => {
    const ratesOf = createRates()
    expect(ratesOf(reading(1000, 0))).toEqual({ cpu: 0, received: 0, sent: 0 })
    expect(ratesOf(reading(3000, 500))).toEqual({ cpu: 25, received: 500, sent: 250 })
    expect(ratesOf(reading(3010, 510))).toEqual({ cpu: 25, received: 500, sent: 250 })
    expect(ratesOf(reading(5000, 1500))).toEqual({ cpu: 50, received: 1000, sent: 500 })
  })
})

describe('the small files of /proc', () => {
  it('give sockets of both IP versions, without those in TIME_WAIT', () => {
    const four =
      'sockets: used 200\nTCP: inuse 12 orphan 3 tw 40 alloc 20 mem 5\nUDP: inuse 4 mem 2\nUDPLITE: inuse 9\n'
    const six = 'TCP6: inuse 7\nUDP6: inuse 2\nUDPLITE6: inuse 9\n'
    expect(parseSockstat(four, six)).toEqual({ tcp: 19, udp: 6 })
    expect(parseSockstat(four, '')).toEqual({ tcp: 12, udp: 4 })
  })

  it('give the three loads, the uptime and the number of processes', () => {
    expect(parseLoadavg('0.12 1.50 2.09 1/84 5681\n')).toEqual([0.12, 1.5, 2.09])
    expect(parseUptime('714.99 1327.46\n')).toBe(714)
    expect(countProcesses(['1', '4711', 'self', 'stat', 'thread-self', '12x'])).toBe(2)
  })

  it('give zeros when they are masked, and never NaN', () => {
    expect(parseStat('')).toEqual({ cpu: { busy: 0, total: 0 }, bootTime: 0 })
    expect(parseMeminfo('')).toEqual({ total: 0, used: 0, swapTotal: 0, swapUsed: 0 })
    expect(parseNetDev('').size).toBe(0)
    expect(parseSockstat('', '')).toEqual({ tcp: 0, udp: 0 })
    expect(parseLoadavg('')).toEqual([0, 0, 0])
    expect(parseUptime('')).toBe(0)
  })
})

describe('disks', () => {
  it('are local filesystems, each device once, without memory, images and shares', () => {
    const mounts = parseMounts(`22 27 0:21 / /proc rw - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
28 27 254:0 /home /srv/bound rw - ext4 /dev/vda rw
29 27 254:16 / /mnt/my\\040disk rw - xfs /dev/vdb rw
30 27 0:25 / /dev/shm rw - tmpfs tmpfs rw
31 27 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro
32 27 0:40 / /mnt/share rw - nfs4 files.example.org:/x rw
33 27 11:0 / /media/cd ro - iso9660 /dev/sr0 ro
`)
    expect(mounts.map(({ path }) => path)).toEqual(['/', '/mnt/my disk'])
  })

  it('are the overlay root in a container', () => {
    const mounts = parseMounts(
      '600 500 0:55 / / rw - overlay overlay rw,lowerdir=/l\n601 600 0:60 / /proc rw - proc proc rw\n',
    )
    expect(mounts).toEqual([{ path: '/', group: '0:55', isOverlay: true }])
  })

  it('are not counted again as the overlay that is mounted on them', () => {
    const overlay = { group: '0:55', used: 40, free: 60, isOverlay: true }
    const below = { group: '254:0', used: 41, free: 59, isOverlay: false }
    const other = { group: '254:16', used: 1, free: 2, isOverlay: false }
    expect(withoutDuplicateOverlays([overlay, below, other])).toEqual([below, other])
    expect(withoutDuplicateOverlays([overlay, other])).toEqual([overlay, other])
  })

  it('of one pool share their free space', () => {
    const mounts = parseMounts('1 0 0:50 / / rw - zfs tank/root rw\n2 1 0:51 / /home rw - zfs tank/home rw\n')
    expect(mounts.map(({ path, group }) => [path, group])).toEqual([
      ['/', 'zfs tank'],
      ['/home', 'zfs tank'],
    ])
    const spaces = mounts.map(({ group }, index) => ({ group, used: 10 + index, free: 100 }))
    expect(sumSpace([...spaces, { group: '8:1', used: 5, free: 20 }])).toEqual({ used: 26, total: 146 })
  })
})

import type { CpuTimes, NetworkCounters, SystemCounters } from './systemCounters.ts'

/** Parsers for files in /proc. They never throw: an empty or unknown text results in zeros. */

/** `/proc/stat`. Waiting for a disk counts as idle; guest time is not added because user time includes it. */
export function parseStat(text: string): { cpu: CpuTimes; bootTime: number } {
  const times = numbers(/^cpu\s+(.*)$/m.exec(text)?.[1] ?? '').slice(0, 8)
  const total = times.reduce((sum, time) => sum + time, 0)
  const idle = (times[3] ?? 0) + (times[4] ?? 0)
  return { cpu: { busy: total - idle, total }, bootTime: Number(/^btime (\d+)$/m.exec(text)?.[1] ?? 0) }
}

/**
 * `/proc/meminfo`, in bytes.
 * @param arcstats `/proc/spl/kstat/zfs/arcstats`, '' without ZFS: its cache counts as used in `meminfo`, although all but
 * its smallest size is given back when programs need it
 */
export function parseMeminfo(text: string, arcstats = ''): SystemCounters['memory'] {
  const ofArc = (name: string) => Number(new RegExp(`^${name}\\s+\\d+\\s+(\\d+)`, 'm').exec(arcstats)?.[1] ?? 0)
  const arc = Math.max(0, ofArc('size') - ofArc('c_min'))
  const bytes = (name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
    return found === undefined ? undefined : Number(found) * 1024
  }
  const total = bytes('MemTotal') ?? 0
  // Kernels before 3.14 have no MemAvailable.
  const available = bytes('MemAvailable') ?? (bytes('MemFree') ?? 0) + (bytes('Buffers') ?? 0) + (bytes('Cached') ?? 0)
  const swapTotal = bytes('SwapTotal') ?? 0
  return {
    total,
    used: Math.max(0, total - available - arc),
    swapTotal,
    swapUsed: Math.max(0, swapTotal - (bytes('SwapFree') ?? 0)),
  }
}

/** `/proc/net/dev`, with every interface. */
export function parseNetDev(text: string): NetworkCounters['interfaces'] {
  const interfaces = new Map<string, { received: number; sent: number }>()
  for (const line of text.split('\n')) {
    // There may be no space after the colon (`eth0:1234`), and a name may contain one (`eth0:1: 5 ...`).
    const [, name, rest] = /^\s*(\S+):\s*(\d.*)$/.exec(line) ?? []
    if (!name || !rest) continue
    const counters = numbers(rest)
    interfaces.set(name, { received: counters[0] ?? 0, sent: counters[8] ?? 0 })
  }
  return interfaces
}

/** Sockets in use, summed over `/proc/net/sockstat` (IPv4) and `sockstat6`. */
export function parseSockstat(...texts: string[]): { tcp: number; udp: number } {
  const inUse = (protocol: string) =>
    numbers(texts.map((text) => new RegExp(`^${protocol}6?: inuse (\\d+)`, 'm').exec(text)?.[1] ?? '').join(' '))
  const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0)
  return { tcp: sum(inUse('TCP')), udp: sum(inUse('UDP')) }
}

/** `/proc/loadavg`. */
export function parseLoadavg(text: string): SystemCounters['load'] {
  const [one = 0, five = 0, fifteen = 0] = numbers(text.split(' ').slice(0, 3).join(' '))
  return [one, five, fifteen]
}

/** `/proc/uptime`, in whole seconds. */
export function parseUptime(text: string): number {
  return Math.floor(numbers(text)[0] ?? 0)
}

/** Number of entries of /proc that are processes. */
export function countProcesses(entries: string[]): number {
  return entries.filter((entry) => /^\d+$/.test(entry)).length
}

function numbers(text: string): number[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(Number)
    .filter(Number.isFinite)
}

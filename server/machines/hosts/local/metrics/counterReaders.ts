import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import { type CachedMetric, createCachedMetric } from './cachedMetric.ts'
import { querySystemInformation, readProcFile } from './querySystemInformation.ts'
import {
  type CounterReader,
  type CpuTimes,
  countedInterfaces,
  type NetworkCounters,
  type SystemCounters,
} from './systemCounters.ts'

interface LinuxReaderOptions {
  /** Where /proc is mounted. */
  proc: string
  /** Where /sys is mounted. */
  sys: string
  /** A monotonic clock in milliseconds. */
  now: () => number
}

/** Reads the counters of a Linux machine from /proc, without starting a program. */
export function createLinuxReader({ proc, sys, now }: LinuxReaderOptions): CounterReader {
  const filterInterfaces = createInterfaceFilter(sys)
  return () => {
    const at = now()
    const [stat, meminfo, loadavg] = ['stat', 'meminfo', 'loadavg'].map((name) => readProcFile(`${proc}/${name}`))
    if (!stat && !meminfo && !loadavg) {
      throw new Error(`No metrics of this machine can be read below ${proc}. Check that it is mounted and readable.`)
    }
    return {
      at,
      ...parseStat(stat ?? ''),
      memory: parseMeminfo(meminfo ?? '', readProcFile(`${proc}/spl/kstat/zfs/arcstats`)),
      network: { at, interfaces: filterInterfaces(parseNetDev(readProcFile(`${proc}/net/dev`))) },
      load: parseLoadavg(loadavg ?? ''),
      uptime: parseUptime(readProcFile(`${proc}/uptime`)),
      ...parseSockstat(readProcFile(`${proc}/net/sockstat`), readProcFile(`${proc}/net/sockstat6`)),
      processes: processCount(proc),
    }
  }
}

function processCount(proc: string): number {
  try {
    return countProcesses(readdirSync(proc))
  } catch {
    // Not readable, as in some containers.
    return 0
  }
}

/** Drops interfaces that are not counted. Looks for hardware in /sys only when the names have changed. */
function createInterfaceFilter(sys: string): (all: NetworkCounters['interfaces']) => NetworkCounters['interfaces'] {
  let lastNames: string | undefined
  let counted = new Set<string>()
  return (all) => {
    const names = [...all.keys()].join(' ')
    if (names !== lastNames) {
      counted = countedInterfaces(all.keys(), (name) => existsSync(`${sys}/class/net/${name}/device`))
      lastNames = names
    }
    return new Map([...all].filter(([name]) => counted.has(name)))
  }
}

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

/** On macOS and Windows each of these queries starts a program. */
const QUERY_EVERY_MS = 30_000

interface PortableReaderOptions {
  /** A monotonic clock in milliseconds. */
  now: () => number
  onError: (error: unknown) => void
}

/**
 * Reads the counters on systems without /proc. The numbers of connections and processes are 0, because each reading
 * would have to start a program.
 */
export function createPortableReader({ now, onError }: PortableReaderOptions): {
  read: CounterReader
  cachedMetrics: CachedMetric<unknown>[]
} {
  const memory = createCachedMetric({ initial: undefined, everyMs: QUERY_EVERY_MS, now, onError, refresh: queryMemory })
  const network = createCachedMetric<NetworkCounters>({
    initial: { at: now(), interfaces: new Map() },
    everyMs: QUERY_EVERY_MS,
    now,
    onError,
    refresh: async () => ({ interfaces: await queryInterfaces(), at: now() }),
  })
  const read: CounterReader = () => {
    const total = os.totalmem()
    const uptime = Math.floor(os.uptime())
    const [one = 0, five = 0, fifteen = 0] = os.loadavg()
    return {
      at: now(),
      cpu: cpuTimes(os.cpus()),
      memory: memory.latest() ?? { total, used: total - os.freemem(), swapTotal: 0, swapUsed: 0 },
      network: network.latest(),
      load: [one, five, fifteen],
      uptime,
      bootTime: Math.round(Date.now() / 1000) - uptime,
      tcp: 0,
      udp: 0,
      processes: 0,
    }
  }
  return { read, cachedMetrics: [memory, network] }
}

/** The sum over all processors, in milliseconds. */
export function cpuTimes(cpus: Pick<os.CpuInfo, 'times'>[]): CpuTimes {
  const sum = { busy: 0, total: 0 }
  for (const { times } of cpus) {
    const busy = times.user + times.nice + times.sys + times.irq
    sum.busy += busy
    sum.total += busy + times.idle
  }
  return sum
}

async function queryMemory(): Promise<SystemCounters['memory'] | undefined> {
  const found = await querySystemInformation('memory', (library) => library.mem())
  return {
    total: found.total,
    used: found.total - found.available,
    swapTotal: found.swaptotal,
    swapUsed: found.swapused,
  }
}

async function queryInterfaces(): Promise<NetworkCounters['interfaces']> {
  const found = await querySystemInformation('network metrics', (library) => library.networkStats('*'))
  const counted = countedInterfaces(
    found.map(({ iface }) => iface),
    () => false,
  )
  return new Map(
    found
      .filter(({ iface }) => counted.has(iface))
      .map(({ iface, rx_bytes, tx_bytes }) => [iface, { received: rx_bytes, sent: tx_bytes }]),
  )
}

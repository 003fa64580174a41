import os from 'node:os'
import { type CachedMetric, createCachedMetric } from './cachedMetric.ts'
import { countedInterfaces } from './networkInterfaces.ts'
import { querySystemInformation } from './querySystemInformation.ts'
import type { CounterReader, CpuTimes, NetworkCounters, SystemCounters } from './systemCounters.ts'

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

import os from 'node:os'
import type { CpuTimes, NetworkCounters, Reader, Reading } from './counters.ts'
import { countedInterfaces } from './interfaces.ts'
import { type Slow, slow } from './slowReader.ts'
import { askLibrary } from './systemInformation.ts'

/** These figures start a program of the system on macOS and Windows, so they are asked for rarely. */
const LIBRARY_EVERY_MS = 30_000

interface PortableReaderOptions {
  /** Milliseconds of a monotonic clock. */
  now: () => number
  onError: (error: unknown) => void
}

/**
 * Reads the moving figures where there is no /proc. The numbers of connections and processes are left out: they could
 * be had only by starting a program for every look.
 */
export function createPortableReader({ now, onError }: PortableReaderOptions): {
  read: Reader
  slows: Slow<unknown>[]
} {
  const memory = slow({ initial: undefined, everyMs: LIBRARY_EVERY_MS, now, onError, refresh: askMemory })
  const network = slow<NetworkCounters>({
    initial: { at: now(), interfaces: new Map() },
    everyMs: LIBRARY_EVERY_MS,
    now,
    onError,
    refresh: async () => ({ interfaces: await askInterfaces(), at: now() }),
  })
  const read: Reader = () => {
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
  return { read, slows: [memory, network] }
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

async function askMemory(): Promise<Reading['memory'] | undefined> {
  const found = await askLibrary('memory', (library) => library.mem())
  return {
    total: found.total,
    used: found.total - found.available,
    swapTotal: found.swaptotal,
    swapUsed: found.swapused,
  }
}

async function askInterfaces(): Promise<NetworkCounters['interfaces']> {
  const found = await askLibrary('network figures', (library) => library.networkStats('*'))
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

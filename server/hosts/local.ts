import os from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Host, HostFacts, HostState } from './host.ts'
import { type Identity, readIdentity } from './local/identity.ts'
import { ownAddresses } from './local/interfaces.ts'
import { createRates, SHORTEST_SPAN_MS } from './local/rates.ts'
import type { Reading } from './local/reading.ts'
import { createReportLoop } from './local/reportLoop.ts'
import { runCommand } from './local/runCommand.ts'
import { createSystem } from './local/system.ts'

export interface LocalHostOptions {
  /** Names this machine for ever: the caller makes it once and keeps it with its data. */
  uuid: string
  /** Version of this server, shown as that of the agent. */
  version: string
  /**
   * Told what could not be read; nothing stops because of it. A failure that lasts is told once.
   * Without it failures pass in silence.
   */
  onError?: (error: unknown) => void
  /** Time between two reports, 2000 by default. */
  intervalMs?: number
  /** Where the kernel's figures are, should the machine's own be mounted elsewhere in a container. */
  proc?: string
  sys?: string
  /** Milliseconds of a monotonic clock, which decides when slow figures are due. */
  now?: () => number
}

/** The machine this process runs on. */
export function createLocalHost({
  uuid,
  version,
  onError = () => {},
  intervalMs = 2000,
  proc = '/proc',
  sys = '/sys',
  now = () => performance.now(),
}: LocalHostOptions): Host {
  const system = createSystem({ proc, sys, now, onError })
  const ratesOf = createRates()
  let identity: Promise<Identity> | undefined
  let latest: Reading | undefined

  function look() {
    const reading = system.read()
    latest = reading
    return { reading, rates: ratesOf(reading) }
  }

  async function facts(): Promise<HostFacts> {
    identity ??= readIdentity(onError)
    const [known, disks, gpus] = await Promise.all([identity, system.disks.first(), system.gpus.first()])
    const { memory, bootTime } = latest ?? look().reading
    return {
      uuid,
      host: {
        ...known,
        mem_total: memory.total,
        disk_total: disks.total,
        swap_total: memory.swapTotal,
        boot_time: bootTime,
        version,
        gpu: gpus.names,
      },
      geoip: ownAddresses(os.networkInterfaces()),
    }
  }

  async function read(): Promise<HostState> {
    const { used: disk_used } = await system.disks.first()
    const { reading, rates } = look()
    const [load_1, load_5, load_15] = reading.load
    const total = { received: 0, sent: 0 }
    for (const { received, sent } of reading.network.interfaces.values()) {
      total.received += received
      total.sent += sent
    }
    return {
      cpu: rates.cpu,
      mem_used: reading.memory.used,
      swap_used: reading.memory.swapUsed,
      disk_used,
      net_in_transfer: total.received,
      net_out_transfer: total.sent,
      net_in_speed: rates.received,
      net_out_speed: rates.sent,
      uptime: reading.uptime,
      load_1,
      load_5,
      load_15,
      tcp_conn_count: reading.tcp,
      udp_conn_count: reading.udp,
      process_count: reading.processes,
      temperatures: system.temperatures.latest(),
      gpu: system.gpus.latest().use,
    }
  }

  async function report() {
    const known = await facts()
    return { state: await read(), facts: known, at: new Date() }
  }

  const loop = createReportLoop({ report, intervalMs, firstAfterMs: SHORTEST_SPAN_MS, onError })

  return {
    name: () => os.hostname(),
    facts,
    read,
    run: runCommand,
    onReport: loop.onReport,
    start() {
      // A first look to measure from, so that the first report has true rates. If it fails, so will the report's own.
      void read().catch(() => {})
      loop.start()
    },
    async stop() {
      await loop.stop()
      await system.idle()
    },
  }
}

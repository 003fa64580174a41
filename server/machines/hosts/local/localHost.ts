import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { ConnectError, type Host, type HostFacts, type HostState, type RunResult } from '../host.ts'
import { type ConfigKeeper, createLocalConfig, keepInMemory } from './config.ts'
import { connectHere } from './connect.ts'
import { createLocalFiles } from './files/localFiles.ts'
import type { Reading } from './metrics/counters.ts'
import { NO_GPUS } from './metrics/gpus.ts'
import { type Identity, readIdentity } from './metrics/identity.ts'
import { ownAddresses } from './metrics/interfaces.ts'
import { createRates, SHORTEST_SPAN_MS } from './metrics/rates.ts'
import { createReportLoop } from './metrics/reportLoop.ts'
import { createSystem } from './metrics/system.ts'
import { createProbe } from './probe/probe.ts'
import { runCommand } from './shell/runCommand.ts'
import { createShells } from './shell/shells.ts'

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
  /** Where the machine's settings are kept. Default: in memory. */
  keeper?: ConfigKeeper
  /** Whether nobody may run commands here, whatever the machine's settings say. */
  commandsDisabled?: boolean
  /** Time between two reports. Default: as the machine's settings say. */
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
  keeper = keepInMemory(),
  commandsDisabled = false,
  intervalMs,
  proc = '/proc',
  sys = '/sys',
  now = () => performance.now(),
}: LocalHostOptions): Host {
  const fixed = commandsDisabled ? { disable_command_execute: true } : {}
  const config = createLocalConfig({ uuid, keeper, fixed, onError })
  const shells = createShells()
  const probe = createProbe()
  const runsCommands = () => !config.values().disable_command_execute
  const isCounted = (path: string) => {
    const counted = config.values().hard_drive_partition_allowlist ?? []
    return counted.length === 0 || counted.includes(path)
  }
  const system = createSystem({ proc, sys, isCounted, now, onError })
  const ratesOf = createRates()
  let identity: Promise<Identity> | undefined
  let latest: Reading | undefined

  function look() {
    const reading = withInterfaces(system.read(), config.values().nic_allowlist ?? {})
    latest = reading
    return { reading, rates: ratesOf(reading) }
  }

  async function facts(): Promise<HostFacts> {
    identity ??= readIdentity(onError)
    const [known, disks, gpus] = await Promise.all([
      identity,
      system.disks.first(),
      config.values().gpu ? system.gpus.first() : NO_GPUS,
    ])
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
    const { skip_connection_count, skip_procs_count, temperature, gpu } = config.values()
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
      tcp_conn_count: skip_connection_count ? 0 : reading.tcp,
      udp_conn_count: skip_connection_count ? 0 : reading.udp,
      process_count: skip_procs_count ? 0 : reading.processes,
      temperatures: temperature ? system.temperatures.latest() : [],
      gpu: gpu ? system.gpus.latest().use : [],
    }
  }

  async function report() {
    const known = await facts()
    return { state: await read(), facts: known, at: new Date() }
  }

  const pause = () => intervalMs ?? config.values().report_delay * 1000
  const loop = createReportLoop({ report, intervalMs: pause, firstAfterMs: SHORTEST_SPAN_MS, onError })

  return {
    name: () => os.hostname(),
    facts,
    read,
    run: async (command, options) => (runsCommands() ? runCommand(command, options) : refused),
    runsCommands,
    openShell: shells.open,
    async probe(check, options) {
      if (config.values().disable_send_query) return { outcome: 'not permitted', problem: probesDisabled }
      return probe(check, options)
    },
    files: createLocalFiles(),
    async connect(target, signal) {
      if (config.values().disable_nat) throw new ConnectError('The server behind this name does not forward.')
      return connectHere(target, signal)
    },
    config: async () => config.text(),
    async applyConfig(text) {
      try {
        config.apply(text)
      } catch (cause) {
        onError(new Error(`New settings of this machine were refused: ${(cause as Error).message}`, { cause }))
      }
    },
    // Its software is this server's, which is updated by whoever runs it.
    async orderUpdate() {},
    onReport: loop.onReport,
    start() {
      // A first look to measure from, so that the first report has true rates. If it fails, so will the report's own.
      void read().catch(() => {})
      loop.start()
    },
    async stop() {
      await Promise.all([loop.stop(), shells.killAll()])
      await system.idle()
    },
  }
}

const probesDisabled = 'this machine is set up to check no services (disable_send_query)'

const refused: RunResult = {
  exitCode: null,
  ended: 'failed',
  output: 'This machine has command execution disabled.',
  truncated: false,
}

/** @param counted interfaces by name; without any, all are counted */
function withInterfaces(reading: Reading, counted: Readonly<Record<string, boolean>>): Reading {
  if (Object.keys(counted).length === 0) return reading
  const interfaces = new Map([...reading.network.interfaces].filter(([name]) => counted[name]))
  return { ...reading, network: { ...reading.network, interfaces } }
}

import type { Socket } from 'node:net'
import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { errorCode } from '../../../../src/domain/errors.ts'
import { dialFromHere, openSocket, resolveTarget, TargetNotAllowedError } from '../../../outbound/dial.ts'
import { exchangeDatagram } from '../../../outbound/exchangeDatagram.ts'
import { ApiError } from '../../../wire/apiCall.ts'
import {
  ChecksNotPermittedError,
  ConnectError,
  type Host,
  type HostFacts,
  type HostState,
  parseTarget,
  type RunResult,
  targetNotAllowed,
} from '../host.ts'
import { createLocalFiles } from './files/localFiles.ts'
import { type ConfigStore, createLocalConfig, createMemoryConfigStore } from './localConfig.ts'
import { NO_GPUS } from './metrics/gpus.ts'
import { type PlatformInfo, readPlatformInfo } from './metrics/platform.ts'
import { createReportLoop } from './metrics/reportLoop.ts'
import { createRates, MIN_SPAN_MS, ownAddresses, type SystemCounters } from './metrics/systemCounters.ts'
import { createSystemMetrics } from './metrics/systemMetrics.ts'
import { createLocalOperations } from './operations/localOperations.ts'
import { createProbe, createSeveralPings } from './probe.ts'
import { runCommand } from './shell/runCommand.ts'
import { createShells } from './shell/shells.ts'

export interface LocalHost extends Host {
  /**
   * The current metrics, read at the time of the call. Rates (cpu, network speeds) are averages since the previous call.
   * @throws Error when no metric at all could be read
   */
  readState(): Promise<HostState>
}

export interface LocalHostOptions {
  /** Identifies this machine; the caller creates it once and stores it. */
  uuid: string
  /** Version of this server, shown as that of the agent. */
  version: string
  /**
   * Called with what could not be read; everything else goes on. A failure that lasts is reported once.
   * Default: failures are ignored.
   */
  onError?: (error: unknown) => void
  /** Where the machine's settings are stored. Default: in memory. */
  configStore?: ConfigStore
  /** Forbids commands, whatever the machine's settings say. */
  commandsDisabled?: boolean
  /** Milliseconds between two reports. Default: `report_delay` of the machine's settings. */
  intervalMs?: number
  /** Where /proc and /sys of the machine are mounted, if not there, as in a container. */
  proc?: string
  sys?: string
  /** A monotonic clock in milliseconds; decides when cached metrics are refreshed. */
  now?: () => number
}

/** The machine this process runs on. */
export function createLocalHost({
  uuid,
  version,
  onError = () => {},
  configStore = createMemoryConfigStore(),
  commandsDisabled = false,
  intervalMs,
  proc = '/proc',
  sys = '/sys',
  now = () => performance.now(),
}: LocalHostOptions): LocalHost {
  const fixed = commandsDisabled ? { disable_command_execute: true } : {}
  const config = createLocalConfig({ uuid, store: configStore, fixed, onError })
  const shells = createShells()
  const probe = createProbe()
  const sendPings = createSeveralPings()
  const canRunCommands = () => !config.values().disable_command_execute
  const isCounted = (path: string) => {
    const allowlist = config.values().hard_drive_partition_allowlist ?? []
    return allowlist.length === 0 || allowlist.includes(path)
  }
  const metrics = createSystemMetrics({ proc, sys, isCounted, now, onError })
  const ratesOf = createRates()
  let platform: Promise<PlatformInfo> | undefined
  let lastCounters: SystemCounters | undefined

  function readCounters() {
    const counters = withInterfaces(metrics.readCounters(), config.values().nic_allowlist ?? {})
    lastCounters = counters
    return { counters, rates: ratesOf(counters) }
  }

  async function facts(): Promise<HostFacts> {
    platform ??= readPlatformInfo(onError)
    const [platformInfo, disks, gpus] = await Promise.all([
      platform,
      metrics.disks.first(),
      config.values().gpu ? metrics.gpus.first() : NO_GPUS,
    ])
    const { memory, bootTime } = lastCounters ?? readCounters().counters
    return {
      uuid,
      host: {
        ...platformInfo,
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

  async function readState(): Promise<HostState> {
    const { used: disk_used } = await metrics.disks.first()
    const { counters, rates } = readCounters()
    const { skip_connection_count, skip_procs_count, temperature, gpu } = config.values()
    const [load_1, load_5, load_15] = counters.load
    const total = { received: 0, sent: 0 }
    for (const { received, sent } of counters.network.interfaces.values()) {
      total.received += received
      total.sent += sent
    }
    return {
      cpu: rates.cpu,
      mem_used: counters.memory.used,
      swap_used: counters.memory.swapUsed,
      disk_used,
      net_in_transfer: total.received,
      net_out_transfer: total.sent,
      net_in_speed: rates.received,
      net_out_speed: rates.sent,
      uptime: counters.uptime,
      load_1,
      load_5,
      load_15,
      tcp_conn_count: skip_connection_count ? 0 : counters.tcp,
      udp_conn_count: skip_connection_count ? 0 : counters.udp,
      process_count: skip_procs_count ? 0 : counters.processes,
      temperatures: temperature ? metrics.temperatures.latest() : [],
      gpu: gpu ? metrics.gpus.latest().use : [],
    }
  }

  async function report() {
    const currentFacts = await facts()
    return { state: await readState(), facts: currentFacts, at: new Date() }
  }

  const reportDelayMs = () => intervalMs ?? config.values().report_delay * 1000
  const loop = createReportLoop({ report, intervalMs: reportDelayMs, firstAfterMs: MIN_SPAN_MS, onError })

  return {
    name: () => os.hostname(),
    facts,
    readState,
    run: async (command, options) => (canRunCommands() ? runCommand(command, options) : commandsDisabledResult),
    canRunCommands,
    openShell: shells.open,
    async probe(check, options) {
      if (config.values().disable_send_query) return { outcome: 'not permitted', problem: probesDisabled }
      return probe(check, options)
    },
    files: createLocalFiles(),
    operations: createLocalOperations(canRunCommands),
    async connect(target, signal) {
      if (config.values().disable_nat) throw new ConnectError('The server behind this name does not forward.')
      return connectTcp(target, signal)
    },
    async dial(host, port, { allowPrivate, signal }) {
      if (config.values().disable_send_query) throw new ChecksNotPermittedError('disable_send_query')
      return dialFromHere({ allowPrivate }, 'target')(host, port, signal)
    },
    async exchange(host, port, bytes, options) {
      if (config.values().disable_send_query) throw new ChecksNotPermittedError('disable_send_query')
      return exchangeDatagram(host, port, bytes, options)
    },
    async ping(host, pings, options) {
      if (config.values().disable_send_query) throw new ChecksNotPermittedError('disable_send_query')
      return sendPings(host, pings, options)
    },
    config: async () => config.text(),
    async applyConfig(text) {
      config.apply(text)
      return { reconnects: false }
    },
    runsServer: true,
    async orderUpdate() {
      throw new Error('its software is this server, which you update where it was installed')
    },
    onReport: loop.onReport,
    onDisconnect: () => () => {},
    // Three missed reports, so that a busy machine does not count as offline.
    offlineAfterMs: 6000,
    start() {
      // Rates need an earlier reading, so that the first report is correct. If this one fails, so will the report.
      void readState().catch(() => {})
      loop.start()
    },
    async stop() {
      await Promise.all([loop.stop(), shells.killAll()])
      await metrics.idle()
    },
  }
}

const probesDisabled = 'this machine is set up to check no services (disable_send_query)'

const commandsDisabledResult: RunResult = {
  exitCode: null,
  ended: 'failed',
  output: 'This machine has command execution disabled.',
  truncated: false,
}

/** @param allowlist interfaces by name; when empty, all are counted */
function withInterfaces(counters: SystemCounters, allowlist: Readonly<Record<string, boolean>>): SystemCounters {
  if (Object.keys(allowlist).length === 0) return counters
  const interfaces = new Map([...counters.network.interfaces].filter(([name]) => allowlist[name]))
  return { ...counters, network: { ...counters.network, interfaces } }
}

/**
 * Connects to a TCP service in the network of this machine. A name is resolved once, and the connection goes to the
 * addresses that were checked; metadata services of clouds are never allowed.
 * @param target `host:port`; an IPv6 address in brackets
 * @param signal aborts the attempt to connect
 * @throws ConnectError, or the reason of `signal`
 */
export async function connectTcp(target: string, signal: AbortSignal): Promise<Socket> {
  const { host, port } = parseTarget(target)
  try {
    const addresses = await resolveTarget(host, { allowPrivate: true, signal })
    const socket = await openSocket(addresses, port, signal)
    // Detects a peer that disappeared without closing the connection.
    return socket.setKeepAlive(true, 30_000)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ConnectError(errorMessage(error), { cause: error })
  }
}

function errorMessage(error: unknown): string {
  if (error instanceof TargetNotAllowedError) return targetNotAllowed
  if (error instanceof ApiError) return 'The target behind this name cannot be found: no such host.'
  const code = errorCode(error)
  if (code === 'ECONNREFUSED') return 'The service behind this name is not running.'
  return 'The service behind this name cannot be reached.'
}

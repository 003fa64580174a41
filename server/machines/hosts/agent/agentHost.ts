import type { Host, HostAddresses, HostDetails, HostState, ReportListener, RunResult } from '../host.ts'
import type { Check, ProbeOptions, ProbeResult } from '../probe.ts'
import { type AgentConnection, AgentTimeout, taskTypes } from './agentConnection.ts'
import { createAgentFiles } from './agentFiles.ts'
import { openAgentShell } from './agentShell.ts'
import { createAgentStreams } from './agentStreams.ts'
import { connectThroughAgent } from './agentTunnel.ts'

/** A machine behind an agent. What the agent reports is passed in by whoever has its connection. */
export interface AgentHost extends Host {
  /** What rarely changes. Reports of before a boot, which come late, are ignored. */
  receiveHost(host: HostDetails): void
  receiveAddresses(addresses: HostAddresses): void
  /** @param at when it came */
  receiveState(state: HostState, at: Date): void
  /** The agent has ended its reports. */
  disconnected(): void
}

/** Three of the slowest reports, which come every four seconds (docs/contract/AGENT.md#3-calls-and-their-order). */
export const offlineAfterMs = 12_000

/** Milliseconds in which an agent answers what it knows by itself. */
const answerTimeoutMs = 10_000

export interface AgentHostOptions {
  connection: AgentConnection
  /** What was known of the machine before. */
  host?: HostDetails
  addresses?: HostAddresses
}

export function createAgentHost({ connection, host = noDetails, addresses = { ip: {} } }: AgentHostOptions): AgentHost {
  const { uuid } = connection
  const reportListeners = new Set<ReportListener>()
  const disconnectListeners = new Set<() => void>()
  let facts = { uuid, host, geoip: addresses }
  let state = noState
  const streams = createAgentStreams({ connection, readConfig: config })

  /** The result of a task in the words of `run`. */
  async function run(command: string, { timeoutMs, signal }: Parameters<Host['run']>[1]): Promise<RunResult> {
    try {
      const { data, successful } = await connection.request(
        { type: taskTypes.command, data: command },
        { timeoutMs, signal },
      )
      const exitCode = successful ? 0 : Number(/\nexit status (\d+)$/.exec(data)?.[1] ?? Number.NaN)
      return { exitCode: Number.isNaN(exitCode) ? null : exitCode, ended: 'exited', output: data, truncated: false }
    } catch (error) {
      const ended = error instanceof AgentTimeout ? 'timeout' : signal?.aborted ? 'aborted' : 'failed'
      return { exitCode: null, ended, output: (error as Error).message, truncated: false }
    }
  }

  async function probe({ type, target }: Check, { timeoutMs, signal }: ProbeOptions): Promise<ProbeResult> {
    try {
      const { data, delay, successful } = await connection.request(
        { type: probeTypes[type], data: target },
        { timeoutMs, signal },
      )
      if (successful) return { outcome: 'up', delay }
      if (data === probesDisabled) return { outcome: 'not permitted', problem: data }
      return { outcome: 'down', problem: data }
    } catch (error) {
      return { outcome: 'not permitted', problem: (error as Error).message }
    }
  }

  async function config(): Promise<string> {
    const { data, successful } = await connection.request(
      { type: taskTypes.reportConfig },
      { timeoutMs: answerTimeoutMs },
    )
    if (!successful) throw new Error(data)
    return data
  }

  return {
    name: () => '',
    facts: async () => facts,
    readState: async () => state,
    run,
    canRunCommands: () => true,
    openShell: (size) => openAgentShell(streams, size),
    probe,
    files: createAgentFiles(streams),
    connect: (target, signal) => connectThroughAgent(streams, target, signal),
    config,
    async applyConfig(text) {
      connection.send({ type: taskTypes.applyConfig, data: text })
    },
    async orderUpdate() {
      connection.send({ type: taskTypes.update })
    },
    onReport(listener) {
      reportListeners.add(listener)
      return () => reportListeners.delete(listener)
    },
    onDisconnect(listener) {
      disconnectListeners.add(listener)
      return () => disconnectListeners.delete(listener)
    },
    offlineAfterMs,
    // An agent reports by itself.
    start() {},
    async stop() {},
    receiveHost(received) {
      if (received.boot_time >= facts.host.boot_time) facts = { ...facts, host: received }
    },
    receiveAddresses(geoip) {
      facts = { ...facts, geoip }
    },
    receiveState(received, at) {
      state = received
      for (const listener of reportListeners) listener({ facts, state, at })
    },
    disconnected() {
      for (const listener of disconnectListeners) listener()
    },
  }
}

const probeTypes = { http: taskTypes.probeHttp, icmp: taskTypes.probeIcmp, tcp: taskTypes.probeTcp } as const

/** The text of agents whose setting `disable_send_query` is on. */
const probesDisabled = 'This server has disabled query sending'

const noDetails: HostDetails = {
  platform: '',
  platform_version: '',
  cpu: [],
  mem_total: 0,
  disk_total: 0,
  swap_total: 0,
  arch: '',
  virtualization: '',
  boot_time: 0,
  version: '',
  gpu: [],
}

const noState: HostState = {
  cpu: 0,
  mem_used: 0,
  swap_used: 0,
  disk_used: 0,
  net_in_transfer: 0,
  net_out_transfer: 0,
  net_in_speed: 0,
  net_out_speed: 0,
  uptime: 0,
  load_1: 0,
  load_5: 0,
  load_15: 0,
  tcp_conn_count: 0,
  udp_conn_count: 0,
  process_count: 0,
  temperatures: [],
  gpu: [],
}

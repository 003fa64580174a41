import { errorCause } from '../../../../src/domain/errors.ts'
import {
  ChecksNotPermittedError,
  type Host,
  type HostAddresses,
  type HostDetails,
  type HostFacts,
  type HostState,
  HostUnavailableError,
  MachineGoneError,
  type ReportListener,
} from '../host.ts'
import { hostWithPort } from '../parseTarget.ts'
import { runByAgent } from './agentCommand.ts'
import { createAgentConfig } from './agentConfig.ts'
import { type AgentConnection, AgentNotConnected, taskTypes } from './agentConnection.ts'
import { createAgentFiles } from './agentFiles.ts'
import { createAgentOperations } from './agentOperations.ts'
import { probeByAgent } from './agentProbe.ts'
import { openAgentShell } from './agentShell.ts'
import { createAgentStreams } from './agentStreams.ts'
import { connectThroughAgent } from './agentTunnel.ts'

/** A machine behind an agent. The folder `agents` has the connection, and passes in what the agent reports. */
export interface AgentHost extends Host {
  /** What rarely changes. Reports of before a boot, which come late, are ignored. */
  receiveHost(host: HostDetails): void
  receiveAddresses(addresses: HostAddresses): void
  /** Replaces what is known, whatever the time of its boot: another machine has taken the place. */
  replaceFacts(changed: Partial<Omit<HostFacts, 'uuid'>>): void
  /** @param at when it came */
  receiveState(state: HostState, at: Date): void
  /** The agent has ended its reports. */
  disconnected(): void
}

/** Three of the slowest reports, which come every four seconds (docs/contract/AGENT.md#3-calls-and-their-order). */
export const offlineAfterMs = 12_000

export interface AgentHostOptions {
  connection: AgentConnection
  /** What was known of the machine before. */
  facts?: HostFacts
  /** Milliseconds: how late this server is, so that reports may wait that long. Default: 0. */
  lateMs?: () => number
}

export function createAgentHost({ connection, facts: savedFacts, lateMs = () => 0 }: AgentHostOptions): AgentHost {
  const { uuid } = connection
  const reportListeners = new Set<ReportListener>()
  const disconnectListeners = new Set<() => void>()
  let facts: HostFacts = { uuid, host: noDetails, geoip: { ip: {} }, ...savedFacts, duplicates: undefined }
  // Of this run of the server: the clock of a machine may be set back while nobody listens.
  let bootTime = 0
  const config = createAgentConfig(connection, () => facts.host.version)
  const streams = createAgentStreams({ connection, readConfig: config.read })

  return {
    name: () => '',
    facts: async () => facts,
    run: (command, options) => runByAgent(connection, command, options),
    canRunCommands: () => true,
    openShell: (size) => openAgentShell(streams, size),
    probe: (check, options) => probeByAgent(connection, check, options),
    files: createAgentFiles(streams),
    operations: createAgentOperations({ connection, streams, version: () => facts.host.version }),
    connect: (target, signal) => connectThroughAgent(streams, target, signal),
    async dial(host, port, { signal }) {
      try {
        return { stream: await connectThroughAgent(streams, hostWithPort(host, port), signal) }
      } catch (error) {
        const cause = errorCause(error)
        // An agent that is silent has this switched off, and does not say so.
        if (cause instanceof HostUnavailableError && (cause.reason === 'disabled' || cause.reason === 'silent')) {
          throw new ChecksNotPermittedError('disable_nat')
        }
        if (cause instanceof HostUnavailableError && cause.reason === 'busy') throw new ChecksNotPermittedError('busy')
        if (cause instanceof HostUnavailableError && cause.reason === 'offline') throw new MachineGoneError()
        throw error
      }
    },
    config: config.read,
    applyConfig: config.apply,
    async orderUpdate(beforeOrder) {
      if (await config.refusesUpdates()) {
        throw new Error('the agent follows no orders to update (disable_force_update)')
      }
      beforeOrder?.()
      if (!connection.send({ type: taskTypes.update })) throw new AgentNotConnected('the agent is not connected')
    },
    changeSecret: config.changeSecret,
    onReport(listener) {
      reportListeners.add(listener)
      return () => reportListeners.delete(listener)
    },
    onDisconnect(listener) {
      disconnectListeners.add(listener)
      return () => disconnectListeners.delete(listener)
    },
    get offlineAfterMs() {
      return offlineAfterMs + lateMs()
    },
    // An agent reports by itself.
    start() {},
    async stop() {},
    receiveHost(received) {
      if (received.boot_time < bootTime) return
      bootTime = received.boot_time
      facts = { ...facts, host: received }
    },
    receiveAddresses(geoip) {
      facts = { ...facts, geoip }
    },
    replaceFacts(changed) {
      facts = { ...facts, ...changed }
      bootTime = facts.host.boot_time
    },
    receiveState(state, at) {
      for (const listener of reportListeners) listener({ facts, state, at })
    },
    disconnected() {
      for (const listener of disconnectListeners) listener()
    },
  }
}

/** What is known of a machine before it has reported. */
export const noDetails: HostDetails = {
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

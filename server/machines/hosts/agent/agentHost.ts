import type { Duplex } from 'node:stream'
import { errorCause } from '../../../../src/domain/errors.ts'
import type { HostFiles } from '../files.ts'
import {
  ChecksNotPermittedError,
  type DialOptions,
  type Host,
  type HostAddresses,
  type HostDetails,
  type HostFacts,
  type HostState,
  HostUnavailableError,
  hostWithPort,
  MachineGoneError,
  type ReportListener,
  type RunOptions,
  type RunResult,
  type Shell,
  type TerminalSize,
} from '../host.ts'
import type { HostOperations } from '../operations.ts'
import type { Check, ProbeOptions, ProbeResult } from '../probe.ts'
import { runByAgent } from './agentCommand.ts'
import { type AgentConfig, createAgentConfig } from './agentConfig.ts'
import { type AgentConnection, AgentNotConnected, taskTypes } from './agentConnection.ts'
import { createAgentFiles } from './agentFiles.ts'
import { createAgentOperations } from './agentOperations.ts'
import { probeByAgent } from './agentProbe.ts'
import { openAgentShell } from './agentShell.ts'
import { type AgentStreams, createAgentStreams } from './agentStreams.ts'
import { connectThroughAgent } from './agentTunnel.ts'

/** Three of the slowest reports, which come every four seconds (docs/contract/AGENT.md#3-calls-and-their-order). */
export const offlineAfterMs = 12_000

export interface AgentHostOptions {
  connection: AgentConnection
  /** What was known of the machine before. */
  facts?: HostFacts
  /** Milliseconds: how late this server is, so that reports may wait that long. Default: 0. */
  lateMs?: () => number
}

/**
 * A machine behind an agent. The folder `agents` has the connection, and passes in what the agent reports. There are
 * thousands, of most of which nobody asks anything: what is needed for that is made when somebody does.
 */
export class AgentHost implements Host {
  readonly #connection: AgentConnection
  readonly #lateMs: () => number
  #reportListeners: readonly ReportListener[] = []
  #disconnectListeners: readonly (() => void)[] = []
  #facts: HostFacts
  // Of this run of the server: the clock of a machine may be set back while nobody listens.
  #bootTime = 0
  #ownConfig: AgentConfig | undefined
  #ownStreams: AgentStreams | undefined
  #ownFiles: HostFiles | undefined
  #ownOperations: HostOperations | undefined

  constructor({ connection, facts, lateMs = () => 0 }: AgentHostOptions) {
    this.#connection = connection
    this.#lateMs = lateMs
    const { uuid } = connection
    this.#facts = { uuid, host: noDetails, geoip: { ip: {} }, ...facts, duplicates: undefined }
  }

  readonly #version = () => this.#facts.host.version

  get #config(): AgentConfig {
    this.#ownConfig ??= createAgentConfig(this.#connection, this.#version)
    return this.#ownConfig
  }

  get #streams(): AgentStreams {
    this.#ownStreams ??= createAgentStreams({ connection: this.#connection, readConfig: this.#config.read })
    return this.#ownStreams
  }

  get files(): HostFiles {
    this.#ownFiles ??= createAgentFiles(this.#streams)
    return this.#ownFiles
  }

  get operations(): HostOperations {
    const [connection, streams, version] = [this.#connection, this.#streams, this.#version]
    this.#ownOperations ??= createAgentOperations({ connection, streams, version })
    return this.#ownOperations
  }

  name(): string {
    return ''
  }

  async facts(): Promise<HostFacts> {
    return this.#facts
  }

  run(command: string, options: RunOptions): Promise<RunResult> {
    return runByAgent(this.#connection, command, options)
  }

  canRunCommands(): boolean {
    return true
  }

  openShell(size: TerminalSize): Promise<Shell> {
    return openAgentShell(this.#streams, size)
  }

  probe(check: Check, options: ProbeOptions): Promise<ProbeResult | undefined> {
    return probeByAgent(this.#connection, check, options)
  }

  connect(target: string, signal: AbortSignal): Promise<Duplex> {
    return connectThroughAgent(this.#streams, target, signal)
  }

  async dial(host: string, port: number, { signal }: DialOptions): Promise<{ stream: Duplex }> {
    try {
      return { stream: await connectThroughAgent(this.#streams, hostWithPort(host, port), signal) }
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
  }

  config(): Promise<string> {
    return this.#config.read()
  }

  applyConfig(text: string): Promise<{ reconnects: boolean }> {
    return this.#config.apply(text)
  }

  async orderUpdate(beforeOrder?: () => void): Promise<void> {
    if (await this.#config.refusesUpdates()) {
      throw new Error('the agent follows no orders to update (disable_force_update)')
    }
    beforeOrder?.()
    if (!this.#connection.send({ type: taskTypes.update })) throw new AgentNotConnected('the agent is not connected')
  }

  changeSecret(secret: string): Promise<string | undefined> {
    return this.#config.changeSecret(secret)
  }

  onReport(listener: ReportListener): () => void {
    this.#reportListeners = [...this.#reportListeners, listener]
    return () => {
      this.#reportListeners = this.#reportListeners.filter((other) => other !== listener)
    }
  }

  onDisconnect(listener: () => void): () => void {
    this.#disconnectListeners = [...this.#disconnectListeners, listener]
    return () => {
      this.#disconnectListeners = this.#disconnectListeners.filter((other) => other !== listener)
    }
  }

  get offlineAfterMs(): number {
    return offlineAfterMs + this.#lateMs()
  }

  /** An agent reports by itself. */
  start(): void {}

  async stop(): Promise<void> {}

  /** What rarely changes. Reports of before a boot, which come late, are ignored. */
  receiveHost(host: HostDetails): void {
    if (host.boot_time < this.#bootTime) return
    this.#bootTime = host.boot_time
    this.#facts = { ...this.#facts, host }
  }

  receiveAddresses(geoip: HostAddresses): void {
    this.#facts = { ...this.#facts, geoip }
  }

  /** Replaces what is known, whatever the time of its boot: another machine has taken the place. */
  replaceFacts(changed: Partial<Omit<HostFacts, 'uuid'>>): void {
    this.#facts = { ...this.#facts, ...changed }
    this.#bootTime = this.#facts.host.boot_time
  }

  /** @param at when it came */
  receiveState(state: HostState, at: Date): void {
    for (const listener of this.#reportListeners) listener({ facts: this.#facts, state, at })
  }

  /** The agent has ended its reports. */
  disconnected(): void {
    for (const listener of this.#disconnectListeners) listener()
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

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentCall, AgentCalls } from './agentCalls.ts'
import type { GeoIpMessage, HostMessage, StateMessage, TaskMessage } from './agentMessages.ts'
import { type AgentSettings, defaultSettings } from './agentSettings.ts'
import { AgentTrace } from './agentTrace.ts'
import { type AgentTraits, type AgentVersion, versions } from './agentVersions.ts'
import { defaultHost, defaultState } from './hostReport.ts'
import type { Ping, ServingAgent } from './servingAgent.ts'
import { OpenStreams } from './streams/openStreams.ts'
import { answerTask } from './tasks/answerTask.ts'
import { runPing } from './tasks/probes.ts'

export interface AgentOptions {
  /** `host:port`. */
  server: string
  secret: string
  version?: AgentVersion
  uuid?: string
  settings?: Partial<AgentSettings>
  /** What the agent says about its machine; `version` is added. */
  host?: HostMessage
  /** Makes each report. @param count 0 for the first report of the process */
  state?: (count: number) => StateMessage
  /** Public addresses of the machine; empty: the agent finds none. */
  addresses?: { ipv4?: string; ipv6?: string }
  /** The agent's working folder: commands and shells start there. */
  folder?: string
  /** Where file sessions begin when a folder cannot be listed. */
  home?: string
  /** The certificate of an authority that the agent trusts. */
  ca?: string
  ping?: Ping
  /**
   * Multiplies the pauses that an agent makes by itself: 10 s before it connects again, 10 s before it reloads,
   * `report_delay`, and 30 s between keepalives of a session. It does not change how long it waits for somebody else.
   */
  timeScale?: number
  /** Milliseconds that it gives a server to end the stream of states before it cancels that. Default: as real ones. */
  endOfStatesMs?: number
  /** Whether to keep what is sent and received. */
  traces?: boolean
}

/** Why a connection was given up. */
type EndReason = 'stop' | 'reload' | 'cannot encode' | 'server is silent' | 'stream ended'

/** Milliseconds (docs/contract/AGENT.md#3-calls-and-their-order and docs/contract/AGENT.md#11-older-agents). */
const times = {
  reconnect: 10_000,
  reload: 10_000,
  endOfStates: 10_000,
  hostReport: 600_000,
  taskAtMost: 30_000,
  receiptAtMost: 10_000,
}

/** How often a machine without addresses looks for them before it says that it has none. */
const addressAttempts = 3

/**
 * An agent that speaks the channel as the real ones do (docs/contract/AGENT.md): their metadata, order of calls, lock
 * step, answers, shells and files. `tests/server/agents/testAgent.test.ts` compares it with the recordings.
 */
export class TestAgent implements ServingAgent {
  settings: AgentSettings
  addresses: { ipv4?: string; ipv6?: string }
  host: HostMessage
  readonly traits: AgentTraits
  readonly trace = new AgentTrace()
  readonly folder: string
  readonly home: string
  readonly ping: Ping
  /** How many connections were made. */
  connections = 0
  /** The receipts of the present connection. */
  receipts = 0
  printedBytes = 0
  /** Why the last connection attempt or connection ended, as the server said. */
  lastStatus: { code: number; details: string } | undefined
  /** Whether a new configuration waits to be used. */
  isReloadPending = false
  readonly #options: AgentOptions
  readonly #scale: number
  readonly #over = new AbortController()
  #running: Promise<void> | undefined
  #end: ((reason: EndReason) => void) | undefined
  #reloadTimer: NodeJS.Timeout | undefined
  #states = 0
  #bootTime: number | undefined
  #sentAddresses: string | undefined
  #failedLookups = 0
  #nextLookup = 0
  #nextHostReport = 0
  #hasReportedHostTwice = false
  #isFrozen = false
  #thaw: (() => void) | undefined
  #tasks: AgentCall<'RequestTask'> | undefined

  constructor(options: AgentOptions) {
    const { version = '2.3.3' } = options
    this.#options = options
    this.#scale = options.timeScale ?? 1
    this.traits = versions[version]
    this.settings = {
      ...defaultSettings(version),
      server: options.server,
      client_secret: options.secret,
      uuid: options.uuid ?? randomUUID(),
      ...options.settings,
    }
    this.addresses = options.addresses ?? { ipv4: '203.0.113.10' }
    this.host = { ...(options.host ?? defaultHost()), version }
    this.folder = options.folder ?? process.cwd()
    this.home = options.home ?? this.folder
    this.ping = options.ping ?? runPing
    if (options.traces === false) this.trace.turnOff()
  }

  get uuid(): string {
    return this.settings.uuid
  }

  /** Milliseconds of a pause that the agent makes by itself. */
  scaled(ms: number): number {
    return ms * this.#scale
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends as on SIGTERM. */
  async stop(): Promise<void> {
    this.#over.abort()
    clearTimeout(this.#reloadTimer)
    this.thaw()
    this.#end?.('stop')
    await this.#running
  }

  /** As with SIGSTOP: connections stay, and nothing is read or sent. */
  freeze(): void {
    this.#isFrozen = true
    this.#tasks?.pause()
  }

  thaw(): void {
    this.#isFrozen = false
    this.#tasks?.resume()
    this.#thaw?.()
  }

  /** Uses new settings after 10 s, on a new connection. A later call replaces an earlier one. */
  reload(settings: AgentSettings): void {
    this.isReloadPending = true
    clearTimeout(this.#reloadTimer)
    this.#reloadTimer = setTimeout(() => {
      this.isReloadPending = false
      this.settings = settings
      this.#sentAddresses = undefined
      this.#end?.('reload')
    }, this.scaled(times.reload))
  }

  async #run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#connect().catch((error: { code?: number; details?: string }) => {
        this.lastStatus = { code: error.code ?? 2, details: error.details ?? String(error) }
      })
      await wait(this.scaled(times.reconnect), undefined, { signal: this.#over.signal }).catch(() => {})
    }
  }

  async #connect(): Promise<void> {
    const { settings, traits } = this
    const calls = new AgentCalls({
      server: settings.server,
      userAgent: traits.userAgent,
      metadata: {
        client_secret: settings.client_secret,
        client_uuid: settings.uuid,
        ...(traits.sendsHyphenNames && { 'client-secret': settings.client_secret, 'client-uuid': settings.uuid }),
      },
      tls: settings.tls ? { insecure: settings.insecure_tls, ca: this.#options.ca } : undefined,
      trace: this.trace,
    })
    const open = new OpenStreams()
    try {
      const { data } = await calls.unary('ReportSystemInfo2', this.host, traits.deadlines.first)
      this.#noteBootTime(data)
      if (this.#over.signal.aborted) return
      this.connections += 1
      this.receipts = 0
      await this.#serve(calls, open)
    } finally {
      this.#end = undefined
      this.#tasks = undefined
      open.endAll()
      calls.close()
    }
  }

  /** From the opening of both streams until the connection is given up. */
  async #serve(calls: AgentCalls, open: OpenStreams): Promise<void> {
    const over = Promise.withResolvers<EndReason>()
    this.#end = over.resolve
    const tasks = calls.stream('RequestTask')
    const states = calls.stream('ReportSystemState')
    this.#tasks = tasks
    for (const stream of [tasks, states]) {
      void stream.status.then((status) => {
        if (this.#tasks === tasks && status.code !== 1) this.lastStatus = status
        over.resolve('stream ended')
      })
    }
    const silence = this.traits.needsKeepalive
      ? setTimeout(() => over.resolve('server is silent'), times.taskAtMost)
      : undefined
    tasks.onMessage((task) => {
      silence?.refresh()
      this.#answer(task, { tasks, calls, open, onUnencodable: () => over.resolve('cannot encode') })
    })
    const reporting = new AbortController()
    const reports = this.#report(calls, states, reporting.signal).then(
      (isSilent) => isSilent && over.resolve('server is silent'),
      () => over.resolve('stream ended'),
    )
    const reason = await over.promise
    reporting.abort()
    clearTimeout(silence)
    await this.#close(reason, tasks, states)
    await reports
  }

  #answer(
    task: TaskMessage,
    on: { tasks: AgentCall<'RequestTask'>; calls: AgentCalls; open: OpenStreams; onUnencodable: () => void },
  ): void {
    void answerTask(this, task, {
      openStream: () => on.open.add(on.calls.stream('IOStream')),
      send: (result) => on.tasks.send({ id: task.id, type: task.type, ...result }),
      onUnencodable: on.onUnencodable,
    })
  }

  /** One state after the other, each after the receipt of the one before. @returns whether the server fell silent */
  async #report(calls: AgentCalls, states: AgentCall<'ReportSystemState'>, signal: AbortSignal): Promise<boolean> {
    let onReceipt: (() => void) | undefined
    states.onMessage(() => {
      this.receipts += 1
      onReceipt?.()
    })
    while (!signal.aborted) {
      const received = Promise.withResolvers<boolean>()
      onReceipt = () => received.resolve(true)
      states.send((this.#options.state ?? defaultState)(this.#states))
      this.#states += 1
      const limit = this.traits.needsKeepalive
        ? setTimeout(() => received.resolve(false), times.receiptAtMost)
        : undefined
      signal.addEventListener('abort', () => received.resolve(true), { once: true })
      const isReceived = await received.promise
      clearTimeout(limit)
      if (!isReceived) return true
      if (signal.aborted) break
      await this.#reportHost(calls)
      await this.#reportAddresses(calls)
      await wait(this.scaled(this.settings.report_delay * 1000), undefined, { signal }).catch(() => {})
      if (this.#isFrozen) await new Promise<void>((resolve) => (this.#thaw = resolve))
    }
    return false
  }

  /** Again right after the first state of the process, then every ten minutes. */
  async #reportHost(calls: AgentCalls): Promise<void> {
    if (this.#hasReportedHostTwice && Date.now() < this.#nextHostReport) return
    const { data } = await calls.unary('ReportSystemInfo2', this.host, this.traits.deadlines.later)
    this.#hasReportedHostTwice = true
    this.#nextHostReport = Date.now() + times.hostReport
    this.#noteBootTime(data)
  }

  async #reportAddresses(calls: AgentCalls): Promise<void> {
    const isDue = this.#sentAddresses === undefined || Date.now() >= this.#nextLookup
    if (!isDue) return
    const found = this.addresses
    const text = JSON.stringify(found)
    const hasNone = !found.ipv4 && !found.ipv6
    this.#failedLookups = hasNone ? this.#failedLookups + 1 : 0
    if (hasNone && this.#failedLookups < addressAttempts) return
    this.#nextLookup = Date.now() + this.scaled(this.settings.ip_report_period * 1000)
    if (text === this.#sentAddresses) return
    const message: GeoIpMessage = hasNone ? {} : { use6: this.settings.use_ipv6_country_code, ip: found }
    const { dashboard_boot_time } = await calls.unary('ReportGeoIP', message, this.traits.deadlines.later)
    this.#sentAddresses = text
    this.#bootTime = dashboard_boot_time
  }

  /** A server that was started again forgets addresses, so they are sent again. */
  #noteBootTime(bootTime: number | undefined): void {
    if (!bootTime || bootTime !== this.#bootTime) this.#sentAddresses = undefined
    this.#bootTime = bootTime
  }

  async #close(
    reason: EndReason,
    tasks: AgentCall<'RequestTask'>,
    states: AgentCall<'ReportSystemState'>,
  ): Promise<void> {
    const giveUp = (stream: AgentCall<'RequestTask'> | AgentCall<'ReportSystemState'>) => {
      stream.halfClose()
      stream.cancel()
    }
    if (!this.traits.endsGracefully || reason === 'stop') {
      giveUp(tasks)
      giveUp(states)
    } else {
      if (reason !== 'reload') giveUp(tasks)
      states.halfClose()
      await Promise.race([
        states.status,
        wait(this.#options.endOfStatesMs ?? times.endOfStates, undefined, { ref: false }),
      ])
      giveUp(tasks)
      giveUp(states)
    }
    await Promise.all([tasks.status, states.status])
  }
}

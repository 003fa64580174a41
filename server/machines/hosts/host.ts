import type { Duplex } from 'node:stream'
import type { HostFiles } from './files.ts'
import type { Check, ProbeOptions, ProbeResult } from './probe.ts'

/**
 * What a monitored machine can do. The server knows machines only through this interface, so a machine that is
 * reached in another way (an agent over the network) is one more file beside `local.ts`.
 *
 * Field names are those of the wire. A figure that cannot be had is 0, '' or empty: what is left out of a reply is
 * decided where replies are written, not here.
 */
export interface Host {
  /** The name the machine gives itself. */
  name(): string
  /** What hardly ever changes. Waits for the first look at disks and platform, ten seconds at most. */
  facts(): Promise<HostFacts>
  /**
   * The moving figures, read now. Rates (cpu, network speeds) span the time since the previous read.
   * Rejects when nothing at all could be read.
   */
  read(): Promise<HostState>
  /**
   * Runs a command in the machine's shell, with a fresh environment and nothing to read from. Never rejects: a
   * command that cannot be started is a result as well.
   */
  run(command: string, options: RunOptions): Promise<RunResult>
  /** Whether people may run commands there at all. Where not, terminals and file managers open and stay silent. */
  runsCommands(): boolean
  /** Opens a login shell in a terminal of its own, with a fresh environment. Rejects when it cannot be started. */
  openShell(size: TerminalSize): Promise<Shell>
  /**
   * Asks a service once, from there. Never rejects: how it failed is a result as well, and so is that the machine
   * may not ask.
   */
  probe(check: Check, options: ProbeOptions): Promise<ProbeResult>
  files: HostFiles
  /**
   * Connects to a TCP service in the machine's network, `host:port`. Whoever asked ends the stream.
   * @param signal gives up, while it is not connected
   * @throws ConnectError, or the reason of `signal`
   */
  connect(target: string, signal: AbortSignal): Promise<Duplex>
  /** The machine's own settings as JSON text, the keys of `serverConfig` among them. May reject while it reloads. */
  config(): Promise<string>
  /**
   * Gives the machine new settings as JSON text: keys that are left out stay as they are. It takes them over by itself,
   * later perhaps; what it cannot use it refuses without a word here, as agents do.
   */
  applyConfig(text: string): Promise<void>
  /** Tells the machine to bring its software up to date. It may refuse without a word. */
  orderUpdate(): Promise<void>
  /** Calls `listener` with every report until the returned function is called. */
  onReport(listener: ReportListener): () => void
  /** Begins to report; does nothing when it already does. */
  start(): void
  /** Ends the reports; resolves when no read is under way any more. May be started again. */
  stop(): Promise<void>
}

/** Why a machine does not connect, as a sentence. It names no address: strangers may read it. */
export class ConnectError extends Error {}

export interface RunOptions {
  /** The command and all that it started are killed after this. */
  timeoutMs: number
  /** Of standard output and standard error together; what comes after is dropped. */
  maxOutputBytes: number
  /** Kills the command and all that it started. */
  signal?: AbortSignal
}

export interface RunResult {
  /** As the shell told it; `null` when it was killed or never started. */
  exitCode: number | null
  /** `failed`: it could not be started, and `output` says why. */
  ended: 'exited' | 'timeout' | 'aborted' | 'failed'
  output: string
  /** Whether there was more output than is kept. */
  truncated: boolean
}

export interface TerminalSize {
  rows: number
  cols: number
}

/** A running shell and all that was started in it. */
export interface Shell {
  /** What it prints, as bytes and in order. There is one listener; before it is set, nothing is lost. */
  onData(listener: (bytes: Uint8Array) => void): void
  /** Called once, when the shell has ended and all its output was told. */
  onExit(listener: () => void): void
  /** Types into it. What the program does not read waits here. */
  write(bytes: Uint8Array): void
  /** Bytes that were written and wait for the program to read. */
  waiting(): number
  resize(size: TerminalSize): void
  /** Stops reading what it prints, which makes it wait soon. */
  pause(): void
  resume(): void
  /** Hangs up and then kills what did not go; resolves when it is done. */
  kill(): Promise<void>
}

export type ReportListener = (report: HostReport) => void

export interface HostReport {
  facts: HostFacts
  state: HostState
  /** When the figures were read. */
  at: Date
}

export interface HostFacts {
  /** Names the machine for ever, across restarts and renames. */
  uuid: string
  host: HostDetails
  geoip: HostAddresses
}

export interface HostDetails {
  /** `debian`, `ubuntu`, `darwin`, `Microsoft Windows 11 Pro` ... */
  platform: string
  platform_version: string
  /** One line per processor model: `Intel(R) Xeon(R) Processor 2 Virtual Core`. */
  cpu: string[]
  /** Bytes. */
  mem_total: number
  /** Bytes, over all local disks. */
  disk_total: number
  /** Bytes. */
  swap_total: number
  /** As the kernel names it: `x86_64`, `aarch64`. */
  arch: string
  /** `docker`, `kvm`, `vmware` ...; empty on bare metal. */
  virtualization: string
  /** Seconds since 1970. */
  boot_time: number
  /** Version of the software that reports. */
  version: string
  /** Names of the graphics processors. */
  gpu: string[]
}

export interface HostAddresses {
  ip: { ipv4_addr?: string; ipv6_addr?: string }
  /** ISO 3166, two small letters. */
  country_code?: string
}

export interface HostState {
  /** Percent of all processors together, 0 to 100. */
  cpu: number
  /** Bytes: what programs cannot get any more, so without caches. */
  mem_used: number
  /** Bytes. */
  swap_used: number
  /** Bytes, over all local disks. */
  disk_used: number
  /** Bytes received since boot. */
  net_in_transfer: number
  /** Bytes sent since boot. */
  net_out_transfer: number
  /** Bytes per second. */
  net_in_speed: number
  /** Bytes per second. */
  net_out_speed: number
  /** Seconds since boot. */
  uptime: number
  load_1: number
  load_5: number
  load_15: number
  /** TCP sockets in use, listening ones included. */
  tcp_conn_count: number
  udp_conn_count: number
  process_count: number
  /** Degrees Celsius; capitalised keys because the wire has them so. */
  temperatures: { Name: string; Temperature: number }[]
  /** Percent, one per graphics processor that tells. */
  gpu: number[]
}

import type { Duplex } from 'node:stream'
import type { SessionCloseReason } from '../../../src/schemas/frames/sessionClose.ts'
import type { Dialed } from '../../outbound/dial.ts'
import type { HostFiles } from './files.ts'
import type { HostOperations } from './operations.ts'
import type { Check, Pings, ProbeOptions, ProbeResult } from './probe.ts'

/**
 * A monitored machine and what can be done with it. The server knows machines only through this interface. The machine
 * that the server runs on is `local/localHost.ts`; machines reached in another way, such as by an agent over the
 * network, are another implementation beside it.
 *
 * The fields of facts and state have the names of the wire (docs/contract/CONTRACT.md#54-servers). A metric that is not
 * available is 0, '' or empty; which fields a reply leaves out is decided where replies are written.
 */
export interface Host {
  /** The host name that the machine has itself. */
  name(): string
  /** What rarely changes. Waits for the first reading of disks and platform, at most ten seconds. */
  facts(): Promise<HostFacts>
  /**
   * Runs a command in the machine's shell, with no standard input. Never rejects: a command that could not be started is
   * a result too. Machines with an agent have limits of their own, see `agent/agentCommand.ts`.
   */
  run(command: string, options: RunOptions): Promise<RunResult>
  /** Whether commands are allowed on the machine, as far as it is known. If not, no terminals and files can be opened. */
  canRunCommands(): boolean
  /**
   * Opens a login shell in a new terminal, with a minimal environment.
   * @throws HostUnavailableError, or another Error when the shell could not be started
   */
  openShell(size: TerminalSize): Promise<Shell>
  /**
   * Checks a service once, from this machine. Never rejects: failures are results, and so is a machine that is not
   * allowed to check.
   * @returns `undefined` when the machine has gone before it answered
   */
  probe(check: Check, options: ProbeOptions): Promise<ProbeResult | undefined>
  /** Whether this server runs on it: who owns it has the rights of the server's user there. */
  runsServer?: true
  files: HostFiles
  operations: HostOperations
  /**
   * Connects to a TCP service in the machine's network. The caller ends the stream.
   * @param target `host:port`; an IPv6 address in brackets
   * @param signal aborts the attempt to connect; it has no effect afterwards
   * @throws ConnectError, or the reason of `signal`
   */
  connect(target: string, signal: AbortSignal): Promise<Duplex>
  /**
   * Connects to a port for a check of a service, from this machine. The caller ends the stream.
   * @param host a name or an address, IPv6 without brackets
   * @throws ChecksNotPermittedError where the machine is set up to make no such connection, MachineGoneError,
   *   ConnectError, or another error of the connection
   */
  dial(host: string, port: number, options: DialOptions): Promise<Dialed>
  /**
   * Sends a datagram for a check of a service, and waits for its answer. Absent where a machine cannot.
   * @throws as `dial`
   */
  exchange?: (
    host: string,
    port: number,
    bytes: Uint8Array,
    options: DialOptions & { isAnswer: (bytes: Buffer) => boolean },
  ) => Promise<Buffer>
  /**
   * Sends pings for a check of a service. Absent where a machine cannot say how many came back.
   * @returns the milliseconds that each took that came back; `undefined` where the machine may not send any
   * @throws ChecksNotPermittedError, TargetNotAllowedError, or another error of looking up the name
   */
  ping?: (host: string, pings: Pings, options: ProbeOptions) => Promise<readonly number[] | undefined>
  /**
   * The machine's own settings as JSON text, with the keys of `serverConfig` in `src/schemas/machines/serverConfig.ts`
   * and perhaps others. May reject while the machine reloads.
   */
  config(): Promise<string>
  /**
   * Sends new settings as JSON text; keys that are missing keep their values.
   * @returns whether the machine disconnects to apply them: it is back about 20 seconds later. A machine with an agent
   *   that neither does so nor refuses was sent them, and it is not known whether it has accepted them
   * @throws Error with the machine's reason when it refuses them
   */
  applyConfig(text: string): Promise<{ reconnects: boolean }>
  /**
   * Asks the machine to update its software. There is no reply: one that was updated comes back with another version.
   * @param beforeOrder called right before the order: the machine is asked first whether it follows it, which takes a while
   * @throws Error when the order could not be sent, or the machine is known not to follow it, and what `beforeOrder` throws
   */
  orderUpdate(beforeOrder?: () => void): Promise<void>
  /**
   * Gives the machine another secret to connect with; it reconnects with it about 20 seconds later. Absent where a
   * machine needs no secret.
   * @returns the machine's reason when it refuses, as over a connection that anybody could read
   * @throws Error when it is not known whether the machine has taken the secret
   */
  changeSecret?: (secret: string) => Promise<string | undefined>
  /** Calls `listener` with every report, until the returned function is called. */
  onReport(listener: ReportListener): () => void
  /**
   * Calls `listener` when the machine has ended its reports, until the returned function is called: it is offline then,
   * until its next report.
   */
  onDisconnect(listener: () => void): () => void
  /** Milliseconds without a report after which the machine counts as offline. */
  readonly offlineAfterMs: number
  /** Starts to report; has no effect when already started. */
  start(): void
  /** Stops the reports and resolves when nothing is being read any more. `start` may be called again. */
  stop(): Promise<void>
}

/**
 * Why a connection was not made. The message is a sentence for the reply of a NAT profile
 * (docs/contract/CONTRACT.md#510-nat). It names no address, because people without an account may read it.
 */
export class ConnectError extends Error {}

export interface DialOptions {
  /** Whether the target may be in a private network of this server, or be the machine itself. */
  allowPrivate: boolean
  /** Aborts the attempt. */
  signal: AbortSignal
}

/** The machine makes no connection for a check; `reason` is the key of why. */
export class ChecksNotPermittedError extends Error {
  /** A setting of the machine, or that it has too many connections. */
  readonly reason: 'disable_nat' | 'disable_send_query' | 'busy'

  constructor(reason: ChecksNotPermittedError['reason']) {
    super(`the machine makes no connections for checks (${reason})`)
    this.reason = reason
  }
}

/** The machine has gone, so that nothing is known of what it was asked for. */
export class MachineGoneError extends Error {}

/** Why a machine that is online opens no terminal and no other stream. */
export class HostUnavailableError extends Error {
  readonly reason: SessionCloseReason

  constructor(reason: SessionCloseReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export interface RunOptions {
  /** Milliseconds after which the command and all its child processes are killed. */
  timeoutMs: number
  /** Bytes at the end of standard output and standard error together; what comes before is dropped. */
  maxOutputBytes: number
  /** Kills the command and all its child processes. */
  signal?: AbortSignal
  /**
   * Called where the machine sends its output while the command runs.
   * @param readOutput returns what there is so far
   */
  onStart?: (readOutput: () => string) => void
}

export interface RunResult {
  /** Exit code of the shell; `null` when the command was killed or never started. */
  exitCode: number | null
  /**
   * `failed`: the command could not be started, and `output` is the error message. `lost`: it was started, and the
   * connection to the machine ended before the result; it may still run, and `output` says so.
   */
  ended: 'exited' | 'timeout' | 'aborted' | 'failed' | 'lost'
  /** Standard output and standard error in the order in which they arrived, decoded as UTF-8. */
  output: string
  /** Whether the beginning of the output was dropped. */
  truncated: boolean
}

/** In characters. */
export interface TerminalSize {
  rows: number
  cols: number
}

/** A running shell with its terminal and all processes started in it. */
export interface Shell {
  /** Sets the only listener for output: raw bytes in order. Output before the first listener is not lost. */
  onData(listener: (bytes: Uint8Array) => void): void
  /** Calls `listener` once, when the shell has exited and all output was passed on. */
  onExit(listener: () => void): void
  /** Sends input. Bytes that the program does not read yet wait in memory. */
  write(bytes: Uint8Array): void
  /** Number of bytes of input that wait for the program to read them. */
  pendingInputBytes(): number
  resize(size: TerminalSize): void
  /** Stops reading output. The program blocks as soon as the terminal's buffer is full. */
  pause(): void
  resume(): void
  /** Sends a hang-up to all processes and kills those that remain; resolves when done. */
  kill(): Promise<void>
}

export type ReportListener = (report: HostReport) => void

export interface HostReport {
  facts: HostFacts
  state: HostState
  /** When `state` was read. */
  at: Date
}

export interface HostFacts {
  /** Identifies the machine; never changes, even when the machine is renamed. */
  uuid: string
  host: HostDetails
  geoip: HostAddresses
  /** The addresses of all machines that report with this uuid at the same time, when there are several. */
  duplicates?: readonly string[]
}

/** Field `host` of a server (docs/contract/CONTRACT.md#54-servers). */
export interface HostDetails {
  /** `debian`, `ubuntu`, `darwin`, `Microsoft Windows 11 Pro` ... */
  platform: string
  platform_version: string
  /** One entry per processor model: `Intel(R) Xeon(R) Processor 2 Virtual Core`. */
  cpu: string[]
  /** Bytes. */
  mem_total: number
  /** Bytes, over all local disks. */
  disk_total: number
  /** Bytes. */
  swap_total: number
  /** The kernel's name of the architecture: `x86_64`, `aarch64`. */
  arch: string
  /** `docker`, `kvm`, `vmware` ...; empty on bare metal. */
  virtualization: string
  /** Seconds since 1970. */
  boot_time: number
  /** Version of the agent; here of this server. */
  version: string
  /** Names of the graphics processors. */
  gpu: string[]
}

/** Field `geoip` of a server (docs/contract/CONTRACT.md#54-servers). */
export interface HostAddresses {
  ip: { ipv4_addr?: string; ipv6_addr?: string }
  /** ISO 3166, two lower-case letters. */
  country_code?: string
}

/** Field `state` of a server (docs/contract/CONTRACT.md#54-servers). */
export interface HostState {
  /** Percent of all processors together, 0 to 100. */
  cpu: number
  /** Bytes that are not available to programs; caches are available. */
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
  /** Degrees Celsius; the wire has these two keys with capital letters. */
  temperatures: { Name: string; Temperature: number }[]
  /** Percent, for each graphics processor that reports it. */
  gpu: number[]
}

/**
 * Splits the target of a NAT profile.
 * @param target `host:port`; an IPv6 address in brackets
 * @returns the host without brackets
 * @throws ConnectError when it is not one
 */
export function parseTarget(target: string): { host: string; port: number } {
  const [, bracketed, name, digits] = /^(?:\[(.*)\]|([^:]*)):(\d{1,5})$/.exec(target) ?? []
  const host = bracketed ?? name
  const port = Number(digits)
  if (!host || !(port >= 1 && port <= 65_535)) throw new ConnectError(invalidTarget)
  return { host, port }
}

/** The target of a host and a port: an IPv6 address is put in brackets. */
export const hostWithPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

const invalidTarget = 'The target behind this name is not one: it must be a host and a port.'

/** For addresses that are never allowed, as those of metadata services of clouds. */
export const targetNotAllowed = 'The target behind this name is not allowed.'

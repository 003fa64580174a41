import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { createConcurrencyLimit } from '../../../outbound/concurrencyLimit.ts'
import { openSocket, resolveTarget, TargetNotAllowedError } from '../../../outbound/dial.ts'
import { failureReason } from '../../../outbound/failureReason.ts'
import { guardedRequest } from '../../../outbound/guardedRequest.ts'
import { ApiError } from '../../../wire/apiCall.ts'
import type { Check, Pings, ProbeOptions, ProbeResult } from '../probe.ts'

export type Probe = (check: Check, options: ProbeOptions) => Promise<ProbeResult>

/**
 * Checks at the same time. 5,000 targets that do not answer, checked every 30 s with a timeout of 10 s, are 1,700 open
 * connections. Every ping is a process, which takes more memory but waits for less time.
 */
const maxConcurrent = { http: 2048, tcp: 2048, icmp: 128 } satisfies Record<Check['type'], number>
const maxPingMs = 3000

/** Checks services from the machine this process runs on. Never rejects. @param ping the command for ICMP */
export function createProbe({ ping = 'ping' } = {}): Probe {
  const sendPing = createPing(ping)
  const icmp: typeof sendPing = (target, options) =>
    sendPing(target, { ...options, timeoutMs: Math.min(maxPingMs, options.timeoutMs) })
  const byType = { http: probeHttp, icmp, tcp: probeTcp }
  const concurrency = {
    http: createConcurrencyLimit(maxConcurrent.http),
    tcp: createConcurrencyLimit(maxConcurrent.tcp),
    icmp: createConcurrencyLimit(maxConcurrent.icmp),
  }
  return async ({ type, target }, options) => {
    try {
      return await concurrency[type].run(async () => {
        options.signal?.throwIfAborted()
        return byType[type](target.trim(), options)
      })
    } catch (error) {
      if (error instanceof TargetNotAllowedError) return { outcome: 'not permitted', problem: error.message }
      if (error instanceof ApiError) return { outcome: 'down', problem: error.message }
      return { outcome: 'down', problem: failureReason(error) }
    }
  }
}

/** Pings a host several times, some hosts at once. @param ping the command for it */
export function createSeveralPings({ ping = 'ping' } = {}) {
  const concurrency = createConcurrencyLimit(maxConcurrent.icmp)
  return (host: string, pings: Pings, options: ProbeOptions): Promise<readonly number[] | undefined> =>
    concurrency.run(() => pingSeveral(ping, host, pings, options))
}

/**
 * Requests a URL and follows redirects: status 2xx and 3xx mean up, and the body is not read. Invalid certificates are
 * accepted, as by real agents; the certificate is part of the result.
 */
async function probeHttp(url: string, options: ProbeOptions): Promise<ProbeResult> {
  const startedAt = performance.now()
  const { code, text, certificate } = await guardedRequest(
    { url, method: 'GET', headers: () => ({}), verifyTls: false },
    options,
  )
  const delay = performance.now() - startedAt
  const withCertificate = certificate && { certificate }
  return code >= 200 && code < 400
    ? { outcome: 'up', delay, ...withCertificate }
    : { outcome: 'down', problem: text, ...withCertificate }
}

/** Opens a connection and closes it immediately. @param target `host:port` */
async function probeTcp(target: string, { timeoutMs, allowPrivate, signal }: ProbeOptions): Promise<ProbeResult> {
  const { host, port } = parseTarget(target)
  const timeout = AbortSignal.timeout(timeoutMs)
  const timeoutOrAbort = AbortSignal.any([timeout, ...(signal ? [signal] : [])])
  const addresses = await resolveTarget(host, { allowPrivate, signal: timeoutOrAbort }, 'TCP target')
  const startedAt = performance.now()
  // Connects to the addresses that were checked; the name is not resolved again.
  try {
    const socket = await openSocket(addresses, port, timeoutOrAbort)
    socket.destroy()
  } catch (cause) {
    throw toApiError(target, cause, timeout.aborted)
  }
  return { outcome: 'up', delay: performance.now() - startedAt }
}

/** @throws ApiError when the text is not `host:port` */
function parseTarget(target: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(target) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (!host || port < 1 || port > 65_535) throw new ApiError(`${target} is no host:port, as example.com:443`)
  return { host, port }
}

function toApiError(target: string, cause: unknown, isTimeout: boolean): ApiError {
  if (isTimeout) return new ApiError(`dial tcp ${target}: i/o timeout`)
  return new ApiError(`dial tcp ${target}: ${failureReason(cause)}`)
}

type CommandLine = [command: string, args: string[]]

interface CommandResult {
  /** Exit code; `undefined` when the command was not started. */
  code: number | undefined
  /** Error code when the command was not started. */
  failure: string | undefined
  /** Standard output and standard error. */
  text: string
}

/**
 * Pings with the system's command, which has permissions that this process may lack. Without the command, or if it has
 * no permission, the result is `not permitted`.
 */
function createPing(command: string) {
  return async (host: string, options: ProbeOptions): Promise<ProbeResult> => {
    const { address, leftMs } = await pingTarget(host, options)
    return toProbeResult(await run(commandLine(command, address, leftMs), leftMs, options.signal), command, host)
  }
}

/**
 * Pings a host several times with the system's command.
 * @returns the milliseconds that each took that came back; `undefined` without the command, or where it has no permission
 * @throws TargetNotAllowedError, an error of looking up the name, or the reason of the signal
 */
async function pingSeveral(
  command: string,
  host: string,
  pings: Pings,
  options: ProbeOptions,
): Promise<readonly number[] | undefined> {
  const { address, leftMs } = await pingTarget(host, options)
  // What has come back until the command is ended counts.
  const endsAfter = Math.max(1000, leftMs - 500)
  const { code, failure, text } = await run(severalCommandLine(command, address, pings), endsAfter, options.signal)
  if ((failure && failure !== 'ABORT_ERR') || (code !== 0 && noPermission.test(text))) return undefined
  return text
    .split('\n')
    .flatMap((line) => /[a-z]+[=<]\s?([\d.]+) ?ms/i.exec(line)?.slice(1) ?? [])
    .slice(0, pings.packets)
    .map(Number)
}

/**
 * The address of a host, and how many milliseconds are left to ping it; at least a second. The command gets an address
 * only: a name that begins with `-` would be an option.
 */
async function pingTarget(host: string, { timeoutMs, allowPrivate, signal }: ProbeOptions) {
  const end = performance.now() + timeoutMs
  const timeoutOrAbort = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  const [address] = await resolveTarget(host, { allowPrivate, signal: timeoutOrAbort }, 'ping target')
  return { address, leftMs: Math.ceil(Math.max(1000, end - performance.now())) }
}

function run([name, args]: CommandLine, timeoutMs: number, signal: AbortSignal | undefined): Promise<CommandResult> {
  return new Promise((resolve) => {
    // A new signal, because Node never removes its listener from it if the process could not be started.
    const controller = new AbortController()
    const abort = () => controller.abort()
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    // English messages, because they are parsed.
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', signal: controller.signal } as const
    const options = { env: { ...process.env, LC_ALL: 'C' }, ...limits }
    execFile(name, args, options, (error, output, problem) => {
      signal?.removeEventListener('abort', abort)
      const code = error ? error.code : 0
      const failure = typeof code === 'string' ? code : undefined
      resolve({ code: typeof code === 'number' ? code : undefined, failure, text: `${output}\n${problem}` })
    })
  })
}

/** The options for one ping and its timeout differ between systems. */
function commandLine(ping: string, address: string, timeoutMs: number): CommandLine {
  const isIPv6 = isIP(address) === 6
  const seconds = String(Math.max(1, Math.floor(timeoutMs / 1000)))
  if (process.platform === 'win32') return [ping, ['-n', '1', '-w', String(Math.floor(timeoutMs)), address]]
  if (process.platform === 'darwin') {
    return isIPv6 ? [`${ping}6`, ['-q', '-c', '1', address]] : [ping, ['-q', '-c', '1', '-t', seconds, address]]
  }
  return [ping, [...(isIPv6 ? ['-6'] : []), '-q', '-c', '1', '-W', seconds, address]]
}

/** Five pings a second: fewer than a second apart would otherwise be for the superuser only. */
function severalCommandLine(ping: string, address: string, { packets, size }: Pings): CommandLine {
  const isIPv6 = isIP(address) === 6
  const [count, bytes] = [String(packets), String(size)]
  if (process.platform === 'win32') return [ping, ['-n', count, '-l', bytes, '-w', '1000', address]]
  const args = ['-c', count, '-s', bytes, '-i', '0.2', address]
  if (process.platform === 'darwin') return [isIPv6 ? `${ping}6` : ping, args]
  return [ping, [...(isIPv6 ? ['-6'] : []), '-W', '2', ...args]]
}

/** Messages about missing permissions: Linux, BusyBox, macOS, Windows. */
const noPermission = /not permitted|permission denied|lacking privilege|access (is )?denied|are you root/i

function toProbeResult({ code, failure, text }: CommandResult, command: string, host: string): ProbeResult {
  if (failure === 'ENOENT') return notPermitted(`the command ${command} is missing on this machine`)
  if (failure === 'EACCES' || failure === 'EPERM') return notPermitted(`the command ${command} may not be run here`)
  // Such as EAGAIN or EMFILE; the status of the target is unknown then too.
  if (failure && failure !== 'ABORT_ERR') return notPermitted(`the command ${command} could not be run: ${failure}`)
  if (code !== 0 && noPermission.test(text)) return notPermitted('this machine may not send pings')
  const delay = delayIn(text)
  if (code === 0 && delay !== undefined) return { outcome: 'up', delay }
  return { outcome: 'down', problem: `ping ${host}: ${problemIn(text)}` }
}

const notPermitted = (problem: string): ProbeResult => ({ outcome: 'not permitted', problem })

/** From `rtt min/avg/max/mdev = 0.031/0.031/0.031/0.000 ms`, or Windows' `Zeit<1ms`. */
function delayIn(text: string): number | undefined {
  const [, summary] = /= [\d.]+\/([\d.]+)\/[\d.]+/.exec(text) ?? []
  const [, reply] = /[=<]\s?(\d+) ?ms/i.exec(text) ?? []
  const found = summary ?? reply
  return found === undefined ? undefined : Number(found)
}

/** `ping: connect: Network is unreachable`, or that there was no reply. */
function problemIn(text: string): string {
  const [, words] = /^ping6?: (.+)$/m.exec(text) ?? []
  return words ?? 'no reply'
}

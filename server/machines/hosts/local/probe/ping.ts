import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { resolveTarget } from '../../../../outbound/resolveTarget.ts'
import type { Pings, ProbeOptions, ProbeResult } from '../../probe.ts'

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
export function createPing(command: string) {
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
export async function pingSeveral(
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

import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { resolveTarget } from '../../../../outbound/resolveTarget.ts'
import type { ProbeOptions, ProbeResult } from '../../probe.ts'

interface Ended {
  /** As the process told it; `undefined` when it never started. */
  code: number | undefined
  /** Why it never started. */
  failure: string | undefined
  /** Standard output and standard error. */
  text: string
}

/**
 * Pings by the system's command, which may send what this process may not. Where that is missing, or not permitted
 * either, nothing is known about the target, and so it is said.
 */
export function createPing(command: string) {
  return async (host: string, { timeoutMs, allowPrivate, signal }: ProbeOptions): Promise<ProbeResult> => {
    const end = performance.now() + timeoutMs
    const patience = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    // The command gets an address and never what somebody typed: a name that begins with `-` would be an option.
    const [address] = await resolveTarget(host, { allowPrivate, signal: patience }, 'ping target')
    return verdictOn(
      await run(command, address, Math.ceil(Math.max(1000, end - performance.now())), signal),
      command,
      host,
    )
  }
}

function run(command: string, address: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<Ended> {
  return new Promise((resolve) => {
    // One of its own: of a process that could not be started, Node forgets to leave the signal, which may live for
    // long.
    const own = new AbortController()
    const giveUp = () => own.abort()
    signal?.addEventListener('abort', giveUp, { once: true })
    if (signal?.aborted) giveUp()
    // Without a shell, in plain words, and never for longer than it was given.
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', signal: own.signal } as const
    const options = { env: { ...process.env, LC_ALL: 'C' }, ...limits }
    const [name, args] = commandLine(command, address, timeoutMs)
    execFile(name, args, options, (error, output, problem) => {
      signal?.removeEventListener('abort', giveUp)
      const code = error ? error.code : 0
      const failure = typeof code === 'string' ? code : undefined
      resolve({ code: typeof code === 'number' ? code : undefined, failure, text: `${output}\n${problem}` })
    })
  })
}

/** Each system has its own words for one ping, and for how long to wait for the reply. */
function commandLine(ping: string, address: string, timeoutMs: number): [command: string, args: string[]] {
  const isSix = isIP(address) === 6
  const seconds = String(Math.max(1, Math.floor(timeoutMs / 1000)))
  if (process.platform === 'win32') return [ping, ['-n', '1', '-w', String(Math.floor(timeoutMs)), address]]
  if (process.platform === 'darwin') {
    return isSix ? [`${ping}6`, ['-q', '-c', '1', address]] : [ping, ['-q', '-c', '1', '-t', seconds, address]]
  }
  return [ping, [...(isSix ? ['-6'] : []), '-q', '-c', '1', '-W', seconds, address]]
}

/** Words of those who may not: Linux, BusyBox, macOS, Windows. */
const forbidden = /not permitted|permission denied|lacking privilege|access (is )?denied|are you root/i

function verdictOn({ code, failure, text }: Ended, command: string, host: string): ProbeResult {
  if (failure === 'ENOENT') return notPermitted(`the command ${command} is missing on this machine`)
  if (failure === 'EACCES' || failure === 'EPERM') return notPermitted(`the command ${command} may not be run here`)
  // Without a free process or file, the machine is short of something; that says nothing about the target either.
  if (failure && failure !== 'ABORT_ERR') return notPermitted(`the command ${command} could not be run: ${failure}`)
  if (code !== 0 && forbidden.test(text)) return notPermitted('this machine may not send pings')
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

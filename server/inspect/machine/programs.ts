import { setTimeout } from 'node:timers/promises'
import { answerLimits, type SilenceCause } from '../../../src/schemas/inspect/answer.ts'
import type { Host } from '../../machines/hosts/host.ts'
import { type ExecResult, OperationError, operationLimits, switchedOff } from '../../machines/hosts/operations.ts'

/** Why a machine says nothing about a subject. The message is in words. */
export class Silence extends Error {
  readonly silence: SilenceCause
  /** What it is about: a version, a program, an error. */
  readonly detail: string

  constructor(silence: SilenceCause, message: string, detail = '') {
    super(message)
    this.silence = silence
    this.detail = detail
  }
}

export const notInstalled = (program: string): Silence =>
  new Silence('no_program', `${program} is not installed on this machine.`, program)

/** The programs of one machine, as far as subjects need them. */
export interface Programs {
  /**
   * Runs a program without a shell. One that fails is a result too.
   * @throws Silence when it did not run, or not to its end
   */
  run(cmd: string, args?: readonly string[], options?: RunOptions): Promise<ExecResult>
  /**
   * Runs a shell script whose text is a constant; names and ids are its arguments, `$1` and so on.
   * @throws Silence, as `run`
   */
  script(text: string, args?: readonly string[], options?: RunOptions): Promise<ExecResult>
  /** Milliseconds that its programs have run so far. */
  spentMs(): number
}

interface RunOptions {
  /** Default: 15. */
  seconds?: number
  /** Bytes of each output; no more is taken, whatever an agent sends. Default: as many as one sends. */
  maxBytes?: number
  /** Ends the wait, and the program where the machine can be told so; `run` throws its reason then. */
  signal?: AbortSignal
}

const defaultSeconds = 15
/** Milliseconds that the way to the machine may take besides. */
const wayMs = 10_000
/** How many programs run on a machine at the same time; more are refused. */
const runningAtMost = 8
/** Characters of an error that is passed on. */
const maxDetailLength = 300

const running = new WeakMap<Host, number>()

/** Texts come in English, and dates as the parsers know them. */
const plainEnvironment = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC' }

/** @param version of the machine's agent */
export function programsOf(host: Host, version: string): Programs {
  let spentMs = 0

  async function run(cmd: string, args: readonly string[] = [], options: RunOptions = {}): Promise<ExecResult> {
    const { seconds = defaultSeconds, maxBytes = operationLimits.readBytes } = options
    const count = running.get(host) ?? 0
    if (count >= runningAtMost) throw new Silence('busy', 'This machine is being asked too much at the same time.')
    running.set(host, count + 1)
    try {
      const order = { cmd, args, env: plainEnvironment, timeout_seconds: seconds, max_output_bytes: maxBytes }
      const timeout = AbortSignal.timeout(seconds * 1000 + wayMs)
      const { signal } = options
      const result = await host.operations.exec(order, signal ? AbortSignal.any([signal, timeout]) : timeout)
      spentMs += result.duration_ms
      if (result.error) throw notRun(cmd, result.error)
      if (result.timed_out) throw tooSlow(cmd)
      return bounded(result, maxBytes)
    } catch (error) {
      throw silenceOf(error, cmd, version)
    } finally {
      running.set(host, (running.get(host) ?? 1) - 1)
    }
  }

  return {
    run,
    script: (text, args = [], options) => run('sh', ['-c', text, 'sh', ...args], options),
    spentMs: () => spentMs,
  }
}

/** An agent may send more than it was asked for. A text has no more characters than bytes, so nothing honest is cut. */
function bounded(result: ExecResult, maxBytes: number): ExecResult {
  const { stdout, stderr } = result
  return {
    ...result,
    stdout: stdout.slice(0, maxBytes),
    stderr: stderr.slice(0, maxBytes),
    ...(stdout.length > maxBytes && { stdout_truncated: true }),
    ...(stderr.length > maxBytes && { stderr_truncated: true }),
  }
}

function notRun(cmd: string, error: string): Silence {
  if (error === switchedOff.exec) {
    return new Silence(
      'commands_off',
      'This machine allows no commands: set disable_command_execute to false in its configuration.',
    )
  }
  if (/executable file not found|command or working directory not found/.test(error)) return missing(cmd)
  return failure(error)
}

/** Without a shell the system is one that has none of the other programs. */
const missing = (cmd: string) =>
  cmd === 'sh'
    ? new Silence('platform', 'The system of this machine has no command that tells this.')
    : notInstalled(cmd)

const tooSlow = (cmd: string) => new Silence('timeout', `${cmd} did not answer in time.`, cmd)

/** What `tar` says after the line that tells why. */
const afterwords =
  /^tar: (?:-: Wrote only .*|Child returned status \d+|Error is not recoverable: exiting now|Exiting with failure status due to previous errors)$/

/** What a program says in place of an answer. */
export function failure(text: string): Silence {
  const lines = text.trim().split('\n')
  const line = (lines.findLast((one) => !afterwords.test(one.trim())) ?? lines.at(-1) ?? '').trim()
  const detail = line.slice(0, maxDetailLength) || 'no output'
  return new Silence('failed', `The machine said: ${detail}`, detail)
}

function silenceOf(error: unknown, cmd: string, version: string): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError') return tooSlow(cmd)
  if (!(error instanceof OperationError)) return error
  switch (error.failure) {
    case 'unsupported':
      return new Silence(
        'agent_version',
        `The agent of this machine is ${version || 'of an unknown version'}: this needs 2.1.0 or newer.`,
        version,
      )
    case 'timeout':
      return tooSlow(cmd)
    case 'offline':
      return offline()
    default:
      return failure(error.message)
  }
}

export const offline = () => new Silence('offline', 'This machine is offline.')

/** Milliseconds between two tries, and how many: longer than what runs there may take. */
const patience = { ms: 500, tries: 600 } as const

/** Programs that wait where a machine is asked too much at the same time, for work of many steps that should not end for it. */
export function patient(programs: Programs): Programs {
  async function waitingFor<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Silence) || error.silence !== 'busy' || tries === patience.tries) throw error
        await setTimeout(patience.ms, undefined, { ref: false })
      }
    }
  }
  return {
    run: (...order) => waitingFor(() => programs.run(...order)),
    script: (...order) => waitingFor(() => programs.script(...order)),
    spentMs: programs.spentMs,
  }
}

/** A text that was not understood, as an answer has it. */
export const shownText = (text: string): string => text.slice(0, answerLimits.textBytes)

/** A copy of a part of an output, for what is kept: the part itself keeps the whole output in memory. */
export const ownText = (part: string): string => Buffer.from(part).toString()

/** What a machine said about a subject. */
export interface Said<Item> {
  items: Item[]
  /** Output that was not understood, as it is. */
  text?: string
  /** Whether there are more items than these. */
  truncated?: boolean
  /** Where what comes before the items begins. */
  earlier?: string
}

/**
 * One subject: the command that tells it, and the parser of its output. What is not understood is `text` or left out, never
 * an exception.
 */
export interface Subject<Item, Query = undefined, Before extends Said<Item> = Said<Item>> {
  name: string
  /** Milliseconds for which an answer is good enough for everybody else who asks. */
  freshMs: number
  /** Which part of the time of its programs the machine works, when they mostly wait. Default: all of it. */
  workShare?: number
  /**
   * Asks the machine.
   * @param before what it said the last time, when somebody has just looked
   * @throws Silence
   */
  ask(programs: Programs, query: Query, before: Before | undefined): Promise<Before>
}

/** Parts of an output at most; each disk is one. */
const maxSections = 1000

/** The parts of an output whose beginnings are marked by `printf '\036name\n'`, by name. */
export function sectionsOf(output: string): ReadonlyMap<string, readonly string[]> {
  const sections = output.split('\u001e', maxSections).slice(1)
  return new Map(
    sections.map((section) => {
      const [name = '', ...lines] = section.split('\n')
      return [name, lines.filter((line) => line !== '')]
    }),
  )
}

/** Characters of a name that a machine gives. */
const maxName = 60

/** Systemd ends names with them, and no domain. */
const unitEndings = /\.(?:service|socket|device|mount|automount|swap|path|timer|slice|scope)$/

/**
 * A name as a machine gives it, without what could pass for another line, a link, a mention or markup in a message: of
 * addresses without a scheme messengers make links too.
 */
export function plainName(name: string): string {
  const cut = name.slice(0, maxName)
  const ending = unitEndings.exec(cut)?.[0] ?? ''
  const plain = cut
    .slice(0, cut.length - ending.length)
    .replace(/\/+/g, '/')
    .replace(/\.(?=\p{L})/gu, '-')
    // Within a word the low line is no markup.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '-')
    .replace(/[^\p{L}\p{N}/._+-]+/gu, '-')
    .replace(/-{2,}/g, '-')
  return plain + ending || '?'
}

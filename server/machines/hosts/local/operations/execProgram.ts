import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { errorMessage } from '../../../../../src/domain/errors.ts'
import type { ExecOrder, ExecResult } from '../../operations.ts'
import { childEnvironment, killGroup } from '../shell/runCommand.ts'

/** The server's strict umask keeps its own files private; files made by a program have the usual permissions. */
const withDefaultUmask = ['-c', 'umask 022; exec "$@"', 'sh']

const notStarted = (error: string): ExecResult => ({ exit_code: -1, stdout: '', stderr: '', duration_ms: 0, error })

/**
 * Runs a program in a process group of its own, which ends with it. Never rejects but with the reason of the signal:
 * failures are in the result.
 */
export async function execProgram(order: ExecOrder, signal: AbortSignal): Promise<ExecResult> {
  const env = { ...childEnvironment(), ...order.env }
  const cwd = order.cwd || env.HOME || env.USERPROFILE || '/'
  if (!(await isFolder(cwd))) return notStarted('command or working directory not found')
  const program = await findProgram(order.cmd, cwd, env.PATH ?? '')
  if (program === undefined) return notStarted('executable file not found')
  signal.throwIfAborted()
  try {
    return await run(program, { ...order, cwd, env }, signal)
  } catch (error) {
    signal.throwIfAborted()
    // As for an argument with a zero byte.
    return notStarted(errorMessage(error))
  }
}

function run(program: string, order: ExecOrder, signal: AbortSignal): Promise<ExecResult> {
  const began = performance.now()
  const { args = [], cwd, env } = order
  return new Promise((resolveResult, reject) => {
    const isWindows = process.platform === 'win32'
    const child = spawn(
      isWindows ? program : '/bin/sh',
      [...(isWindows ? [] : [...withDefaultUmask, program]), ...args],
      {
        cwd,
        env,
        detached: true,
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
    const stdout = collect(child.stdout, order.max_output_bytes)
    const stderr = collect(child.stderr, order.max_output_bytes)
    let hasTimedOut = false
    const timer = setTimeout(() => {
      hasTimedOut = true
      killGroup(child)
    }, order.timeout_seconds * 1000)
    const abort = () => killGroup(child)
    signal.addEventListener('abort', abort, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }

    // A program that reads nothing closes it.
    child.stdin.on('error', () => {})
    child.stdin.end(order.stdin ?? '')
    child.on('error', (error) => {
      settle()
      resolveResult(notStarted(error.message))
    })
    // What it has left running would keep its outputs open.
    child.on('exit', () => killGroup(child))
    child.on('close', (code) => {
      settle()
      if (signal.aborted) return reject(signal.reason)
      const duration_ms = Math.round(performance.now() - began)
      const [out, err] = [stdout(), stderr()]
      resolveResult({
        exit_code: hasTimedOut ? -1 : (code ?? -1),
        stdout: out.text,
        stderr: err.text,
        duration_ms,
        ...(out.isCut && { stdout_truncated: true }),
        ...(err.isCut && { stderr_truncated: true }),
        ...(hasTimedOut && { timed_out: true }),
      })
    })
    if (signal.aborted) abort()
  })
}

/** Keeps the first bytes of an output; the program can go on writing. */
function collect(source: Readable, maxBytes: number): () => { text: string; isCut: boolean } {
  const chunks: Buffer[] = []
  let size = 0
  let isCut = false
  source.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, maxBytes - size)
    if (part.length < chunk.length) isCut = true
    if (part.length > 0) chunks.push(part)
    size += part.length
  })
  return () => {
    const bytes = Buffer.concat(chunks)
    // Half a character at the cut is left out.
    return { text: isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString(), isCut }
  }
}

/** The path of a program; `undefined` when there is none that may be run. */
async function findProgram(name: string, cwd: string, path: string): Promise<string | undefined> {
  if (name.includes('\0')) return undefined
  const folders = name.includes('/') ? [''] : path.split(delimiter).filter((folder) => folder !== '')
  for (const folder of folders) {
    const candidate = resolve(cwd, folder, name)
    if (await isProgram(candidate)) return candidate
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

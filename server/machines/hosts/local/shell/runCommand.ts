import { type ChildProcess, spawn } from 'node:child_process'
import type { RunOptions, RunResult } from '../../host.ts'
import { freshEnvironment } from './environment.ts'

/** How long output may follow the end of a command: what it left in the background may hold the pipe for ever. */
const outputPatienceMs = 200

/** Runs a command in a shell of its own, in a process group of its own. Never rejects: what failed is in the result. */
export function runCommand(command: string, { timeoutMs, maxOutputBytes, signal }: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const environment = freshEnvironment()
    const [file, args] = shellFor(command)
    const child = spawn(file, args, {
      cwd: environment.HOME || environment.USERPROFILE,
      env: environment,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = collect(child, maxOutputBytes)
    let ended: RunResult['ended'] = 'exited'

    function stop(reason: RunResult['ended']): void {
      ended = reason
      killGroup(child)
    }
    const abort = () => stop('aborted')
    const timer = setTimeout(() => stop('timeout'), timeoutMs)
    signal?.addEventListener('abort', abort, { once: true })

    function settle(exitCode: number | null, extra = ''): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve({ ...output.read(), exitCode, ended, ...(extra && { output: extra }) })
    }
    child.on('error', (error) => {
      ended = 'failed'
      settle(null, error.message)
    })
    child.on('exit', (code) => {
      const exitCode = ended === 'exited' ? code : null
      const late = setTimeout(() => settle(exitCode), outputPatienceMs)
      child.on('close', () => {
        clearTimeout(late)
        settle(exitCode)
      })
    })
    if (signal?.aborted) abort()
  })
}

/** The server keeps its own files to itself by a strict umask; what a task writes is for others too, as anywhere. */
const withUsualUmask = 'umask 022; exec /bin/sh -c "$1"'

function shellFor(command: string): [string, string[]] {
  if (process.platform === 'win32') return [process.env.ComSpec || 'cmd.exe', ['/d', '/s', '/c', command]]
  return ['/bin/sh', ['-c', withUsualUmask, 'sh', command]]
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {})
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended a moment ago.
  }
}

/** Keeps the first bytes of what a program writes. The rest is read and dropped, or the program would stand still. */
function collect(child: ChildProcess, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  let truncated = false
  const take = (chunk: Buffer) => {
    const kept = chunk.subarray(0, maxBytes - size)
    truncated ||= kept.length < chunk.length
    if (kept.length === 0) return
    chunks.push(kept)
    size += kept.length
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return { read: () => ({ output: Buffer.concat(chunks).toString('utf8'), truncated }) }
}

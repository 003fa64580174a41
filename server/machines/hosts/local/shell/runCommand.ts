import { type ChildProcess, spawn } from 'node:child_process'
import os from 'node:os'
import { endOfOutput } from '../../endOfOutput.ts'
import type { RunOptions, RunResult } from '../../host.ts'

/** Milliseconds to wait for output after the command ended; a background process could keep the pipe open for ever. */
const lateOutputMs = 200

/**
 * Runs a command in a new shell and process group, or not at all when `signal` is aborted already. Never rejects: failures
 * are in the result.
 */
export async function runCommand(
  command: string,
  { timeoutMs, maxOutputBytes, signal, onStart }: RunOptions,
): Promise<RunResult> {
  // Its server has stopped before it could say that the run has begun.
  if (signal?.aborted) return { exitCode: null, ended: 'aborted', output: '', truncated: false }
  return new Promise((resolve) => {
    const environment = childEnvironment()
    const [file, args] = shellFor(command)
    const child = spawn(file, args, {
      cwd: environment.HOME || environment.USERPROFILE,
      env: environment,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = collectOutput(child, maxOutputBytes)
    onStart?.(() => output.read().output)
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
      const timeout = setTimeout(() => settle(exitCode), lateOutputMs)
      child.on('close', () => {
        clearTimeout(timeout)
        settle(exitCode)
      })
    })
  })
}

/** The server's strict umask keeps its own files private; files made by a task have the usual permissions. */
const runWithDefaultUmask = 'umask 022; exec /bin/sh -c "$1"'

function shellFor(command: string): [string, string[]] {
  if (process.platform === 'win32') return [process.env.ComSpec || 'cmd.exe', ['/d', '/s', '/c', command]]
  return ['/bin/sh', ['-c', runWithDefaultUmask, 'sh', command]]
}

/** Collects the last bytes of the output. */
function collectOutput(child: ChildProcess, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  let isDropped = false
  const append = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    for (let first = chunks[0]; first && size - first.length >= maxBytes; first = chunks[0]) {
      chunks.shift()
      size -= first.length
      isDropped = true
    }
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return {
    read() {
      const { output, truncated } = endOfOutput(Buffer.concat(chunks), maxBytes)
      return { output, truncated: truncated || isDropped }
    },
  }
}

/** Kills a process that was started detached, and all that it has started. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {})
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Windows programs do not start without these. */
const requiredOnWindows = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'PATH', 'TEMP', 'TMP', 'USERPROFILE']

/** The environment of shells and commands: the account, and nothing of the server's own environment. */
export function childEnvironment(): Record<string, string> {
  const { username, homedir, shell } = account()
  if (process.platform === 'win32') {
    return Object.fromEntries(requiredOnWindows.map((name) => [name, process.env[name] ?? '']))
  }
  return {
    HOME: homedir,
    PATH: process.platform === 'darwin' ? `/opt/homebrew/bin:${defaultPath}` : defaultPath,
    LANG: process.env.LANG || 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: shell || '/bin/sh',
    USER: username,
  }
}

function account(): { username: string; homedir: string; shell: string | null } {
  try {
    return os.userInfo()
  } catch {
    // In a container the user id may have no account.
    return { username: String(process.getuid?.() ?? ''), homedir: os.homedir(), shell: null }
  }
}

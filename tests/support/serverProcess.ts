import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

export interface ServerProcess {
  pid: number
  /** `http://127.0.0.1:<port>`; '' when the process ended before it was ready. */
  address: string
  /** Everything printed so far, both streams. */
  output(): string
  /** The exit code, once it ends; null after a signal that it did not take. */
  ended: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts the real server as `npm start` does after its own work, on a free port unless `settings` say otherwise.
 * Resolves when it is ready or has ended; it is killed when the test is over.
 */
export async function startServerProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: '0', ...settings }
  // What the tests run under is not what the server should start under.
  for (const name of ['NODE_OPTIONS', 'VITEST', 'NODE_ENV']) delete env[name]
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve) => {
    function take(chunk: Buffer) {
      output += chunk
      if (/is ready: \S+\n/.test(output)) resolve()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
  })
  await Promise.race([ready, ended])
  return {
    pid: child.pid ?? 0,
    address: /is ready: (http:\/\/\S+)\/\n/.exec(output)?.[1] ?? '',
    output: () => output,
    ended,
    kill: (signal) => void child.kill(signal),
  }
}

/** Signs in over the network. @returns the status of the reply and its body */
export async function signInAt(address: string, username: string, password: string) {
  const body = JSON.stringify({ username, password })
  const reply = await fetch(`${address}/api/v1/login`, { method: 'POST', body })
  return { status: reply.status, cookies: reply.headers.getSetCookie(), body: (await reply.json()) as unknown }
}

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverMemory } from '../../../../scripts/bootstrap/launched.mjs'
import { root } from '../../root.ts'
import { storeSettings } from './storeSettings.ts'

const emptyHome = join(import.meta.dirname, 'emptyHome.ts')

export interface ServerProcess {
  pid: number
  /** `http://127.0.0.1:<port>`, https with TLS of its own; '' when the process ended before it was ready. */
  address: string
  /** Everything printed so far, both streams. */
  output(): string
  /** The exit code, once it ends; null after a signal that it did not take. */
  ended: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts the real server as `npm start` does after its own work, on a free port unless `settings` say otherwise.
 * Resolves when it is ready or has ended. Who starts it has to kill it. Shells begin in an empty home.
 * @param place another program that serves, as one that was installed, where to start it, what to tell Node, and the
 *   command that starts Node, as `unshare`
 */
export async function spawnServer(
  settings: Record<string, string>,
  place: { entry?: string; cwd?: string; nodeArgs?: readonly string[]; through?: readonly string[] } = {},
): Promise<ServerProcess> {
  const { entry = 'server/main.ts', cwd = root, nodeArgs = [], through = [] } = place
  const [command, ...args] = [...through, process.execPath, '--import', emptyHome, ...serverMemory, ...nodeArgs, entry]
  const home = mkdtempSync(join(tmpdir(), 'wheelhouse-home-'))
  const env = serverEnvironment({ PORT: '0', TEST_HOME: home, ...(await storeSettings(settings)) })
  const child = spawn(command as string, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      rmSync(home, { recursive: true, force: true })
      resolve(code)
    })
  })
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
    address: /is ready: (https?:\/\/\S+)\/\n/.exec(output)?.[1] ?? '',
    output: () => output,
    ended,
    kill: (signal) => void child.kill(signal),
  }
}

/** The environment of a server: without the variables that are about the tests themselves. */
export function serverEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...settings }
  for (const name of ['NODE_OPTIONS', 'VITEST', 'NODE_ENV']) delete env[name]
  return env
}

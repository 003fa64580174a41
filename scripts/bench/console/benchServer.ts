import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../bootstrap/paths.mjs'

export const username = 'admin'
export const password = 'only for benches'

export interface BenchServer {
  /** `http://127.0.0.1:<port>` */
  address: string
  stop(): Promise<void>
}

interface BenchServerOptions {
  /** Folder of the pages to serve. */
  dist: string
  /** How many made-up servers there are. Left out: none. */
  servers?: number
  /** Whether they report, instead of being offline. */
  reporting?: boolean
  /** Whether this machine is one of the servers; without others it is number 1. */
  machine?: boolean
}

/**
 * Starts the embedded server on a data folder of its own, with made-up servers if they are asked for. `stop` removes
 * the folder.
 */
export async function startBenchServer({ dist, servers, ...kinds }: BenchServerOptions): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
  const env = {
    ...process.env,
    ...{ DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', ADMIN_PASSWORD: password, TEST_HOME: folder },
  }
  if (servers !== undefined) seed(servers, env)
  const flags = [kinds.reporting ? '--reporting' : [], kinds.machine ? '--machine' : []].flat()
  // What the person who measures has in their profile is no part of the console.
  const emptyHome = join(root, 'tests', 'support', 'server', 'emptyHome.ts')
  const args = ['--import', emptyHome, join(import.meta.dirname, 'serve.ts'), '--dist', dist, ...flags]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const ready = once(child, 'message').then(([message]) => (message as { address: string }).address)
  const address = await Promise.race([ready, ended.then(() => undefined)])
  if (!address) throw new Error('The server of the bench ended before it was ready.')
  return {
    address,
    async stop() {
      child.disconnect()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function seed(servers: number, env: NodeJS.ProcessEnv): void {
  const program = join(root, 'scripts', 'seed.ts')
  const { status, stderr } = spawnSync(process.execPath, [program, '--servers', String(servers)], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Seeding ${servers} servers failed:\n${stderr}`)
}

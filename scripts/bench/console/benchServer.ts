import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../../../tests/support/server/certificates/selfSigned.ts'
import { root } from '../../bootstrap/paths.mjs'

export const username = 'admin'
export const password = 'only for benches'

export interface BenchServer {
  /** `http://127.0.0.1:<port>`, https where it has TLS of its own */
  address: string
  /** Of its process. */
  pid: number
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
  /** Whether it has TLS of its own, and so HTTP/2. */
  tls?: boolean
}

/**
 * Starts the embedded server on a data folder of its own, with made-up servers if they are asked for. `stop` removes
 * the folder.
 */
export async function startBenchServer({ dist, servers, tls, ...kinds }: BenchServerOptions): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
  const env = {
    ...process.env,
    ...{ DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', ADMIN_PASSWORD: password, TEST_HOME: folder },
    ...(tls && writeCertificate(folder)),
  }
  if (servers !== undefined) seed(servers, env)
  const flags = [kinds.reporting ? '--reporting' : [], kinds.machine ? '--machine' : []].flat()
  // What the person who measures has in their profile is no part of the console.
  const emptyHome = join(root, 'tests', 'support', 'server', 'process', 'emptyHome.ts')
  const args = ['--import', emptyHome, join(import.meta.dirname, 'serve.ts'), '--dist', dist, ...flags]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const ready = once(child, 'message').then(([message]) => (message as { address: string }).address)
  const address = await Promise.race([ready, ended.then(() => undefined)])
  if (!address) throw new Error('The server of the bench ended before it was ready.')
  return {
    address,
    pid: child.pid as number,
    async stop() {
      child.disconnect()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writeCertificate(folder: string): { TLS_CERT: string; TLS_KEY: string } {
  const paths = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(paths.TLS_CERT, selfSigned.cert)
  writeFileSync(paths.TLS_KEY, selfSigned.key)
  return paths
}

function seed(servers: number, env: NodeJS.ProcessEnv): void {
  const program = join(root, 'scripts', 'seed.ts')
  const { status, stderr } = spawnSync(process.execPath, [program, '--servers', String(servers)], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Seeding ${servers} servers failed:\n${stderr}`)
}

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import packageJson from '../../../../package.json' with { type: 'json' }
import { once } from '../../../../server/concurrency/once.ts'
import type { Log } from '../../../../server/log.ts'
import { readSettings } from '../../../../server/settings.ts'
import { startServer } from '../../../../server/start/startServer.ts'
import { root } from '../../root.ts'
import { storeSettings } from './storeSettings.ts'

export interface ServerHere {
  /** `http://127.0.0.1:<port>`, https with TLS of its own. */
  address: string
  /** Ends it, as a signal ends a process. */
  stop(): Promise<void>
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Starts the server on a data folder and a free port as `startServerProcess` does, but within this process, which has
 * its modules: for tests that are not about how a process starts and ends. It is stopped when the test is over.
 * @throws StartError or StoreError with a sentence for the operator
 */
export async function startServerHere(environment: Record<string, string>, log = silent): Promise<ServerHere> {
  const server = await startServer({
    settings: readSettings({ PORT: '0', WATCH_THIS_MACHINE: 'false', ...(await storeSettings(environment)) }),
    log,
    version: packageJson.version,
    dist: join(root, 'dist'),
    isTerminal: false,
  })
  const stop = once(() => server.stop())
  onTestFinished(stop)
  return { address: new URL(server.address).origin, stop }
}

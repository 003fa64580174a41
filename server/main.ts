import './start/uvThreadPool.ts'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { StoreError } from './db/storeError.ts'
import { consoleLog as log } from './log.ts'
import { readSettings } from './settings.ts'
import { exposureWarning } from './start/listen.ts'
import type { RunningServer } from './start/runningServer.ts'
import { startServer } from './start/startServer.ts'
import { StartError } from './startError.ts'

/** The embedded server as a process: settings from the environment, sentences for the operator, a clean end. */
async function main(): Promise<void> {
  // What this server writes is nobody else's to read.
  process.umask(0o077)
  const settings = readSettings(process.env)
  // Programs that people start in a terminal of the console would inherit it.
  delete process.env.ADMIN_PASSWORD
  const server = await startServer({
    settings,
    log,
    version: packageJson.version,
    dist: join(import.meta.dirname, '..', 'dist'),
    isTerminal: process.stdout.isTTY === true,
  })
  endOnSignals(server)
  log.info(`Wheelhouse ${packageJson.version} is ready: ${server.address}`)
  if (server.firstUser) log.info(server.firstUser)
  const warning = exposureWarning(settings)
  if (warning) log.warn(warning)
}

/** The longest that open work may hold up the end. */
const patienceMs = 1500

function endOnSignals(server: RunningServer): void {
  let isEnding = false
  function end(): void {
    // A terminal and npm may both pass the same key on.
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(0), patienceMs).unref()
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('The server did not end cleanly:', error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}

try {
  await main()
} catch (error) {
  if (error instanceof StartError || error instanceof StoreError) log.error(error.message)
  else log.error('The server cannot start:', error)
  process.exit(1)
}

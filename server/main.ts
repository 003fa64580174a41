import './start/processLimits.ts'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { servingMessage } from '../scripts/bootstrap/foreground.mjs'
import { misspelledSettings } from '../scripts/bootstrap/usage.mjs'
import { StoreError } from './db/storeError.ts'
import { consoleLog as log, StartError } from './log.ts'
import { readSettings } from './settings.ts'
import { keepTrace } from './start/crashTrace.ts'
import { exposureWarning, type RunningServer } from './start/runningServer.ts'
import { startServer } from './start/startServer.ts'
import { startWatchdog } from './start/watchdog.ts'

/** Runs the server as a process: settings from the environment, messages for the operator, a clean shutdown. */
async function main(): Promise<void> {
  // Files that this server writes are not readable by other users.
  process.umask(0o077)
  for (const sentence of misspelledSettings(process.env)) log.warn(sentence)
  const settings = readSettings(process.env)
  // Programs that people start in a terminal of the console would inherit it.
  for (const name of ['ADMIN_PASSWORD', 'DATABASE_URL', 'CLUSTER_KEY', 'NODE_COMPILE_CACHE']) delete process.env[name]
  const { version } = packageJson
  const server = await startServer({
    settings,
    log,
    version,
    dist: join(import.meta.dirname, '..', 'dist'),
    isTerminal: process.stdout.isTTY === true,
  })
  shutDownOnSignals(server)
  endOnUncaughtError(server.traceFile, version)
  startWatchdog({ traceFile: server.traceFile, version, log })
  process.send?.(servingMessage)
  log.info(`Wheelhouse ${version} is ready: ${server.address}`)
  if (!settings.upstream) {
    const visitors = settings.forceAuth
      ? 'visitors see nothing before they sign in'
      : 'visitors see the status page at /'
    log.info(`Sign in at ${server.address}dashboard; ${visitors}.`)
  }
  if (server.firstUser) log.info(server.firstUser)
  const warning = exposureWarning(settings)
  if (warning) log.warn(warning)
}

/** Milliseconds until the process ends even if work is still open. */
const usualShutdownMs = 4000

function shutDownOnSignals(server: RunningServer): void {
  let isShuttingDown = false
  function shutDown(): void {
    // A terminal and npm may both send a signal for one key.
    if (isShuttingDown) return
    isShuttingDown = true
    setTimeout(() => process.exit(0), server.shutdownMs ?? usualShutdownMs).unref()
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('The server did not end cleanly:', error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown)
}

/**
 * Nothing is known about the state of a process in which an error was caught by nobody. It ends; its launcher starts it
 * again, and what was saved is whole, because every change is a transaction.
 * @param traceFile where the error is kept
 */
function endOnUncaughtError(traceFile: string | undefined, version: string): void {
  process.on('uncaughtException', (error) => {
    log.error('The server ends because of an error that it did not expect:', error)
    if (traceFile !== undefined) keepTrace(traceFile, error, version, log)
    process.exit(1)
  })
}

try {
  await main()
} catch (error) {
  if (error instanceof StartError || error instanceof StoreError) log.error(error.message)
  else log.error('The server cannot start:', error)
  process.exit(1)
}

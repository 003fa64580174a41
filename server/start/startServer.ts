import { buildApp } from '../app.ts'
import { openAuditLog } from '../audit/auditLog.ts'
import { type Providers, readProviders } from '../auth/oauth2/providers.ts'
import { deletePasswordFile, prepareFirstUser } from '../auth/users/firstUser.ts'
import { type History, openHistory } from '../db/history/openHistory.ts'
import { openStore, type Store } from '../db/store.ts'
import { isDiskFullError } from '../db/storeError.ts'
import { createMachines } from '../machines/machines.ts'
import { readSite, writeSite } from '../site/site.ts'
import { type DataFolder, openDataFolder } from './dataFolder.ts'
import { fullDiskLog } from './fullDiskLog.ts'
import { assertPortFree, listen, serverUrl } from './listen.ts'
import type { RunningServer, StartOptions } from './runningServer.ts'
import { createThisMachine } from './thisMachine.ts'

/**
 * Starts the whole server. The port is tried first and the database opened before anything is written to it, so a
 * start that cannot succeed leaves everything as it was.
 * @throws StartError or StoreError with a sentence for the operator
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings } = options
  if (settings.port !== 0) await assertPortFree(settings)
  if (settings.upstream) {
    // Only now: what forwards requests takes a tenth of a start to load.
    const { startGateway } = await import('./startGateway.ts')
    return startGateway(options, settings.upstream)
  }
  const folder = openDataFolder(settings.dataDir)
  let store: Store | undefined
  let history: History | undefined
  try {
    const providers = readProviders(folder.providersFile)
    store = openStore(folder.database)
    history = openHistory(folder.historyFile)
    return await serve(options, { store, history }, folder, providers)
  } catch (error) {
    history?.close()
    store?.close()
    folder.release()
    throw error
  }
}

async function serve(
  { settings, log: plainLog, version, dist, isTerminal }: StartOptions,
  { store, history }: { store: Store; history: History },
  { passwordFile, auditFile, historyFile, secondFactorKeyFile, release }: DataFolder,
  providers: Providers,
): Promise<RunningServer> {
  const log = fullDiskLog(plainLog)
  /** An error that will come again: without its stack, and counted with the others about a full disk. */
  const warnAbout = (text: string) => (error: unknown) =>
    isDiskFullError(error) ? log.error(text, error) : log.warn(`${text}: ${(error as Error).message}`)
  const audit = openAuditLog({
    path: auditFile,
    onFailure: (error) => log.warn(`The audit log ${auditFile} cannot be written: ${(error as Error).message}`),
  })
  if (history.damagedFile)
    log.warn(`${historyFile} was damaged: a new one was begun, the old one is ${history.damagedFile}.`)
  const machines = createMachines({
    store,
    onFailure: warnAbout('Reports of machines cannot be saved'),
  })
  const app = await buildApp({
    store,
    log,
    settings,
    version,
    dist,
    machines,
    audit,
    history,
    providers,
    secondFactorKeyFile,
    onSignIn(userId) {
      try {
        deletePasswordFile(store, passwordFile, userId)
      } catch (error) {
        // On a full disk, signing in works all the same.
        log.error(`The file ${passwordFile} could not be forgotten:`, error)
      }
    },
  })
  const firstUser = await prepareFirstUser(store, { adminPassword: settings.adminPassword, passwordFile, isTerminal })
  await listen(app, settings)
  // Only now: a start that fails must not lose a password that is shown once.
  const message = firstUser?.create()
  const { realIpHeader } = settings
  if (realIpHeader !== undefined) writeSite(store, { ...readSite(store), web_real_ip_header: realIpHeader })
  if (!settings.ownMachineIgnored) {
    machines.add(
      createThisMachine({
        store,
        version,
        commandsDisabled: settings.commandsDisabled,
        onError: warnAbout('A report of this machine cannot be read or saved'),
      }),
    )
  }
  return {
    address: serverUrl(app, settings),
    firstUser: message,
    async stop() {
      await app.close()
      await machines.stop()
      audit.close()
      history.close()
      store.close()
      release()
    },
  }
}

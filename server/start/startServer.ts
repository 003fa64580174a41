import { readProviders } from '../auth/providers/providers.ts'
import { refuseFullDisk } from '../db/folderLock.ts'
import { type History, openHistory } from '../db/history/openHistory.ts'
import { openStore, type Store } from '../db/store.ts'
import { openDataFolder, refuseLostDatabase } from './dataFolder.ts'
import { assertPortFree, type RunningServer, type StartOptions } from './runningServer.ts'

/**
 * Starts the whole server. The port is tried first and the database opened before anything is written to it, so a
 * start that cannot succeed leaves everything as it was. What serves is loaded after that: it takes most of a start, and
 * a gateway needs none of what the embedded server has.
 * @throws StartError or StoreError with a sentence for the operator
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings } = options
  if (settings.port !== 0) await assertPortFree(settings)
  if (settings.upstream) {
    const { startGateway } = await import('./startGateway.ts')
    return startGateway(options, settings.upstream)
  }
  if (settings.cluster) {
    const { startNode } = await import('./startNode.ts')
    return startNode(options, settings.cluster)
  }
  refuseLostDatabase(settings.dataDir)
  const folder = openDataFolder(settings.dataDir)
  let store: Store | undefined
  let history: History | undefined
  try {
    const providers = readProviders(folder.providersFile)
    store = openStore(folder.database, {
      onLostWrite: (error) => options.log.error('A change could not be saved:', error),
    })
    history = openHistory(folder.historyFile, settings.historyDays)
    const { startEmbedded } = await import('./startEmbedded.ts')
    return await startEmbedded(options, { store, history }, folder, providers)
  } catch (error) {
    history?.close()
    store?.close()
    folder.release()
    refuseFullDisk(error, settings.dataDir)
    throw error
  }
}

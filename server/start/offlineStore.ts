import { type AuditLog, maxAuditBytes, openAuditLog } from '../audit/auditLog.ts'
import { type KeySource, keyInFile, keySealedIn } from '../auth/secondFactor/secretBox.ts'
import { type History, openHistory } from '../db/history/openHistory.ts'
import { openStore, type Store } from '../db/store.ts'
import { StoreError } from '../db/storeError.ts'
import { type Log, StartError } from '../log.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type DataFolder, existingFolder, openDataFolder } from './dataFolder.ts'

/** The data of a server while none uses it, for commands. */
export interface OfflineStore {
  folder: DataFolder
  store: Store
  secondFactorKey: KeySource
  /** Opens the audit log, which its user closes first. */
  openAudit(): AuditLog
  /** Opens the history, which its user closes first. */
  openHistory(): History
  /** Waits until everything is durable. */
  close(): Promise<void>
}

/** Milliseconds that a command waits until what it has written is in PostgreSQL. */
const lastWaitMs = 30_000

/** @throws StartError or StoreError with a sentence for the operator, also when a server runs */
export async function openOffline(env: NodeJS.ProcessEnv, log: Log): Promise<OfflineStore> {
  const { cluster, dataDir, historyDays } = readSettings(env)
  const folder = openDataFolder(cluster ? dataDir : existingFolder(env).path)
  try {
    if (cluster) return await openCluster(folder, { cluster, historyDays }, log)
    const store = openStore(folder.database)
    return {
      folder,
      store,
      secondFactorKey: keyInFile(folder.secondFactorKeyFile),
      openAudit: () => openAuditLog({ path: folder.auditFile }),
      openHistory: () => openHistory(folder.historyFile, historyDays),
      async close() {
        store.close()
        folder.release()
      },
    }
  } catch (error) {
    folder.release()
    throw error
  }
}

async function openCluster(
  folder: DataFolder,
  { cluster, historyDays }: Required<Pick<Settings, 'cluster' | 'historyDays'>>,
  log: Log,
): Promise<OfflineStore> {
  const { openClusterNode } = await import('../db/postgres/clusterNode.ts')
  const { connectionError } = await import('../db/postgres/connection.ts')
  const { openAuditLines } = await import('../db/postgres/auditLines.ts')
  const { openPostgresHistory } = await import('../db/postgres/postgresHistory.ts')
  const node = await openClusterNode({
    place: cluster,
    key: cluster.key,
    address: '',
    version: '',
    log,
    onDemoted() {
      log.error('A server has begun to lead the cluster: this command ends, and what it has not said was not done.')
      process.exit(1)
    },
    onLostWrite: (error) => log.error('A change could not be saved:', error),
  })
  try {
    const { nodes } = await node.status().catch((error: unknown) => {
      throw connectionError(cluster, error)
    })
    if (nodes.some(({ leader }) => leader))
      throw new StartError(
        'A server leads the cluster: stop all of them first, wait for a few seconds, and repeat this.',
      )
    const { store, writer } = await node.lead()
    return {
      folder,
      store,
      secondFactorKey: keySealedIn(store, cluster.key),
      openAudit: () =>
        openAuditLog({
          storage: openAuditLines({ place: cluster, nodeId: node.id, writer, maxBytes: maxAuditBytes }),
        }),
      openHistory: () =>
        openPostgresHistory({
          place: cluster,
          nodeId: node.id,
          term: writer.term,
          days: historyDays,
          log,
        }),
      async close() {
        const isDurable = await store.durable(lastWaitMs)
        await node.close()
        store.close()
        folder.release()
        if (!isDurable)
          throw new StoreError(
            'PostgreSQL cannot be reached, and whether everything was saved is not certain: repeat this.',
          )
      },
    }
  } catch (error) {
    await node.close()
    throw error
  }
}

import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { errorMessage } from '../../src/domain/errors.ts'
import { buildApp } from '../app.ts'
import { type AuditStorage, openAuditLog } from '../audit/auditLog.ts'
import type { Providers } from '../auth/providers/providers.ts'
import { keyInFile, keySealedIn } from '../auth/secondFactor/secretBox.ts'
import { deletePasswordFile, prepareFirstUser } from '../auth/users/users.ts'
import type { Cluster } from '../cluster/clusterPlugin.ts'
import { type FollowerServer, farewellMs } from '../cluster/followerServer.ts'
import type { NodeLinks } from '../cluster/nodeLinks.ts'
import { createRequestPasser } from '../cluster/requestPasser.ts'
import type { History } from '../db/history/openHistory.ts'
import type { ClusterNode } from '../db/postgres/clusterNode.ts'
import type { Store } from '../db/store.ts'
import { writeObstacle } from '../db/storeError.ts'
import type { Host } from '../machines/hosts/host.ts'
import { createLocalHost } from '../machines/hosts/local/localHost.ts'
import { createMachines } from '../machines/machines.ts'
import { readSite, writeSite } from '../site/site.ts'
import { cutOffOf } from './crashTrace.ts'
import type { DataFolder } from './dataFolder.ts'
import { obstacleLog } from './obstacleLog.ts'
import { listen, type RunningServer, type StartOptions, serverUrl } from './runningServer.ts'

/**
 * Milliseconds that requests have to be answered when this node gives the lead back, and for the next leader to answer
 * those that come after that.
 */
const [drainMs, nextLeaderMs] = [1000, 12_000]
/** Milliseconds of the end of a node, at most. */
export const nodeShutdownMs = 25_000

const uuidKey = 'machine uuid'
const configKey = 'machine config'

interface ThisMachineOptions {
  store: Store
  /** Version of this server. */
  version: string
  /** Whether tasks, terminals and file managers are off. */
  commandsDisabled?: boolean
  onError: (error: unknown) => void
}

/** The machine this server runs on. Its uuid is generated once and stored. */
function createThisMachine({ store, version, commandsDisabled, onError }: ThisMachineOptions): Host {
  const storedUuid = store.value<string>(uuidKey)
  const uuid = storedUuid ?? randomUUID()
  if (!storedUuid) store.setValue(uuidKey, uuid)
  const configStore = {
    read: () => store.value<string>(configKey),
    write: (text: string) => store.setValue(configKey, text),
  }
  return createLocalHost({ uuid, version, configStore, commandsDisabled, onError })
}

/** What a server needs that leads a cluster, beside what its app knows of it. */
interface LedCluster extends Cluster {
  links: NodeLinks
  /** What has answered here while another node led. */
  follower: FollowerServer | undefined
  node: Pick<ClusterNode, 'hasSuccessor' | 'handOver' | 'leaderAddress' | 'close'>
  /** Whether the leader of before passes on what still reaches it. */
  isHandedOver: boolean
}

/** What is stored; without a storage of its own, the audit log is a file. */
interface Stored {
  store: Store
  history: History
  auditStorage?: AuditStorage
}

/** Starts the server with its database open. Who opened it closes it when this fails. */
export async function startEmbedded(
  { settings, log: plainLog, version, dist, isTerminal }: StartOptions,
  { store, history, auditStorage }: Stored,
  folder: DataFolder,
  providers: Providers,
  cluster?: LedCluster,
): Promise<RunningServer> {
  const { passwordFile, auditFile, historyFile, secondFactorKeyFile, traceFile, recordingsFolder } = folder
  const log = obstacleLog(plainLog)
  const cutOff = cutOffOf(traceFile, folder.cutOff)
  if (cutOff) {
    const why = cutOff.traceFile
      ? `by an error, which is in ${traceFile}`
      : 'without a trace: it was killed, or the machine'
    log.warn(`The server before this start ended ${why}.`)
  }
  /** An error that will come again: without its stack, and counted with the others of its kind. */
  const warnAbout = (text: string) => (error: unknown) =>
    writeObstacle(error) ? log.error(text, error) : log.warn(`${text}: ${errorMessage(error)}`)
  const audit = openAuditLog({
    ...(auditStorage ? { storage: auditStorage } : { path: auditFile }),
    onFailure: (error) =>
      log.warn(`The audit log ${auditStorage ? '' : `${auditFile} `}cannot be written: ${errorMessage(error)}`),
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
    recordingsFolder,
    providers,
    secondFactorKey: cluster ? keySealedIn(store, cluster.key) : keyInFile(secondFactorKeyFile),
    cluster,
    cutOff,
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
  await listen(app, settings, cluster?.follower?.server)
  const visitor = (socket: Socket) => void app.server.emit('connection', socket)
  cluster?.follower?.lead(visitor, cluster.isHandedOver)
  cluster?.links.accept({ visitor, agents: app.acceptNode })
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
    address: serverUrl(app.server, settings),
    firstUser: message,
    traceFile,
    shutdownMs: cluster && nodeShutdownMs,
    async stop() {
      folder.endsByWill()
      store.waitForOthers()
      history.waitForOthers()
      const successor = (await cluster?.node.hasSuccessor()) ? cluster : undefined
      let isGiven = false
      const leaderAddress = () => (isGiven ? successor?.node.leaderAddress() : undefined)
      const passer = successor && createRequestPasser({ key: successor.key, leaderAddress })
      if (cluster) {
        cluster.links.refuse()
        await app.dispatch.drain(drainMs, passer?.serve)
      }
      await app.close()
      await machines.stop()
      audit.close()
      history.close()
      if (successor && passer) {
        isGiven = true
        await successor.node.handOver()
        if (await passer.untilAnswered(nextLeaderMs)) await delay(farewellMs)
        await app.dispatch.end(drainMs)
      }
      await cluster?.node.close()
      cluster?.links.close()
      store.close()
      folder.release()
    },
  }
}

import type { AddressInfo } from 'node:net'
import { errorMessage } from '../../src/domain/errors.ts'
import { createFollowerAgents } from '../agents/nodes/followerAgents.ts'
import { type AuditStorage, maxAuditBytes } from '../audit/auditLog.ts'
import { readProviders } from '../auth/providers/providers.ts'
import { createFollowerServer, type FollowerServer } from '../cluster/followerServer.ts'
import { type NodeLinks, openNodeLinks } from '../cluster/nodeLinks.ts'
import { untilSo } from '../concurrency/untilSo.ts'
import type { History } from '../db/history/openHistory.ts'
import { openAuditLines } from '../db/postgres/auditLines.ts'
import { type ClusterNode, openClusterNode } from '../db/postgres/clusterNode.ts'
import type { PostgresPlace } from '../db/postgres/connection.ts'
import { openPostgresHistory } from '../db/postgres/postgresHistory.ts'
import { openTimelineMemory } from '../db/postgres/timeline.ts'
import { bringWaitingLines, openWaitingFile } from '../db/postgres/waitingAuditLines.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { type DataFolder, openDataFolder } from './dataFolder.ts'
import { listenOn, type RunningServer, type StartOptions, serverUrl } from './runningServer.ts'
import { nodeShutdownMs, startEmbedded } from './startEmbedded.ts'

/** Milliseconds that a start waits for this node to lead or to follow. */
const firstLookMs = 20_000

/** Milliseconds that a node without a leader is still ready: who comes waits until the next one leads. */
const changeMs = 10_000

/** The exit code of a leader in whose place another one leads: its launcher starts it again, and it follows. */
const demotedExitCode = 75

/**
 * Starts a server that shares its database with others: it passes people on to the one that leads, until it leads
 * itself.
 * @throws StartError or StoreError with a sentence for the operator
 */
export async function startNode(
  options: StartOptions,
  cluster: NonNullable<Settings['cluster']>,
): Promise<RunningServer> {
  const { settings, log, version } = options
  const folder = openDataFolder(settings.dataDir)
  const { key, url, schema } = cluster
  const { timelineFile } = folder
  const timeline = openTimelineMemory(timelineFile, {
    onUnkept: (error) =>
      log.warn(
        `${timelineFile} cannot be written (${errorMessage(error)}): after its next start, this server does not know which PostgreSQL it has worked with.`,
      ),
  })
  const place: PostgresPlace = { url, schema, timeline }
  let links: NodeLinks | undefined
  let node: ClusterNode | undefined
  try {
    links = await openNodeLinks({ key, chosen: cluster.address, host: settings.host })
    node = await openClusterNode({
      place,
      key,
      address: links.address,
      version,
      log,
      onDemoted() {
        log.error('Another server leads the cluster now: this one ends, and follows after its next start.')
        process.exit(demotedExitCode)
      },
      onLostWrite: (error) => log.error('A change could not be saved:', error),
    })
    await bringLines(place, folder, log)
    return await runNode(options, { place, key, folder, links, node })
  } catch (error) {
    await node?.close()
    links?.close()
    folder.release()
    throw error
  }
}

/** Brings what an earlier process has left into the audit log. What fails is tried again when this server leads. */
async function bringLines(cluster: PostgresPlace, { waitingAuditFile }: DataFolder, log: Log): Promise<void> {
  try {
    const { brought, staying } = await bringWaitingLines(cluster, waitingAuditFile)
    if (brought > 0) log.info(`${brought} lines of the audit log had waited for PostgreSQL: they are there now.`)
    if (staying > 0)
      log.warn(
        `${staying} lines of the audit log in ${waitingAuditFile} are of another cluster than that of DATABASE_URL: they stay there until a server with this data folder works with it again.`,
      )
  } catch (error) {
    log.warn(`The lines of the audit log in ${waitingAuditFile} still wait (${errorMessage(error)}).`)
  }
}

interface NodeParts {
  place: PostgresPlace
  key: Buffer
  folder: DataFolder
  links: NodeLinks
  node: ClusterNode
}

async function runNode(options: StartOptions, { place, key, folder, links, node }: NodeParts): Promise<RunningServer> {
  const { settings, log } = options
  const providers = readProviders(folder.providersFile)
  let isStopping = false
  let leading: RunningServer | undefined
  let isLeading = false
  let following: FollowerServer | undefined
  let history: History | undefined
  let auditStorage: AuditStorage | undefined
  let readyAt = Number.NEGATIVE_INFINITY
  /** The one that the first start has found, where any was to be taken. */
  let port = settings.port

  async function lead(): Promise<RunningServer> {
    const { store, writer, identity, isHandedOver } = await node.lead()
    const { historyDays: days } = settings
    const own = openPostgresHistory({ place, nodeId: node.id, term: writer.term, days, log })
    history = own
    await bringLines(place, folder, log)
    const waitingFile = openWaitingFile(folder.waitingAuditFile, identity, (error) =>
      log.warn(`${folder.waitingAuditFile} cannot be written: ${errorMessage(error)}`),
    )
    const { id: nodeId } = node
    auditStorage = openAuditLines({ place, nodeId, writer, maxBytes: maxAuditBytes, waitingFile })
    const stored = { store, history: own, auditStorage }
    const led = {
      key,
      status: node.status,
      load: () => ({
        term: writer.term,
        waiting: writer.numbers().last - writer.numbers().durable,
        silentMs: writer.silentMs(),
      }),
      links,
      follower: following,
      node,
      isHandedOver,
    }
    leading = await writer.whileStarting(() =>
      startEmbedded({ ...options, settings: { ...settings, port } }, stored, folder, providers, led),
    )
    isLeading = true
    // Only now: nobody who waits for the console is held up by it.
    void own.makeReady()
    return leading
  }

  const led = lead()
  const first = await Promise.race([led, untilSo(firstLookMs, () => node.isFollowing())])
  if (first) return first
  const agents = createFollowerAgents({
    key,
    // The agents of this node stay when it leads, and are told of to itself.
    leaderAddress: () => (isLeading ? links.address : node.leaderAddress()),
    isLeaderAlive: () => !isLeading && node.isLeaderAlive(),
    onCut: () => following?.endLinked(),
    log,
  })
  following = createFollowerServer({
    key,
    leaderAddress: node.leaderAddress,
    acceptAgent: agents.accept,
    tls: settings.tls && { files: settings.tls, log },
    isReady() {
      if (agents.isCut()) return false
      if (node.isFollowing() && node.leaderAddress() !== undefined) readyAt = performance.now()
      return performance.now() - readyAt < changeMs
    },
  })
  await listenOn(following.server, settings)
  log.info(`Another server leads the cluster: this one follows, and passes everything on to ${node.leaderAddress()}.`)
  const address = serverUrl(following.server, settings)
  port = (following.server.address() as AddressInfo).port
  led.then(
    ({ firstUser }) => {
      log.info('This server leads the cluster now.')
      if (firstUser) log.info(firstUser)
    },
    (error: unknown) => {
      if (isStopping) return
      log.error('This server cannot lead the cluster:', error)
      process.exit(1)
    },
  )
  return {
    address,
    firstUser: undefined,
    traceFile: folder.traceFile,
    shutdownMs: nodeShutdownMs,
    async stop() {
      isStopping = true
      agents.close()
      if (leading) return leading.stop()
      folder.endsByWill()
      await node.close()
      if (node.leaderAddress()) await following?.drain()
      await following?.close()
      links.close()
      history?.close()
      auditStorage?.close()
      folder.release()
    },
  }
}

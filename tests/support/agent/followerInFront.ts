import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { createFollowerAgents } from '../../../server/agents/nodes/followerAgents.ts'
import { createFollowerServer } from '../../../server/cluster/followerServer.ts'
import { openNodeLinks } from '../../../server/cluster/nodeLinks.ts'
import type { Log } from '../../../server/log.ts'
import { networkTo } from '../postgres/networkTo.ts'
import { temporaryFolder } from '../server/temporaryFolder.ts'
import type { TestAgent } from './testAgent.ts'
import { testAgentServer } from './testAgentServer.ts'

/** The key of all nodes. */
export const followerKey = Buffer.alloc(32, 7)
const log: Log = { info: () => {}, warn: () => {}, error: (...text) => console.error(...text) }

/** Where a server takes connections of other nodes, as one does that leads. */
export async function linksOf({ server, acceptNode }: FastifyInstance) {
  const links = await openNodeLinks({ key: followerKey, chosen: '127.0.0.1:0', host: '127.0.0.1' })
  links.accept({ visitor: (socket) => server.emit('connection', socket), agents: acceptNode })
  onTestFinished(() => links.close())
  return links
}

/**
 * A node that follows, in this process.
 * @param leaderAddress where the leader takes connections of other nodes; it may change
 * @param tls the files of its certificate
 * @param isLeaderAlive whether the database hears of the leader
 */
export async function startFollower(
  leaderAddress: () => string | undefined,
  tls?: { cert: string; key: string },
  isLeaderAlive = () => false,
) {
  const agents = createFollowerAgents({ key: followerKey, leaderAddress, isLeaderAlive, onCut: () => {}, log })
  const follower = createFollowerServer({
    key: followerKey,
    leaderAddress,
    isReady: () => true,
    acceptAgent: agents.accept,
    tls: tls && { files: tls, log },
  })
  follower.server.listen(0, '127.0.0.1')
  await once(follower.server, 'listening')
  let isClosed = false
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    agents.close()
    await follower.close()
  }
  onTestFinished(close)
  return { port: (follower.server.address() as AddressInfo).port, close }
}

export type Leader = Awaited<ReturnType<typeof testAgentServer>>

/** A leader, a follower of it, and the network between them. */
export async function cluster(tls?: { cert: string; key: string }) {
  const leader = await testAgentServer(undefined, tls)
  const links = await linksOf(leader.app)
  const network = await networkTo(`tcp://${links.address}`)
  onTestFinished(network.close)
  let address: string | undefined = new URL(network.url).host
  let isAlive = false
  const follower = await startFollower(
    () => address,
    tls,
    () => isAlive,
  )
  const changes = watchPresence(leader)
  return {
    leader,
    network,
    follower,
    changes,
    atFollower: { server: `127.0.0.1:${follower.port}`, timeScale: 0.02, folder: temporaryFolder() },
    /** From now on, the database hears of the leader. */
    hearOfLeader() {
      isAlive = true
    },
    /** Another server leads now. */
    follow(next: string) {
      address = next
    },
  }
}

/** What people would have been told of a server: whether it was online, at each look that saw a change. */
export function watchPresence({ app }: Leader): boolean[] {
  const seen: boolean[] = []
  const look = () => {
    const isOnline = app.machines.connected({ id: 1 }) !== undefined
    if (isOnline !== (seen.at(-1) ?? false)) seen.push(isOnline)
  }
  const timer = setInterval(look, 5)
  onTestFinished(() => clearInterval(timer))
  return seen
}

/** The machine of an agent that is online. */
export const hostOf = ({ app, rowOf }: Leader, agent: TestAgent) => {
  const row = rowOf(agent)
  return row && app.machines.connected(row as { id: number })
}

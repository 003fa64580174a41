import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import { clusterEndpoints } from '../../src/schemas/endpoints/clusterEndpoints.ts'
import type { ClusterStatus } from '../db/postgres/nodeList.ts'
import type { Store } from '../db/store.ts'
import { route } from '../http/routes/route.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'

/** What a server that leads a cluster knows of it. */
export interface Cluster {
  /** 32 bytes, the same for all nodes: secrets that must outlive a node are sealed with keys made of it. */
  key: Buffer
  status(): Promise<ClusterStatus>
  /** Commits that are not durable yet, and milliseconds since PostgreSQL last answered. */
  load(): { term: number; waiting: number; silentMs: number }
}

interface ClusterOptions {
  store: Store
  cluster?: Cluster
}

/** Milliseconds that a reply waits for what it has seen to be durable. */
const waitMs = 10_000

/**
 * Lets nothing leave a leader before it is durable: replies here, frames of sockets here, and what agents and receivers of
 * messages get where these are sent (`Store.whenDurable`).
 */
export const clusterPlugin = fp(
  async (app: FastifyInstance, { store, cluster }: ClusterOptions) => {
    if (!cluster) return
    holdReplies(app, store)
    app.websocketServer.on('connection', (socket) => holdFrames(socket, store))
    route(app, 'cluster', clusterEndpoints.cluster, async () => {
      try {
        const { term, nodes, changes } = await cluster.status()
        return {
          term,
          nodes: nodes.map(({ since, ...node }) => ({ ...node, since: timestamp(since) })),
          changes: changes.map(({ at, ...change }) => ({ ...change, at: timestamp(at) })),
        }
      } catch {
        throw new ApiError('the database of the server cannot be reached, and so the nodes are not known', 503)
      }
    })
  },
  { name: 'cluster', dependencies: ['security'] },
)

/** What is said where a write was under way when its node or the database went away. */
export const notCertain =
  'the database of the server cannot be reached, and whether this was saved is not certain: look when it is there, before you try again'

function holdReplies(app: FastifyInstance, store: Store): void {
  app.addHook('onSend', async ({ method }, reply, payload) => {
    // What failed here tells of nothing that was saved.
    if (store.isDurable() || reply.statusCode >= 500 || (await store.durable(waitMs))) return payload
    // Reading goes on while the database cannot be reached.
    if (method === 'GET' || method === 'HEAD') return payload
    for (const name of ['set-cookie', 'content-length', 'content-encoding']) reply.removeHeader(name)
    reply.code(503).header('retry-after', '5').type('application/json; charset=utf-8')
    return JSON.stringify({ error: notCertain })
  })
}

function holdFrames(socket: WebSocket, store: Store): void {
  const { send } = socket
  socket.send = (...given: unknown[]) => store.whenShown(() => Reflect.apply(send, socket, given))
}

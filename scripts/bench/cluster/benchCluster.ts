import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../../tests/support/postgres/startPostgres.ts'
import { root } from '../../../tests/support/root.ts'
import {
  type ServerProcess,
  serverEnvironment,
  spawnServer,
} from '../../../tests/support/server/process/spawnServer.ts'
import { type Api, signIn } from '../../soak/api.ts'
import { addRows, addWork, admin, freePort } from '../agents/fleetServer.ts'

/** Two nodes with a PostgreSQL of their own, which waits for the disk. The first one that is started leads. */
export interface BenchCluster {
  /** Those that run now, the leader first. */
  nodes(): readonly BenchNode[]
  /** The agent secret of the admin. */
  secret: string
  signIn(node: BenchNode): Promise<Api>
  /** Ends both and starts them anew, so that nothing is in their memory that they need not have. */
  restart(): Promise<void>
  /** Kills the leader and starts it again at once, as its launcher does: the other one leads. */
  killLeader(): Promise<void>
  /** Ends them and removes their data. */
  stop(): Promise<void>
}

export interface BenchNode {
  port: number
  process: ServerProcess
}

/** @param machines how many are in the list, with 20 services on all of them and 20 alert rules */
export async function startBenchCluster(machines: number): Promise<BenchCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-cluster-'))
  const url = await startPostgres(true)
  const shared = {
    DATABASE_URL: url,
    CLUSTER_KEY: randomBytes(32).toString('base64'),
    ADMIN_PASSWORD: admin.password,
    HOST: '127.0.0.1',
    WATCH_THIS_MACHINE: 'false',
  }
  addRowsToPostgres(machines, { ...shared, folder: join(folder, 'file') })

  const names = ['one', 'two']
  const ports = [await freePort(), await freePort()]
  const startNode = async (index: number): Promise<BenchNode> => {
    const port = ports[index] ?? 0
    const settings = { ...shared, DATA_DIR: join(folder, names[index] ?? ''), PORT: String(port) }
    const started = await spawnServer(settings)
    if (!started.address) throw new Error(`A node did not start:\n${started.output()}`)
    const node = { port, process: started }
    void started.ended.then((code) => {
      if (!ending.has(node)) console.error(`A node ended by itself with ${code}:\n${started.output()}`)
    })
    return node
  }
  const ending = new Set<BenchNode>()
  const end = async (node: BenchNode, signal: NodeJS.Signals) => {
    ending.add(node)
    node.process.kill(signal)
    await node.process.ended
  }
  const startBoth = async () => [await startNode(0), await startNode(1)]
  let nodes = await startBoth()
  const ofNode = ({ process: { address } }: BenchNode) => signIn(address, admin)
  const [leader] = nodes
  if (!leader) throw new Error('There is no node.')
  const api = await ofNode(leader)
  await addWork(api)
  const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
  return {
    nodes: () => nodes,
    secret,
    signIn: ofNode,
    async restart() {
      for (const node of nodes) await end(node, 'SIGTERM')
      nodes = await startBoth()
    },
    async killLeader() {
      const [first, second] = nodes
      if (!first || !second) return
      await end(first, 'SIGKILL')
      nodes = [second, await startNode(ports.indexOf(first.port))]
    },
    async stop() {
      for (const node of nodes) await end(node, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Machines are in the list of a cluster before its first node is started. @param folder a new one */
export function addRowsToPostgres(
  count: number,
  { folder, DATABASE_URL, CLUSTER_KEY }: { folder: string; DATABASE_URL: string; CLUSTER_KEY: string },
): void {
  addRows(folder, count)
  execFileSync(process.execPath, ['server/cli.ts', 'move', '--to', DATABASE_URL], {
    cwd: root,
    env: serverEnvironment({ CLUSTER_KEY, DATA_DIR: folder }),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

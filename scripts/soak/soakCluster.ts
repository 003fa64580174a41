import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keysOf } from '../../src/schemas/define/values.ts'
import { type NetworkTo, networkTo } from '../../tests/support/postgres/networkTo.ts'
import { ask, freePort, killPostgres, startPostgres } from '../../tests/support/postgres/startPostgres.ts'
import { type ServerProcess, spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { type Api, signIn } from './api.ts'
import { pause } from './simulatedUsers.ts'

/** What became of a cluster in which something happened again and again. */
export interface ClusterReport {
  /** Figures, a line for each. */
  lines: string[]
  /** Writes that were acknowledged, and those of them that are not there once. */
  acknowledged: number
  lost: number
  faults: string[]
}

interface ClusterSoakOptions {
  /** How many times something happens. */
  rounds: number
  /** What happens, one after the other. Default: all. */
  happening?: readonly ClusterEvent[]
  /** PostgreSQL waits for the disk, as it does by itself. */
  isDurable?: boolean
  /** Milliseconds after which no further round begins. Default: all rounds are done. */
  lastsMs?: number
  onProgress: (text: string) => void
}

/** One node: it is started again when it ends, as its launcher does. */
interface SoakedNode {
  name: string
  network: NetworkTo
  /** By which the other node reaches this one. */
  links: NetworkTo
  process: ServerProcess
  restart(): Promise<void>
}

const admin = { username: 'admin', password: 'only for the soak' }
/** Milliseconds within which writes have to succeed again. */
const backMs = 30_000
/** Milliseconds between two writes, and for one of them. */
const [writeMs, answerMs] = [50, 15_000]

/** Cuts a node from PostgreSQL, or the other node from this one. */
const cutting =
  (way: 'network' | 'links', how: Parameters<NetworkTo['cut']>[0]) =>
  async (node: SoakedNode, ms: number): Promise<void> => {
    node[way].cut(how)
    await pause(ms)
    node[way].mend()
  }

/** What can happen to a node, in milliseconds of its length, and to PostgreSQL. */
const events = {
  async killed(node) {
    node.process.kill('SIGKILL')
    await node.restart()
  },
  async stopped(node, ms) {
    node.process.kill('SIGSTOP')
    await pause(ms)
    node.process.kill('SIGCONT')
  },
  'cut off': cutting('network', 'refused'),
  'cut off without a word': cutting('network', 'silent'),
  'not heard by PostgreSQL': cutting('network', 'no requests'),
  'heard by PostgreSQL, and heard nothing of it': cutting('network', 'no answers'),
  'not heard by the other node': cutting('links', 'no answers'),
  'heard by the other node, and heard nothing of it': cutting('links', 'no requests'),
  async 'there when PostgreSQL was killed'(_, __, url) {
    // One of somebody else is not ours to kill.
    if (!process.env.TEST_DATABASE_URL) await killPostgres(url)
  },
} satisfies Record<string, (node: SoakedNode, ms: number, url: string) => Promise<void>>

type ClusterEvent = keyof typeof events

/**
 * Two nodes with a PostgreSQL of their own, to which something happens in each round, while somebody writes all the time at
 * whichever node answers. At the end everything that was acknowledged has to be there once, and the commits of each term
 * have to follow each other.
 */
export async function soakCluster({
  rounds,
  lastsMs,
  happening = keysOf(events),
  isDurable,
  onProgress,
}: ClusterSoakOptions): Promise<ClusterReport> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
  const url = process.env.TEST_DATABASE_URL ?? (await startPostgres(isDurable))
  const schema = `wheelhouse_${randomBytes(6).toString('hex')}`
  const key = randomBytes(32).toString('base64')
  const faults: string[] = []
  const nodes: SoakedNode[] = []
  try {
    for (const name of ['one', 'two']) nodes.push(await startNode(name, { url, schema, key, folder, faults }))
    const writer = await startWriter(nodes, faults)
    const begin = performance.now()
    let round = 0
    let longest = 0
    while (round < rounds && performance.now() - begin < (lastsMs ?? Number.POSITIVE_INFINITY)) {
      const name = happening[round % happening.length]
      const node = nodes[Math.floor(Math.random() * nodes.length)]
      if (!name || !node) break
      round++
      const ms = 3000 + Math.random() * 9000
      await events[name](node, ms, url)
      const waited = await writer.untilWritten()
      longest = Math.max(longest, waited)
      if (waited > backMs) faults.push(`No write succeeded within ${backMs / 1000} s after ${node.name} was ${name}.`)
      onProgress(`round ${round}: ${node.name} was ${name}; ${writer.acknowledged.length} writes so far`)
    }
    await writer.stop()
    const lost = await findLost(writer.acknowledged, { url, schema })
    faults.push(...lost, ...(await findDisorder({ url, schema })))
    return {
      acknowledged: writer.acknowledged.length,
      lost: lost.length,
      lines: [
        `${round} rounds in ${Math.round((performance.now() - begin) / 1000)} s, ${writer.acknowledged.length} writes acknowledged, ` +
          `${writer.refused()} refused, ${(await ask({ url }, `SELECT max(term) AS term FROM "${schema}".leader_change`))[0]?.term} leaders`,
        `the longest time without a write after an event: ${(longest / 1000).toFixed(1)} s`,
      ],
      faults,
    }
  } finally {
    for (const { process: server, network, links } of nodes) {
      server.kill('SIGCONT')
      server.kill('SIGKILL')
      await server.ended
      network.close()
      links.close()
    }
    await ask({ url }, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Place {
  url: string
  schema: string
}

async function startNode(
  name: string,
  { url, schema, key, folder, faults }: Place & { key: string; folder: string; faults: string[] },
): Promise<SoakedNode> {
  const network = await networkTo(url)
  // A node listens at the first address of this machine for what comes by way of the second one.
  const port = await freePort()
  const links = await networkTo(`http://127.0.0.1:${port}`, { host: '127.0.0.2', port })
  const settings = {
    DATA_DIR: join(folder, name),
    DATABASE_URL: network.url,
    WHEELHOUSE_SCHEMA: schema,
    CLUSTER_KEY: key,
    CLUSTER_ADDRESS: `127.0.0.2:${port}`,
    WATCH_THIS_MACHINE: 'false',
    ADMIN_PASSWORD: admin.password,
  }
  const first = await spawnServer(settings)
  const ownPort = new URL(first.address || 'http://none:0').port
  let restarting: Promise<void> | undefined
  const node: SoakedNode = {
    name,
    network,
    links,
    process: first,
    // One that ended by itself may be killed before it is back.
    restart: () => {
      restarting ??= startAgain().finally(() => {
        restarting = undefined
      })
      return restarting
    },
  }
  async function startAgain(): Promise<void> {
    await node.process.ended
    // Its database may be out of reach: its launcher would try again, too.
    for (const from = performance.now(); ; await pause(1000)) {
      node.process = await spawnServer({ ...settings, PORT: ownPort })
      if (node.process.address) break
      if (performance.now() - from > 2 * backMs)
        throw new Error(`The node ${name} did not start again:\n${node.process.output()}`)
    }
    watch()
  }
  function watch(): void {
    const watched = node.process
    void watched.ended.then((code) => {
      if (code !== null && code !== 0 && code !== demotedExitCode)
        faults.push(`The node ${name} ended with ${code}: ${watched.output().slice(-500)}`)
      if (code === demotedExitCode) void node.restart()
    })
  }
  if (!first.address) throw new Error(`The node ${name} did not start:\n${first.output()}`)
  watch()
  return node
}

/** Another node leads. */
const demotedExitCode = 75

/** Writes one group after the other, each at a node that answers; what was acknowledged has to stay. */
async function startWriter(nodes: readonly SoakedNode[], faults: string[]) {
  const acknowledged: string[] = []
  const api: Api = await signIn(nodes[0]?.process.address ?? '', admin)
  let isStopped = false
  let refused = 0
  let lastAt = performance.now()

  async function write(name: string): Promise<boolean> {
    const { address } = nodes[Math.floor(Math.random() * nodes.length)]?.process ?? {}
    try {
      const reply = await fetch(`${address}/api/v1/server-group`, {
        method: 'POST',
        headers: api.headers(),
        body: JSON.stringify({ name, servers: [] }),
        signal: AbortSignal.timeout(answerMs),
      })
      const { success, error } = (await reply.json()) as { success?: boolean; error?: string }
      if (!success && reply.status !== 503) faults.push(`A write was answered with ${reply.status} ${error}`)
      return success === true
    } catch {
      // The node has just gone.
      return false
    }
  }

  async function run(): Promise<void> {
    for (let number = 1; !isStopped; number++) {
      const name = `group ${number}`
      if (await write(name)) {
        acknowledged.push(name)
        lastAt = performance.now()
      } else refused++
      await pause(writeMs)
    }
  }

  const running = run()
  return {
    acknowledged,
    refused: () => refused,
    /** Waits until a write has succeeded that began after now. @returns milliseconds */
    async untilWritten() {
      const from = performance.now()
      while (lastAt < from && performance.now() - from < 2 * backMs) await pause(writeMs)
      return performance.now() - from
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

async function findLost(acknowledged: readonly string[], { url, schema }: Place): Promise<string[]> {
  const rows = await ask({ url }, `SELECT name, count(*) AS n FROM "${schema}"."server-group" GROUP BY name`)
  const counts = new Map(rows.map(({ name, n }) => [name, Number(n)]))
  return acknowledged.flatMap((name) => {
    const count = counts.get(name) ?? 0
    return count === 1 ? [] : [`${name} was acknowledged, and is there ${count} times.`]
  })
}

/** Commits whose term is lower than that of the one before: two have led at the same time. */
async function findDisorder({ url, schema }: Place): Promise<string[]> {
  const found = await ask(
    { url },
    `SELECT number FROM (SELECT number, term < lag(term) OVER (ORDER BY number) AS is_late FROM "${schema}".commit_log) AS log WHERE is_late`,
  )
  return found.map(({ number }) => `The commit ${number} is of an earlier term than the one before.`)
}

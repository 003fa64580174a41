import { keptCommits } from './commitWriter.ts'
import { type PostgresPlace, quotedSchema, readRows, withConnection } from './connection.ts'
import { readCluster } from './ownTables.ts'

/** What the nodes of a cluster know of each other. Times are milliseconds since 1970. */
export interface ClusterStatus {
  term: number
  nodes: {
    id: string
    address: string
    version: string
    leader: boolean
    since: number
    /** Commits that the node does not have yet. */
    lag: number
  }[]
  /** The latest first. */
  changes: { term: number; at: number; node: string; address: string }[]
}

/** Milliseconds between two notes of a node that it is there, and after which one without is forgotten. */
export const [presenceMs, goneMs] = [2000, 15_000]
/** Changes of the leader that are shown. */
const shownChanges = 20

/** Reads who is there, on a connection of its own. */
export async function readStatus(place: PostgresPlace, id: string): Promise<ClusterStatus> {
  const schema = quotedSchema(place)
  return withConnection(place, id, async (client) => {
    const cluster = await readCluster(client, place)
    const nodes = await readRows(
      client,
      `SELECT id, address, version, extract(epoch FROM since) * 1000, applied FROM ${schema}.cluster_node
       WHERE seen > clock_timestamp() - $1 * interval '1 millisecond' ORDER BY since, id`,
      [goneMs],
    )
    const changes = await readRows(
      client,
      `SELECT term, extract(epoch FROM at) * 1000, node, address FROM ${schema}.leader_change ORDER BY term DESC LIMIT ${shownChanges}`,
    )
    return {
      term: cluster?.term ?? 0,
      nodes: nodes.map(([node, address, version, since, applied]) => ({
        id: node ?? '',
        address: address ?? '',
        version: version ?? '',
        leader: node === cluster?.node,
        since: Math.round(Number(since)),
        lag: node === cluster?.node ? 0 : Math.max(0, (cluster?.lastCommit ?? 0) - Number(applied)),
      })),
      changes: changes.map(([term, at, node, address]) => ({
        term: Number(term),
        at: Math.round(Number(at)),
        node: node ?? '',
        address: address ?? '',
      })),
    }
  })
}

/** Whether a node other than this one has a copy of all rows, or nearly: what is missing, it takes from the log. */
export async function hasSuccessor(place: PostgresPlace, id: string): Promise<boolean> {
  const schema = quotedSchema(place)
  const statement = `SELECT 1 FROM ${schema}.cluster_node, ${schema}.cluster WHERE cluster_node.id <> $1
    AND cluster_node.address <> '' AND seen > clock_timestamp() - $2 * interval '1 millisecond'
    AND applied > last_commit - ${keptCommits} AND applied > 0 LIMIT 1`
  try {
    const found = await withConnection(place, id, (client) => readRows(client, statement, [id, 2 * presenceMs]))
    return found.length > 0
  } catch {
    return false
  }
}

/** Takes a node that ends off the list. */
export async function forget(place: PostgresPlace, id: string): Promise<void> {
  const statement = `DELETE FROM ${quotedSchema(place)}.cluster_node WHERE id = $1`
  try {
    await withConnection(place, id, (client) => readRows(client, statement, [id]))
  } catch {
    // The others forget it after a while.
  }
}

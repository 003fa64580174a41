import { onTestFinished, vi } from 'vitest'
import { type ClusterNodeOptions, openClusterNode } from '../../../server/db/postgres/clusterNode.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { networkTo } from './networkTo.ts'

type NodeOptions = Pick<ClusterNodeOptions, 'leaseMs' | 'steps'>

/** A node of a cluster that ends with the test, what its operator is told, and whether it had to end for another one. */
export async function openNode(place: PostgresPlace, options: NodeOptions = {}) {
  const logged: string[] = []
  const onDemoted = vi.fn()
  const log = (text: string) => void logged.push(text)
  const node = await openClusterNode({
    place,
    key: Buffer.alloc(32, 1),
    address: '127.0.0.1:1',
    version: '1.2.3',
    log: { info: log, warn: log, error: log },
    onDemoted,
    onLostWrite: () => {},
    ...options,
  })
  let isClosed = false
  async function close(): Promise<void> {
    if (!isClosed) await node.close()
    isClosed = true
  }
  onTestFinished(close)
  return { node, logged, onDemoted, close }
}

/** The same, with a network to PostgreSQL that the test can cut. @param place where it is without that network */
export async function openNodeByNetwork(place: PostgresPlace, options: NodeOptions = {}) {
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const own = { ...place, url: network.url }
  return { network, own, ...(await openNode(own, options)) }
}

import { onTestFinished } from 'vitest'
import { openClusterNode } from '../../../server/db/postgres/clusterNode.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'

/** A node that leads; it ends with the test. @param before what its end begins with */
export async function leadingNode(place: PostgresPlace, before = () => {}) {
  const node = await openClusterNode({
    place,
    key: Buffer.alloc(32, 1),
    address: '127.0.0.1:1',
    version: '1.2.3',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    onDemoted: () => {},
    onLostWrite: () => {},
  })
  const { identity, store, writer } = await node.lead()
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    before()
    await node.close()
    store.close()
  }
  onTestFinished(close)
  return { nodeId: node.id, identity, store, writer, close }
}

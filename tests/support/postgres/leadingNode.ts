import { onTestFinished } from 'vitest'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { openNode } from './openNode.ts'

/** A node that leads; it ends with the test. @param before what its end begins with */
export async function leadingNode(place: PostgresPlace, before = () => {}) {
  const { node, close: endNode } = await openNode(place)
  const { identity, store, writer } = await node.lead()
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    before()
    await endNode()
    store.close()
  }
  // Before that of the node itself: what is registered last comes first.
  onTestFinished(close)
  return { nodeId: node.id, identity, store, writer, close }
}

import { randomBytes } from 'node:crypto'
import { openClusterNode } from '../../../server/db/postgres/clusterNode.ts'
import type { Store } from '../../../server/db/store.ts'
import { newPlace } from './testPostgres.ts'

/**
 * An empty store whose transactions go to PostgreSQL, for tests that are about something else: with
 * `TEST_STORE=postgres`, every server of `testServer` has one.
 */
export async function postgresStore(): Promise<Store> {
  const fail = (text: string, cause?: unknown) => {
    throw new Error(text, { cause })
  }
  const node = await openClusterNode({
    place: await newPlace(),
    key: randomBytes(32),
    address: '127.0.0.1:1',
    version: '1.2.3',
    log: { info: () => {}, warn: () => {}, error: fail },
    onDemoted: () => fail('another node leads'),
    onLostWrite: (error) => fail('a change could not be saved', error),
  })
  const { store } = await node.lead()
  return { ...store, close: () => void node.close().then(store.close) }
}

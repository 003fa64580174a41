import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testPostgres } from '../../postgres/testPostgres.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { startServerProcess } from './serverProcess.ts'
import type { ServerProcess } from './spawnServer.ts'

/** The administrator of nodes that are started here. */
export const nodeAdmin = { username: 'admin', password: 'correct horse' }

/** Settings of nodes that belong together, on a schema of their own. */
export async function clusterSettings() {
  const { url, schema } = await testPostgres()
  return { DATABASE_URL: url, WHEELHOUSE_SCHEMA: schema, CLUSTER_KEY: randomBytes(32).toString('base64') }
}

/** Starts a node in a process of its own, with a data folder of its own; it is killed when the test is over. */
export async function startNode(settings: Record<string, string>): Promise<ServerProcess> {
  const folder = join(temporaryFolder(), 'data')
  const node = await startServerProcess({ DATA_DIR: folder, ADMIN_PASSWORD: nodeAdmin.password, ...settings })
  expect(node.address, node.output()).not.toBe('')
  return node
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type AppOptions, buildApp } from '../../../server/app.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import type { TestNode } from '../postgres/testNode.ts'
import { openServers } from './openServers.ts'

/** Whether the servers of tests are nodes of a cluster on PostgreSQL rather than on SQLite: see CONTRIBUTING.md. */
export const isOnPostgres = process.env.TEST_STORE === 'postgres'

let image: Promise<Uint8Array> | undefined
const nodes = new WeakMap<Store, TestNode>()

/**
 * An empty store for a whole server. In memory it is as after the first start: making its tables and indexes one by one
 * takes a fifth of the start of a server. On PostgreSQL it ends with the test, or the file, after the servers on it.
 */
export async function emptyStore(): Promise<Store> {
  if (!isOnPostgres) {
    image ??= createImage()
    return openStore(':memory:', { image: await image })
  }
  const { openTestNode } = await import('../postgres/testNode.ts')
  const node = await openTestNode()
  nodes.set(node.store, node)
  openServers.add(node)
  return node.store
}

/**
 * What a server on a store of `emptyStore` is built with beside it: nothing in memory, and on PostgreSQL what makes it
 * the leader of a cluster. @param now its clock
 */
export const partsFor = (store: Store, now?: () => number): Partial<AppOptions> => nodes.get(store)?.parts(now) ?? {}

/** A database with the tables of every feature, without rows: secrets that a server makes are its own. */
async function createImage(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-image-'))
  try {
    const store = openStore(':memory:')
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const app = await buildApp({ store, log, settings: { host: '127.0.0.1' }, version: '1.2.3' })
    await app.close()
    const file = join(folder, 'image.db')
    store.backup(file)
    store.close()
    return withoutRows(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function withoutRows(file: string): Uint8Array {
  const database = new DatabaseSync(file)
  // Nobody reads the file again: without this, each table would wait for the disk.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
  for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
    database.exec(`DELETE FROM "${name}"`)
  }
  database.exec('COMMIT')
  const bytes = database.serialize()
  database.close()
  return bytes
}

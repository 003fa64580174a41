import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildApp } from '../../../server/app.ts'
import { openStore, type Store } from '../../../server/db/store.ts'

let image: Promise<Uint8Array> | undefined

/**
 * An empty store in memory for a whole server, as after its first start: making its tables and indexes one by one takes a
 * fifth of the start of a server.
 */
export async function memoryStore(): Promise<Store> {
  if (process.env.TEST_STORE === 'postgres') return (await import('../postgres/postgresStore.ts')).postgresStore()
  image ??= createImage()
  return openStore(':memory:', { image: await image })
}

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

import { createHmac } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import { migrate } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { createJournal } from '../slices.ts'
import { type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'
import { replaceAll } from './copy.ts'

interface NewCluster {
  place: PostgresPlace
  /** See `keyCheckOf`. */
  keyCheck: string
  /** What brings the tables to the version of this program. */
  steps: readonly Migration[]
}

/** Makes the tables of a cluster that nobody has led yet, without a record. */
export async function fillNewCluster(on: Client, { place, keyCheck, steps }: NewCluster): Promise<void> {
  const database = new DatabaseSync(':memory:')
  try {
    migrate(database, ':memory:', steps)
    createJournal(database)
    await run(on, 'BEGIN')
    await replaceAll(on, place, { database, typeOf: typeOfValue, former: new Map() })
    await readRows(
      on,
      `INSERT INTO ${quotedSchema(place)}.cluster (key_check, version, term, last_commit) VALUES ($1, $2, 0, 0)`,
      [keyCheck, steps.length],
    )
    await run(on, 'COMMIT')
  } finally {
    database.close()
  }
}

/** By which a node knows whether it has the key of the others. */
export const keyCheckOf = (key: Buffer): string =>
  createHmac('sha256', key).update('the key of a cluster').digest('base64')

/** The values by name are JSON; other tables tell their types. */
export const typeOfValue = (table: string, column: string) =>
  table === 'value' && column === 'json' ? ('json' as const) : undefined

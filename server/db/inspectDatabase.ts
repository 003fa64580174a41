import { DatabaseSync } from 'node:sqlite'

/** A look into a database from outside of its server. */
export interface Inspection {
  /** A value kept by name. */
  value<T>(key: string): T | undefined
  /** The latest `updated_at` in these tables; `undefined` when they are empty. */
  latestUpdate(tables: readonly string[]): string | undefined
  /** Takes a second for about 100 MB. */
  isWhole(): boolean
}

/**
 * Reads a database that a server may be working on, and does not bring it to another version.
 * @param path of a file that is there
 * @throws the error of the database
 */
export function inspectDatabase<T>(path: string, look: (inspection: Inspection) => T): T {
  // Not read-only: such a connection leaves SQLite's -wal and -shm files behind where no server runs.
  const database = new DatabaseSync(path, { timeout: 5000 })
  try {
    return look({
      value(key) {
        const json = database.prepare('SELECT json FROM "value" WHERE name = ?').get(key)?.json
        return json === undefined ? undefined : JSON.parse(String(json))
      },
      latestUpdate(tables) {
        const all = tables.map((table) => `SELECT updated_at FROM "${table.replaceAll('"', '""')}"`).join(' UNION ALL ')
        const at = database.prepare(`SELECT max(updated_at) AS at FROM (${all})`).get()?.at
        return typeof at === 'string' ? at : undefined
      },
      isWhole: () => isWhole(database),
    })
  } finally {
    database.close()
  }
}

/** Whether SQLite finds nothing wrong in any page of a database. Takes a second for about 100 MB. */
export const isWhole = (database: DatabaseSync): boolean =>
  database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check === 'ok'

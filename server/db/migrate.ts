import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Migration } from './migrations/migration.ts'
import { damaged, newer, StoreError } from './storeError.ts'

const maxCopies = 3

/**
 * Runs the missing migrations, each in its own transaction. An existing file is copied first, as
 * `<file>.before-<version>-<time>`; the last three copies stay.
 * @throws StoreError when the database is newer or damaged
 */
export function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  const from = versionOf(database)
  if (from > migrations.length) throw new StoreError(newer(path, from, migrations.length))
  if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') throw new StoreError(damaged(path))
  if (from === migrations.length) return
  if (from > 0 && path !== ':memory:') copyBefore(database, path, from)
  for (const [index, migration] of migrations.entries()) if (index >= from) apply(database, migration, index + 1)
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

function apply(database: DatabaseSync, { up }: Migration, version: number): void {
  const find = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  database.exec('BEGIN IMMEDIATE')
  try {
    up({ run: (sql) => database.exec(sql), hasTable: (name) => find.get(name) !== undefined })
    database.exec(`PRAGMA user_version = ${version}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function copyBefore(database: DatabaseSync, path: string, version: number): void {
  const time = new Date().toISOString().replaceAll(/[-:]/g, '').replace('.', '')
  database.prepare('VACUUM INTO ?').run(`${path}.before-${version}-${time}`)
  const prefix = `${basename(path)}.before-`
  const timeOf = (name: string) => name.slice(name.lastIndexOf('-') + 1)
  const copies = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => timeOf(b).localeCompare(timeOf(a)))
  for (const old of copies.slice(maxCopies)) rmSync(join(dirname(path), old))
}

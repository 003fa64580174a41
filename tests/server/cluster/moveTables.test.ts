import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { typeOfColumn } from '../../../server/db/postgres/columnTypes.ts'
import { openStore } from '../../../server/db/store.ts'
import type { Column, TableDefinition } from '../../../server/db/table.ts'
import { configuredEntities } from '../../../src/domain/configuration/configuredEntities.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { addMachine, creatable, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { cheapPasswords, password, signedIn, testServer } from '../../support/server/testServer.ts'

/** What each type of column has to come back with: the ends of its range, and what has a meaning of its own somewhere. */
const samples: Record<Column['type'], readonly unknown[]> = {
  INTEGER: [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1_795_262_400_000],
  REAL: [0, 0.1, -1 / 3, 5e-324, Number.MAX_VALUE, 3, Number.POSITIVE_INFINITY],
  TEXT: ['', ' ', 'it\'s \\ "', 'nul \u0000 \ufdd0\ufdd1', 'ü \u{1f600} \u202e', '$1 %s ?\r\n\t', '{"not": json', '12'],
  FLAG: [true, false],
  JSON: [{ z: 1, a: [1.0, 1e21, null, '\u0000\ud800'] }, [], {}, 'text', 0, false, [{ ü: "'\\" }]],
}

/** Rows of a table from its definition alone: every sample of every column, and one without values. */
function rowsFor({ columns }: TableDefinition): Record<string, unknown>[] {
  const count = Math.max(1, ...columns.map(({ type }) => samples[type].length))
  const rows = Array.from({ length: count }, (_, at) =>
    columns.map(({ name, type, unique }) => {
      const all = samples[type]
      const value = all[at % all.length]
      return [name, unique ? (type === 'TEXT' ? `${value} ${at}` : at) : value] as const
    }),
  )
  return [...rows.map((row) => Object.fromEntries(row)), {}]
}

interface Filled {
  folder: string
  definitions: ReadonlyMap<string, TableDefinition>
}

/** A data folder with a record of each kind that people make. */
async function folderWithRecords(): Promise<Filled> {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder, { mode: 0o700 })
  const store = openStore(join(folder, 'wheelhouse.db'))
  addUser(usersIn(store), {
    username: 'admin',
    password: await hashPassword(password, cheapPasswords),
    role: 0,
    now: 0,
  })
  const server = await testServer({ store })
  const admin = await signedIn(server)
  addMachine(server, 1)
  for (const name of creatable) await createRecord(admin, name, validForm(name, { text: `ü-${name}` }))
  await server.app.close()
  store.close()
  return { folder, definitions: store.definitions() }
}

/** The same, in which every other table has rows that follow from its definition: a new one without a line here. */
async function folderWithRows(): Promise<Filled> {
  const { folder, definitions } = await folderWithRecords()
  const store = openStore(join(folder, 'wheelhouse.db'))
  for (const definition of definitions.values()) {
    const table = store.table<{ id: number } & Record<string, unknown>>(definition)
    if (table.count() > 0) continue
    for (const row of rowsFor(definition)) table.insert(row)
    // The highest id was given to a row that is gone.
    table.remove([table.insert({})])
  }
  for (const [at, value] of samples.JSON.entries()) store.setValue(`value ${at}`, value)
  store.close()
  return { folder, definitions }
}

/** All that a database has: what made its tables, their rows with the type of each value, and the last ids. */
function contentOf(folder: string): Map<string, unknown[]> {
  const database = new DatabaseSync(join(folder, 'wheelhouse.db'), { readOnly: true })
  try {
    const entries = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
    const rowsOf = (name: string): unknown[] => {
      const select = database.prepare(`SELECT * FROM "${name}" ORDER BY 1`)
      select.setReadBigInts(true)
      return select.all().map((row) => Object.entries(row).map(([column, value]) => [column, typeof value, value]))
    }
    const tables = entries.filter(({ type }) => type === 'table').map(({ name }) => String(name))
    return new Map<string, unknown[]>([['schema', entries], ...tables.map((name) => [name, rowsOf(name)] as const)])
  } finally {
    database.close()
  }
}

async function exported(settings: Record<string, string>): Promise<string> {
  const file = join(temporaryFolder(), 'configuration.yaml')
  expect(await runCommandHere(['export', file], settings)).toMatchObject({ code: 0, stderr: '' })
  return readFileSync(file, 'utf8')
}

it('every table comes through PostgreSQL and back with the same rows, types, ids and indexes', async () => {
  const { folder, definitions } = await folderWithRows()
  const before = contentOf(folder)
  // No table but those of the database itself is without a definition, and all of them have rows.
  const own = ['schema', 'sqlite_sequence', 'value', 'unfinished']
  expect([...before.keys()].filter((name) => !own.includes(name)).sort()).toEqual([...definitions.keys()].sort())
  for (const name of definitions.keys()) expect([name, before.get(name)?.length]).not.toEqual([name, 0])

  const place = await testPostgres()
  const key = randomBytes(32).toString('base64')
  const settings = { DATA_DIR: folder, CLUSTER_KEY: key, WHEELHOUSE_SCHEMA: place.schema }
  expect(await runCommandHere(['move', '--to', place.url], settings)).toMatchObject({ code: 0, stderr: '' })
  const stored = await ask(
    place,
    `SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = '${place.schema}'`,
  )
  const typeOf = new Map(stored.map(({ name, type }) => [name, type]))
  for (const { name: table, columns } of definitions.values())
    for (const { name, type } of columns)
      expect([table, name, typeOf.get(`${table}.${name}`)]).toEqual([table, name, typeOfColumn[type]])

  const back = join(temporaryFolder(), 'back')
  mkdirSync(back, { mode: 0o700 })
  const inPostgres = { ...settings, DATABASE_URL: place.url }
  const moved = await runCommandHere(['move', '--to', join(back, 'wheelhouse.db')], inPostgres)
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  const after = contentOf(back)
  for (const [name, rows] of before) expect([name, after.get(name)]).toEqual([name, rows])
  expect([...after.keys()]).toEqual([...before.keys()])
})

it('an export with a record of each kind is the same before, in PostgreSQL and after it', async () => {
  const { folder } = await folderWithRecords()
  const before = await exported({ DATA_DIR: folder })
  for (const entity of configuredEntities())
    if (entity.api.verbs.includes('create')) expect(before).toContain(`${entity.name}:`)
  const { url, schema } = await testPostgres()
  const settings = {
    DATA_DIR: folder,
    CLUSTER_KEY: randomBytes(32).toString('base64'),
    WHEELHOUSE_SCHEMA: schema,
  }
  expect(await runCommandHere(['move', '--to', url], settings)).toMatchObject({ code: 0, stderr: '' })
  const inPostgres = { ...settings, DATABASE_URL: url, DATA_DIR: join(temporaryFolder(), 'node') }
  expect(await exported(inPostgres)).toBe(before)
  const back = join(temporaryFolder(), 'back')
  mkdirSync(back, { mode: 0o700 })
  const moved = await runCommandHere(['move', '--to', join(back, 'wheelhouse.db')], inPostgres)
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  expect(await exported({ DATA_DIR: back })).toBe(before)
})

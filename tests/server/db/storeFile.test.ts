import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { createBackup } from '../../../server/db/createBackup.ts'
import { migrations } from '../../../server/db/migrations/index.ts'
import type { Migration } from '../../../server/db/migrations/migration.ts'
import { mainDatabase, restoreBackup } from '../../../server/db/restoreBackup.ts'
import { openStore } from '../../../server/db/store.ts'
import { StoreError } from '../../../server/db/storeError.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-store-'))
  file = join(folder, 'data.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const nothing: Migration = { title: 'A step that finds nothing to do', up: () => {} }
const boxes = (...columns: string[]) => ({
  name: 'box',
  columns: columns.map((name) => ({ name, type: 'TEXT' as const, initial: `no ${name}` })),
})

/** Opens and closes the database as version `version` would. */
function openAs(version: number, step: Migration = nothing): void {
  const later = Array.from({ length: version - migrations.length }, () => step)
  openStore(file, { migrations: [...migrations, ...later] }).close()
}

const copies = () => readdirSync(folder).filter((name) => name.includes('.before-'))

describe('a database file', () => {
  it('keeps its rows and values when it is opened again', () => {
    const store = openStore(file)
    store.table(boxes('name')).insert({ name: 'a' } as object)
    store.setValue('key', 1)
    store.close()
    const again = openStore(file)
    expect(again.table(boxes('name')).all()).toEqual([{ id: 1, name: 'a' }])
    expect(again.value('key')).toBe(1)
    again.close()
  })

  it('is readable by its owner alone', () => {
    openStore(file).close()
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('gets the columns that a table has gained, and its rows their initial values', () => {
    const store = openStore(file)
    store.table(boxes('name')).insert({ name: 'a' } as object)
    store.close()
    const again = openStore(file)
    expect(again.table(boxes('name', 'note')).all()).toEqual([{ id: 1, name: 'a', note: 'no note' }])
    again.close()
  })

  it('is not copied when it is new or up to date', () => {
    openStore(file).close()
    openStore(file).close()
    expect(copies()).toEqual([])
  })

  it('is copied before a step that changes it, and the last three copies stay', () => {
    for (let version = 1; version <= 6; version++) openAs(version)
    expect(copies().map((name) => /before-(\d)-/.exec(name)?.[1])).toEqual(['3', '4', '5'])
    const copy = openStore(join(folder, copies()[0] as string), { migrations: [...migrations, nothing, nothing] })
    copy.close()
  })

  it('stays as it was when a step fails', () => {
    openAs(2)
    const failing: Migration = {
      title: 'A step that breaks off',
      up({ run }) {
        run('CREATE TABLE half (id INTEGER)')
        throw new Error('out of luck')
      },
    }
    expect(() => openAs(3, failing)).toThrow(/out of luck/)
    const store = openStore(file, { migrations: [...migrations, nothing] })
    store.close()
  })

  it('can be copied while it is open', () => {
    const store = openStore(file)
    store.setValue('key', 'kept')
    store.backup(join(folder, 'copy.db'))
    store.close()
    const copy = openStore(join(folder, 'copy.db'))
    expect(copy.value('key')).toBe('kept')
    copy.close()
  })
})

describe('a database that cannot be used is refused in one sentence, and nothing is touched', () => {
  function refusal(): string {
    const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')])
    let message = ''
    try {
      openStore(file).close()
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError)
      message = (error as Error).message
    }
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')])).toEqual(before)
    return message
  }

  it('of a newer version', () => {
    openAs(4)
    expect(refusal()).toMatch(/has version 4, and this Wheelhouse knows versions up to \d: start the newer/)
  })

  it('that is no database', () => {
    writeFileSync(file, 'a letter to my aunt, long enough to be read as a header of a database file, surely')
    expect(refusal()).toMatch(/is damaged or not a database/)
  })

  it('that is damaged inside', () => {
    const store = openStore(file)
    const table = store.table(boxes('name'))
    for (let n = 0; n < 2000; n++) table.insert({ name: `box ${n}` } as object)
    store.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0x7f, 8192, 40_000))
    expect(() => openStore(file)).toThrow(/is damaged or not a database/)
  })

  it('of which a letter has changed, as soon as that is read: the sentence says where', () => {
    const lists = { name: 'list', columns: [{ name: 'items', type: 'JSON' as const }] }
    const store = openStore(file)
    store.setValue('key', { a: 1 })
    const id = store.table<{ id: number; items: unknown }>(lists).insert({ items: [1, 2] })
    store.close()
    const changed = new DatabaseSync(file)
    changed.exec(`UPDATE value SET json = '{"a":' WHERE name = 'key'; UPDATE list SET items = '[1,'`)
    changed.close()
    const damaged = openStore(file)
    expect(() => damaged.value('key')).toThrow(new StoreError('The database is damaged, at key: restore a backup.'))
    const table = damaged.table<{ id: number; items: unknown }>(lists)
    expect(() => table.get(id)).toThrow(
      new StoreError(`The database is damaged, at list ${id} items: restore a backup.`),
    )
    damaged.close()
  })

  it('in a folder that is not there', () => {
    file = join(folder, 'missing', 'data.db')
    expect(() => openStore(file)).toThrow(/cannot be written: give this user write access/)
  })
})

describe('a database file that is no new installation', () => {
  it('is not replaced when it is empty: the message says what is beside it', () => {
    openStore(file).close()
    writeFileSync(file, '')
    writeFileSync(join(folder, 'audit.log'), 'a line\n')
    expect(() => openStore(file)).toThrow(
      /is an empty file, which is no new installation: .*restore FILE.*move away everything whose name begins with data\.db\. Beside it: audit\.log \(7 bytes\)\.$/,
    )
    expect(readFileSync(file, 'latin1')).toBe('')
    expect(readdirSync(folder).sort()).toEqual(['audit.log', 'data.db', 'data.db.reserve'])
  })

  it('is not made anew beside the journal of a lost one, which stays', () => {
    writeFileSync(`${file}-wal`, 'latest writes')
    expect(() => openStore(file)).toThrow(/is missing and its journal is there/)
    expect(readFileSync(`${file}-wal`, 'latin1')).toBe('latest writes')
  })

  it('is made whole or not at all, whatever an earlier start has left', () => {
    writeFileSync(`${file}.new`, 'half')
    writeFileSync(`${file}.new-wal`, 'half')
    openStore(file).close()
    expect(readdirSync(folder)).toEqual(['data.db', 'data.db.reserve'])
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('ends in a sentence when it is a folder', () => {
    mkdirSync(file)
    expect(() => openStore(file)).toThrow(/is a folder, and a file belongs there: move the folder away/)
    expect(() => createBackup(file, join(folder, 'copy.db'))).toThrow(/is a folder, and a file belongs there/)
  })

  it('is replaced by a restored copy: an empty one is kept, and the journal of a lost one is not applied to the copy', () => {
    const copy = join(folder, 'copy.db')
    const store = openStore(file)
    usersIn(store)
    store.setValue('key', 'saved')
    store.close()
    createBackup(file, copy)
    writeFileSync(file, '')
    const previous = restoreBackup(copy, file, mainDatabase(migrations.length))
    expect(readFileSync(previous as string, 'latin1')).toBe('')
    rmSync(file)
    writeFileSync(`${file}-wal`, 'latest writes')
    expect(restoreBackup(copy, file, mainDatabase(migrations.length))).toBeUndefined()
    const again = openStore(file)
    expect(again.value('key')).toBe('saved')
    again.close()
    expect(readdirSync(folder).filter((name) => /before-restore.*-wal$/.test(name))).toHaveLength(1)
  })

  it('is not copied by a backup when it is empty', () => {
    writeFileSync(file, '')
    expect(() => createBackup(file, join(folder, 'copy.db'))).toThrow(/is an empty file/)
    expect(readdirSync(folder)).toEqual(['data.db'])
  })
})

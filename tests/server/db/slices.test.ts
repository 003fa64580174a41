import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { inverse } from '../../../server/db/changeset.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { migrations } from '../../../server/db/migrations/index.ts'
import type { Replication } from '../../../server/db/replication.ts'
import { createJournal } from '../../../server/db/slices.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import { tooLargeError } from '../../../server/db/storeError.ts'
import type { TableDefinition } from '../../../server/db/table.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

interface Row {
  id: number
  name: string
}

const boxes: TableDefinition = { name: 'toy-box', columns: [{ name: 'name', type: 'TEXT' }] }

const namesIn = (store: Store) =>
  store
    .table<Row>(boxes)
    .all()
    .map(({ id, name }) => `${id} ${name}`)

/** Steps that take 5 ms each: changes a row, deletes one, and adds as many as it is told. */
function* longWork(store: Store, count: number): Generator<void> {
  const table = store.table<Row>(boxes)
  table.update(1, { name: 'changed' })
  table.remove([2])
  store.setValue('color', 'red')
  for (let made = 0; made < count; made++) {
    table.insert({ name: `new ${made}` })
    for (const end = performance.now() + 5; performance.now() < end; );
    yield
  }
}

const filled = (store: Store): Store => {
  for (const name of ['a', 'b', 'c']) store.table<Row>(boxes).insert({ name })
  store.setValue('color', 'green')
  return store
}

const boxStore = (path = ':memory:'): Store => filled(openStore(path))

/** A store whose database is elsewhere, and takes so many bytes of changes at once. */
function replicatedStore(mostChanges: number): Store {
  const database = new DatabaseSync(':memory:')
  migrate(database, ':memory:', migrations)
  createJournal(database)
  const replication: Replication = {
    mostChanges,
    isAway: () => false,
    assertWritable: () => {},
    untilWritable: () => Promise.resolve(true),
    changedSchema: () => {},
    prepare({ length }) {
      if (length > mostChanges) throw tooLargeError('changes', length, mostChanges)
      return undefined
    },
    whenDurable: (act) => act(),
    whenShown: (show) => show(),
    durable: () => Promise.resolve(true),
    isDurable: () => true,
  }
  return filled(openStore(':memory:', { replica: { database, replication } }))
}

const untouched = ['1 a', '2 b', '3 c']

/** How many turns others had before the work ended. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  let turns = 0
  const over = () => {
    isOver = true
  }
  void work.then(over, over)
  while (!isOver) {
    await nextTurn()
    turns++
  }
  return turns
}

describe('work in slices', () => {
  it('is done, and others have their turn', async () => {
    const store = boxStore()
    expect(await turnsDuring(store.inSlices(longWork(store, 30)))).toBeGreaterThan(4)
    expect(namesIn(store)).toHaveLength(32)
    expect(namesIn(store).slice(0, 3)).toEqual(['1 changed', '3 c', '4 new 0'])
    expect(store.value('color')).toBe('red')
  })

  it('is refused and leaves nothing when a database elsewhere could not take it back at once', async () => {
    const store = replicatedStore(64 * 1024)
    function* largeWork() {
      for (const step of longWork(store, 30)) {
        store.setValue(`large ${store.table<Row>(boxes).count()}`, 'x'.repeat(6 * 1024))
        yield step
      }
    }
    await expect(store.inSlices(largeWork())).rejects.toThrow('nothing was saved')
    expect(namesIn(store)).toEqual(untouched)
    expect(store.value('color')).toBe('green')
    // Nothing of it is left to be taken back by the next one.
    await store.inSlices(longWork(store, 1))
    expect(namesIn(store)).toHaveLength(3)
    expect(namesIn(store).slice(0, 2)).toEqual(['1 changed', '3 c'])
  })

  it('leaves nothing when its last step fails, but what others have written meanwhile', async () => {
    const store = boxStore()
    function* failing() {
      yield* longWork(store, 30)
      throw new Error('the last one')
    }
    const work = store.inSlices(failing())
    const rejection = expect(work).rejects.toThrow('the last one')
    await nextTurn()
    await nextTurn()
    expect(namesIn(store)[0]).toBe('1 changed')
    store.setValue('shape', 'round')
    const id = store.table<Row>(boxes).insert({ name: 'of somebody else' })
    await rejection
    expect(namesIn(store)).toEqual([...untouched, `${id} of somebody else`])
    expect([store.value('color'), store.value('shape')]).toEqual(['green', 'round'])
    await store.inSlices(longWork(store, 1))
    expect(namesIn(store)[0]).toBe('1 changed')
  })

  it('is one transaction when it takes only a moment', async () => {
    const store = boxStore()
    function* failing() {
      yield* longWork(store, 1)
      throw new Error('the last one')
    }
    const work = store.inSlices(failing())
    expect(namesIn(store)).toEqual(untouched)
    await expect(work).rejects.toThrow('the last one')
  })

  it('leaves nothing when the process ends before the last step', async () => {
    const path = join(temporaryFolder(), 'boxes.db')
    const store = boxStore(path)
    const ended = expect(store.inSlices(longWork(store, 60))).rejects.toThrow()
    await nextTurn()
    await nextTurn()
    store.close()
    await ended
    const left = new DatabaseSync(path)
    expect(left.prepare('SELECT name FROM "toy-box" WHERE id = 1').get()).toEqual({ name: 'changed' })
    left.close()
    for (let starts = 0; starts < 2; starts++) {
      const next = openStore(path)
      expect(namesIn(next)).toEqual(untouched)
      expect(next.value('color')).toBe('green')
      next.close()
    }
  })

  it('leaves nothing when another program locks the database before the last step', async () => {
    const path = join(temporaryFolder(), 'boxes.db')
    const store = boxStore(path)
    const work = store.inSlices(longWork(store, 60))
    const rejection = expect(work).rejects.toThrow('locked')
    await nextTurn()
    await nextTurn()
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    await rejection
    expect(namesIn(store)[0]).toBe('1 changed')
    await expect(store.inSlices(longWork(store, 1))).rejects.toThrow('locked')
    other.exec('ROLLBACK')
    other.close()
    await vi.waitFor(() => expect(namesIn(store)).toEqual(untouched))
    expect(store.value('color')).toBe('green')
    await store.inSlices(longWork(store, 1))
    expect(namesIn(store)[0]).toBe('1 changed')
    store.close()
  })

  it('takes back what was left before it begins', async () => {
    const path = join(temporaryFolder(), 'boxes.db')
    const store = boxStore(path)
    const rejection = expect(store.inSlices(longWork(store, 60))).rejects.toThrow('locked')
    await nextTurn()
    await nextTurn()
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    await rejection
    other.exec('ROLLBACK')
    other.close()
    await store.inSlices(
      (function* () {
        store.table<Row>(boxes).insert({ name: 'next' })
        yield
      })(),
    )
    expect(namesIn(store).map((name) => name.slice(2))).toEqual(['a', 'b', 'c', expect.stringMatching(/next$/)])
    store.close()
  })

  it('waits for what runs already', async () => {
    const store = boxStore()
    const order: string[] = []
    function* named(name: string) {
      for (const _ of longWork(store, 10)) {
        order.push(name)
        yield
      }
    }
    await Promise.all([store.inSlices(named('first')), store.inSlices(named('second'))])
    expect(order).toEqual([...Array(10).fill('first'), ...Array(10).fill('second')])
  })
})

it('changes that were recorded can be taken back, whatever they are', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    `CREATE TABLE one (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b REAL, c BLOB);
     CREATE TABLE two (x TEXT, y INTEGER, z TEXT, PRIMARY KEY (x, y))`,
  )
  const content = () =>
    JSON.stringify(['one', 'two'].map((name) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all()))
  let random = 11
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  const change = [
    () => {
      const blob = next(2) === 0 ? null : new Uint8Array(next(20_000))
      database.prepare('INSERT INTO one (a, b, c) VALUES (?, ?, ?)').run('x'.repeat(next(400)), next(9) / 2, blob)
    },
    () => database.prepare('UPDATE one SET a = ?, b = NULL WHERE id = ?').run(`é${next(9)}`, next(50)),
    () => database.prepare('DELETE FROM one WHERE id = ?').run(next(50)),
    () => database.prepare('INSERT OR REPLACE INTO two VALUES (?, ?, ?)').run(`k${next(4)}`, next(4), `${next(99)}`),
    () => database.prepare('UPDATE OR IGNORE two SET y = y + 10 WHERE x = ? AND y < 2').run(`k${next(4)}`),
  ]
  for (let round = 0; round < 60; round++) {
    const before = content()
    const session = database.createSession()
    for (let count = 0; count < 20; count++) change[next(change.length)]?.()
    const changes = session.changeset()
    session.close()
    if (next(2) === 0) continue
    database.applyChangeset(inverse(changes))
    expect(content()).toBe(before)
  }
})

import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ClusterNodeOptions, openClusterNode } from '../../../../server/db/postgres/clusterNode.ts'
import type { PostgresPlace } from '../../../../server/db/postgres/connection.ts'
import type { Store } from '../../../../server/db/store.ts'
import type { TableDefinition } from '../../../../server/db/table.ts'
import { ask } from '../../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../../support/postgres/testPostgres.ts'

const key = randomBytes(32)

interface Note {
  id: number
  title: string | null
  done: boolean | null
  size: number | null
  share: number | null
  more: unknown
}

const notes: TableDefinition = {
  name: 'note',
  columns: [
    { name: 'title', type: 'TEXT', unique: true },
    { name: 'done', type: 'FLAG', initial: false },
    { name: 'size', type: 'INTEGER' },
    { name: 'share', type: 'REAL' },
    { name: 'more', type: 'JSON' },
  ],
}

async function node(place: PostgresPlace, given: Partial<ClusterNodeOptions> = {}) {
  const logged: string[] = []
  const note = (text: string) => void logged.push(text)
  const opened = await openClusterNode({
    place,
    key,
    address: '127.0.0.1:1',
    version: '1.2.3',
    log: { info: note, warn: note, error: (text, cause) => note(`${text} ${cause}`) },
    onDemoted: () => note('demoted'),
    onLostWrite: (error) => note(String(error)),
    ...given,
  })
  onTestFinished(() => opened.close())
  return Object.assign(opened, { logged })
}

const rowsOf = (store: Store) => store.table<Note>(notes).all()
const durably = async (store: Store) => expect(await store.durable(10_000)).toBe(true)

describe('a store whose database is PostgreSQL', () => {
  it('keeps what is written there, in columns with types', async () => {
    const place = await testPostgres()
    const { store } = await (await node(place)).lead()
    const table = store.resident<Note>(notes)
    const id = table.insert({ title: 'a', done: true, size: 2 ** 40, share: 0.1, more: { b: 1, a: [true, null] } })
    table.insert({ title: null, done: false, size: null, share: 5, more: 'text' })
    table.update(id, { title: "it's \\ \u0000 ü\u{1f600}", more: { z: '\u0000\ud800' } })
    store.setValue('site', { name: 'Wheelhouse' })
    await durably(store)
    expect(await ask(place, `SELECT * FROM "${place.schema}".note ORDER BY id`)).toEqual([
      {
        id: '1',
        title: "it's \\ \ufdd0 ü\u{1f600}",
        done: 't',
        size: '1099511627776',
        share: '0.1',
        more: '{"z":"\\u0000\\ud800"}',
      },
      { id: '2', title: null, done: 'f', size: null, share: '5', more: '"text"' },
    ])
    const types = `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = '${place.schema}' AND table_name = 'note'`
    expect(Object.fromEntries((await ask(place, types)).map((row) => Object.values(row)))).toEqual({
      id: 'bigint',
      title: 'text',
      done: 'boolean',
      size: 'bigint',
      share: 'double precision',
      more: 'json',
    })
  })

  it('has the same rows and values after a start, and gives no id twice', async () => {
    const place = await testPostgres()
    const first = await node(place)
    const { store } = await first.lead()
    const table = store.resident<Note>(notes)
    const kept = { title: 'nul \u0000', done: true, size: 7, share: 1 / 3, more: { b: '\u0000', a: 1 } }
    const id = table.insert(kept)
    const gone = table.insert({ title: 'gone' })
    table.remove([gone])
    store.setValue('site', { name: 'Wheelhouse' })
    const before = rowsOf(store)
    await first.close()

    const { store: again } = await (await node(place)).lead()
    expect(rowsOf(again)).toEqual(before)
    expect(rowsOf(again)).toEqual([{ id, ...kept }])
    expect(again.value('site')).toEqual({ name: 'Wheelhouse' })
    expect(again.resident<Note>(notes).insert({ title: 'next' })).toBe(gone + 1)
  })

  it('gives back every character as it was, also those that stand for others in PostgreSQL', async () => {
    const place = await testPostgres()
    const first = await node(place)
    const { store } = await first.lead()
    const table = store.resident<Note>(notes)
    const texts = ['\ufdd0', '\ufdd1', '\ufdd1\ufdd0', '\u0000\ufdd1\u0000\ufdd0\ufdd0', '\ufdd1\ufdd1\u0000']
    for (const title of texts) table.insert({ title, more: { [title]: title } })
    await first.close()
    const { store: again } = await (await node(place)).lead()
    expect(again.resident<Note>(notes).all()).toMatchObject(texts.map((title) => ({ title, more: { [title]: title } })))
  })

  it('saves what one request writes in one round trip, as its row and its line in the audit log', async () => {
    const place = await testPostgres()
    const { store, writer } = await (await node(place)).lead()
    await durably(store)
    const before = writer.numbers().last
    store.setValue('row', 1)
    await null
    store.setValue('another row', 2)
    writer.append(() => ['SELECT 1'])
    await durably(store)
    const transactions = `SELECT count(*) AS commits, count(DISTINCT xmin::text) AS transactions
      FROM "${place.schema}".commit_log WHERE number > ${before}`
    expect(await ask(place, transactions)).toEqual([{ commits: '3', transactions: '1' }])
  })

  it('takes back what fails, and leaves nothing of it in PostgreSQL', async () => {
    const place = await testPostgres()
    const { store } = await (await node(place)).lead()
    const table = store.resident<Note>(notes)
    table.insert({ title: 'a' })
    const fails = () =>
      store.transaction(() => {
        table.insert({ title: 'b' })
        table.insert({ title: 'a' })
      })
    expect(fails).toThrow(/UNIQUE/)
    expect(() => table.insert({ size: 1.5 })).toThrow('The column size is of the type bigint')
    expect(table.all()).toHaveLength(1)
    await durably(store)
    expect(await ask(place, `SELECT count(*) AS n FROM "${place.schema}".note`)).toEqual([{ n: '1' }])
  })

  it('adds columns with their first value, here and there', async () => {
    const place = await testPostgres()
    const first = await node(place)
    const { store } = await first.lead()
    store.table<Note>(notes).insert({ title: 'a' })
    await first.close()
    const { store: again } = await (await node(place)).lead()
    const more: TableDefinition = {
      ...notes,
      columns: [...notes.columns, { name: 'tags', type: 'JSON', initial: ['x'] }],
    }
    const rows = again.table<Note & { tags: string[] }>(more)
    expect(rows.get(1)?.tags).toEqual(['x'])
    rows.insert({ title: 'b', tags: [] })
    await durably(again)
    expect(await ask(place, `SELECT tags FROM "${place.schema}".note ORDER BY id`)).toEqual([
      { tags: '["x"]' },
      { tags: '[]' },
    ])
  })
})

describe('two nodes', () => {
  it('the second follows, and leads with all rows when the first has ended', async () => {
    const place = await testPostgres()
    const first = await node(place)
    const { store } = await first.lead()
    const table = store.resident<Note>(notes)
    table.insert({ title: 'before' })
    await durably(store)
    const second = await node(place, { address: '127.0.0.1:2' })
    const next = second.lead()
    await vi.waitFor(() => expect(second.isFollowing()).toBe(true))
    expect(second.leaderAddress()).toBe('127.0.0.1:1')
    table.insert({ title: 'after' })
    await durably(store)
    await vi.waitFor(async () => expect((await second.status()).nodes.map(({ lag }) => lag)).toEqual([0, 0]))
    await first.close()
    const { store: taken } = await next
    expect(rowsOf(taken).map(({ title }) => title)).toEqual(['before', 'after'])
    const { term, changes, nodes } = await second.status()
    expect([term, changes.map(({ address }) => address)]).toEqual([2, ['127.0.0.1:2', '127.0.0.1:1']])
    expect(nodes.map(({ leader, address }) => [leader, address])).toEqual([[true, '127.0.0.1:2']])
  })

  it('one with another key is refused in words', async () => {
    const place = await testPostgres()
    await (await node(place)).lead()
    await expect(node(place, { key: randomBytes(32) })).rejects.toThrow('CLUSTER_KEY is not the key of the other nodes')
  })
})

it('a database that cannot hold every text is refused in words', async () => {
  const place = await testPostgres()
  const name = `latin_${place.schema}`
  await ask(place, `CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
  onTestFinished(() => ask(place, `DROP DATABASE ${name}`).then(() => {}))
  const url = Object.assign(new URL(place.url), { pathname: `/${name}` }).href
  await expect(node({ ...place, url })).rejects.toThrow("has the encoding LATIN1: make one with ENCODING 'UTF8'")
})

it('people who ask for the nodes at the same moment share a connection of PostgreSQL', async () => {
  const asked = await node(await testPostgres())
  const [one, other] = await Promise.all([asked.status(), asked.status()])
  expect(one).toBe(other)
  expect(await asked.status()).not.toBe(one)
})

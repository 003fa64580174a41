import { expect, it, vi } from 'vitest'
import { migrations } from '../../../server/db/migrations/index.ts'
import { newRole } from '../../support/postgres/newRole.ts'
import { openNode } from '../../support/postgres/openNode.ts'
import { poolerTo } from '../../support/postgres/poolerTo.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'

it('tables of something else in the schema are refused in words, and stay', async () => {
  const place = await testPostgres()
  await ask(place, `CREATE SCHEMA ${place.schema}; CREATE TABLE ${place.schema}.server AS SELECT 'theirs' AS name`)
  await expect(openNode(place)).rejects.toThrow(
    `The schema ${place.schema} in PostgreSQL has tables of something else (server): name another one with WHEELHOUSE_SCHEMA`,
  )
  expect(await ask(place, `SELECT name FROM ${place.schema}.server`)).toEqual([{ name: 'theirs' }])
})

it('a user with rights on one schema is enough; without them the start says what to do', async () => {
  const place = await testPostgres()
  const role = await newRole(place)
  const own = { url: role.url, schema: place.schema }
  await expect(openNode(own)).rejects.toThrow('give this user rights on one schema')
  await ask(place, `CREATE SCHEMA ${place.schema} AUTHORIZATION ${role.name}`)
  const { store } = await (await openNode(own)).node.lead()
  store.setValue('kept', 1)
  expect(await store.durable(60_000)).toBe(true)
})

it('a replica, which takes no writes, is named as one', async () => {
  const place = await testPostgres()
  const role = await newRole(place)
  await ask(place, `CREATE SCHEMA ${place.schema} AUTHORIZATION ${role.name}`)
  await ask(place, `ALTER ROLE ${role.name} SET default_transaction_read_only = on`)
  await expect(openNode({ url: role.url, schema: place.schema })).rejects.toThrow(
    'it is a replica, which takes no writes; name the one that it follows in DATABASE_URL',
  )
})

it('a newer version leads beside views of people, and who follows it has everything', async () => {
  const place = await testPostgres()
  const old = await openNode(place)
  const { store } = await old.node.lead()
  store.setValue('before', 1)
  await ask(
    place,
    `CREATE VIEW ${place.schema}.report AS SELECT count(*) FROM ${place.schema}.unfinished;
     CREATE TABLE ${place.schema}.theirs AS SELECT 'theirs' AS name;
     ALTER TABLE ${place.schema}.value ADD COLUMN theirs text`,
  )
  const steps = [
    ...migrations,
    {
      title: 'One more column',
      up: ({ run }: { run(sql: string): void }) => run('ALTER TABLE "value" ADD COLUMN note TEXT'),
    },
  ]
  const { node: one } = await openNode(place, { steps })
  const { node: other } = await openNode(place, { steps })
  const nodes = [one, other]
  const led = nodes.map((node) => node.lead().then((leader) => ({ node, ...leader })))
  // The test that ends closes those that have not led yet.
  for (const lead of led) lead.catch(() => {})
  await vi.waitFor(() => expect(nodes.map((node) => node.isFollowing())).toEqual([true, true]))
  await old.close()
  const first = await Promise.race(led)
  first.store.setValue('after', 2)
  expect(await first.store.durable(60_000)).toBe(true)
  await first.node.close()
  const second = await led[first.node === nodes[0] ? 1 : 0]
  expect(['before', 'after'].map((name) => second?.store.value(name))).toEqual([1, 2])
  expect(await ask(place, `SELECT name FROM ${place.schema}.theirs`)).toEqual([{ name: 'theirs' }])
  const columns = `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = '${place.schema}' AND table_name = 'value' ORDER BY ordinal_position`
  expect((await ask(place, columns)).map(({ name }) => name)).toEqual(['name', 'json', 'note'])
})

it('behind a pooler in session mode a node leads; in transaction mode the start says what is missing', async () => {
  const place = await testPostgres()
  const { schema } = place
  const shared = await poolerTo(place.url, { mode: 'transaction' })
  await expect(openNode({ url: shared, schema })).rejects.toThrow('to pool_mode = session for this database')
  const narrow = await poolerTo(place.url, { mode: 'session', most: 1 })
  await expect(openNode({ url: narrow, schema })).rejects.toThrow('give each server ten (default_pool_size)')
  const { node } = await openNode({ url: await poolerTo(place.url, { mode: 'session' }), schema })
  const { store } = await node.lead()
  store.setValue('kept', 1)
  expect(await store.durable(60_000)).toBe(true)
})

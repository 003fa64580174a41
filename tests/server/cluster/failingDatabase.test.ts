import { expect, it, onTestFinished, vi } from 'vitest'
import { connect, drop, type PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { createFollower } from '../../../server/db/postgres/follower.ts'
import { openNode, openNodeByNetwork } from '../../support/postgres/openNode.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'

/** PostgreSQL as it was before its last commits, as after a failover to a replica that lagged behind. */
const lose = ({ url, schema }: PostgresPlace, commits: number) =>
  ask(
    { url },
    `UPDATE "${schema}".cluster SET last_commit = last_commit - ${commits};
     DELETE FROM "${schema}".commit_log WHERE number > (SELECT last_commit FROM "${schema}".cluster)`,
  )

it('a leader whose database has lost what it had confirmed says so, and goes on with nothing', async () => {
  const place = await testPostgres()
  const { network, node, logged, onDemoted } = await openNodeByNetwork(place)
  const { store } = await node.lead()
  for (const name of ['one', 'two', 'three']) store.setValue(name, 1)
  expect(await store.durable(10_000)).toBe(true)
  network.cut('refused')
  await vi.waitFor(() => expect(store.isAway()).toBe(true))
  await lose(place, 2)
  network.mend()
  await vi.waitFor(() => expect(onDemoted).toHaveBeenCalledOnce())
  expect(logged.join()).toContain('PostgreSQL has lost changes that it had confirmed')
  expect(() => store.setValue('four', 1)).toThrow('cannot be reached')
})

it('a leader whose term was given again to another node, as after a restore, ends', async () => {
  const place = await testPostgres()
  const { network, node, onDemoted } = await openNodeByNetwork(place)
  const { store } = await node.lead()
  network.cut('refused')
  await vi.waitFor(() => expect(store.isAway()).toBe(true))
  await ask(place, `UPDATE "${place.schema}".cluster SET node = 'another one'`)
  network.mend()
  await vi.waitFor(() => expect(onDemoted).toHaveBeenCalledOnce())
})

it('a node that follows reads everything anew when commits that it has were replaced by others', async () => {
  const place = await testPostgres()
  const { node, close } = await openNode(place)
  const { store } = await node.lead()
  store.setValue('kept', 'before')
  expect(await store.durable(10_000)).toBe(true)
  const client = await connect(place, 'follower')
  onTestFinished(() => drop(client))
  const follower = createFollower(place, { warn: () => {} })
  await follower.follow(client)
  await close()
  const { schema } = place
  await ask(
    place,
    `UPDATE "${schema}".commit_log SET at = at + interval '1 second';
     UPDATE "${schema}"."value" SET json = '"after"' WHERE name = 'kept'`,
  )
  const { database } = await follower.take(client)
  expect(database.prepare("SELECT json FROM value WHERE name = 'kept'").get()).toEqual({ json: '"after"' })
  database.close()
})

it('nobody leads right after PostgreSQL was away: it may know less of the leader than it had confirmed', async () => {
  const place = await testPostgres()
  const leader = await openNodeByNetwork(place)
  await leader.node.lead()
  const next = await openNodeByNetwork(place)
  const led = next.node.lead()
  await vi.waitFor(() => expect(next.node.isFollowing()).toBe(true))
  for (const { network } of [leader, next]) network.cut('refused')
  await vi.waitFor(() => expect(next.logged.join()).toContain('cannot be used'))
  await ask(place, `UPDATE "${place.schema}".cluster SET heartbeat = clock_timestamp() - interval '1 minute'`)
  const from = performance.now()
  next.network.mend()
  const { store } = await led
  // The leader acts for five seconds after its last confirmation.
  expect(performance.now() - from).toBeGreaterThan(5000)
  store.close()
})

it('a database whose disk is full is told of once, and has everything when there is space', async () => {
  const place = await testPostgres()
  const { schema } = place
  const { node, logged } = await openNode(place, { leaseMs: 1500 })
  const { store } = await node.lead()
  // What a try leaves behind though it fails.
  await ask(
    place,
    `CREATE SEQUENCE "${schema}".tries;
     CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM nextval('"${schema}".tries');
       RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
     END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON "${schema}".commit_log EXECUTE FUNCTION "${schema}".refuse()`,
  )
  store.setValue('kept', 1)
  await vi.waitFor(async () =>
    expect(Number((await ask(place, `SELECT last_value FROM "${schema}".tries`))[0]?.last_value)).toBeGreaterThan(15),
  )
  expect(logged.filter((text) => text.includes('No space left'))).toHaveLength(1)
  expect(logged.join()).not.toContain('there again')
  await ask(place, `DROP TRIGGER full_disk ON "${schema}".commit_log`)
  await vi.waitFor(() => expect(logged.at(-1)).toContain('there again'))
  expect(await store.durable(10_000)).toBe(true)
  expect(await ask(place, `SELECT json FROM "${schema}"."value" WHERE name = 'kept'`)).toEqual([{ json: '1' }])
})

it('a node that takes the place of a leader takes that one for gone, and one that hands over knows no leader but the next', async () => {
  const place = await testPostgres()
  const [one, other] = [await openNode(place), await openNode(place)]
  const { store } = await one.node.lead()
  onTestFinished(() => store.close())
  store.setValue('kept', 1)
  expect(await store.durable(10_000)).toBe(true)
  const led = other.node.lead()
  await vi.waitFor(() => expect(other.node.isLeaderAlive()).toBe(true))
  // Who follows is known to be able to lead.
  expect(await one.node.hasSuccessor()).toBe(true)
  await one.node.handOver()
  const { store: next } = await led
  onTestFinished(() => next.close())
  expect(other.node.isLeaderAlive()).toBe(false)
  await vi.waitFor(() => expect(one.node.leaderAddress()).toBe('127.0.0.1:1'))
  const handedOver = other.node.handOver()
  expect(other.node.leaderAddress()).toBe(undefined)
  await handedOver
})

it('what is saved at once, and what waits for the database, has a limit that is said in words', async () => {
  const place = await testPostgres()
  const { network, node, onDemoted } = await openNodeByNetwork(place, { leaseMs: 60_000 })
  const { store } = await node.lead()
  expect(await store.durable(60_000)).toBe(true)
  const large = 'x'.repeat(8 * 1024 ** 2)
  const saveAtOnce = (count: number) =>
    store.transaction(() => {
      for (let number = 0; number < count; number++) store.setValue(`at once ${number}`, large)
    })
  expect(() => saveAtOnce(17)).toThrow('this changes 137 MiB at once, and the database of the server takes 128')
  expect(store.value('at once 0')).toBeUndefined()
  network.cut('silent')
  const saved: number[] = []
  const saveMore = () => {
    for (let number = 0; number < 20; number++) {
      store.setValue(`waits ${number}`, large)
      saved.push(number)
    }
  }
  expect(saveMore).toThrow('the database takes less than is to be saved')
  expect(saved.length).toBeLessThan(5)
  network.mend()
  // As a request waits before it is refused.
  expect(await store.untilWritable(60_000)).toBe(true)
  await vi.waitFor(async () => expect(await store.durable(60_000)).toBe(true))
  store.setValue('after', 1)
  await vi.waitFor(async () => expect(await store.durable(60_000)).toBe(true))
  const rows = await ask(place, `SELECT name FROM "${place.schema}"."value" WHERE name LIKE 'waits %' ORDER BY name`)
  expect(rows.map(({ name }) => name)).toEqual(saved.map((number) => `waits ${number}`))
  expect(onDemoted).not.toHaveBeenCalled()
  store.close()
})

it('work in slices waits for room while PostgreSQL takes less than is saved', async () => {
  const { node } = await openNode(await testPostgres(), { leaseMs: 60_000 })
  const { store } = await node.lead()
  onTestFinished(() => store.close())
  const text = 'x'.repeat(2 * 1024 ** 2)
  function* steps() {
    for (let number = 0; number < 24; number++) {
      store.setValue(`slice ${number}`, text)
      // One for each slice.
      for (const end = performance.now() + 21; performance.now() < end; );
      yield
    }
  }
  await store.inSlices(steps())
  expect(await store.durable(60_000)).toBe(true)
  expect(store.value('slice 23')).toBe(text)
})

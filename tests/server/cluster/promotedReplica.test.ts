import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect, drop, type PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { inspectPostgres } from '../../../server/db/postgres/inspect.ts'
import { openReader } from '../../../server/db/postgres/reader.ts'
import { openTimelineMemory } from '../../../server/db/postgres/timeline.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { openNode } from '../../support/postgres/openNode.ts'
import { ask, startReplicatedPostgres } from '../../support/postgres/startPostgres.ts'

/** Two nodes at a primary with a replica, each by an address that can be moved; the first one leads. */
async function nodesWithReplica() {
  const { primary, replica } = await startReplicatedPostgres()
  const place = { url: primary.url, schema: 'wheelhouse' }
  const first = await openMovable(place)
  const leader = await first.node.lead()
  onTestFinished(() => leader.store.close())
  const second = await openMovable(place)
  const led = second.node.lead()
  led.then(
    ({ store }) => onTestFinished(() => store.close()),
    () => {},
  )
  await vi.waitFor(() => expect(second.node.isFollowing()).toBe(true))
  /** The primary dies, the replica takes its place, and its address moves along. */
  async function failOver(): Promise<void> {
    await primary.kill()
    await ask(replica, 'SELECT pg_promote()')
    for (const { network } of [first, second]) network.moveTo(replica.url)
  }
  return { primary, replica, first, second, leader, led, failOver }
}

async function openMovable({ url, schema }: PostgresPlace) {
  const network = await networkTo(url)
  onTestFinished(network.close)
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-timeline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  /** Started again with the same data folder. */
  const open = () =>
    openNode({ url: network.url, schema, timeline: openTimelineMemory(join(folder, 'database-timeline.json')) })
  return { network, open, ...(await open()) }
}

/** Waits until the replica has everything, or, when it is cut off, no longer gets anything. */
async function replicaIs(state: 'there' | 'cut off', { primary }: Awaited<ReturnType<typeof startReplicatedPostgres>>) {
  await vi.waitFor(async () => {
    const found = await ask(
      primary,
      "SELECT application_name FROM pg_stat_replication WHERE state = 'streaming' AND replay_lsn = pg_current_wal_lsn()",
    )
    expect(found).toHaveLength(state === 'there' ? 1 : 0)
  })
}

const change = (database: { url: string }, setting: string) =>
  ask(database, `ALTER SYSTEM SET ${setting}`).then(() => ask(database, 'SELECT pg_reload_conf()'))

const valueIn = async ({ url }: { url: string }, name: string) =>
  (await ask({ url }, `SELECT json FROM wheelhouse."value" WHERE name = '${name}'`))[0]?.json

it('a replica that is waited for takes over: the same node goes on to lead, and has everything that was acknowledged', async () => {
  const { primary, replica, first, second, leader, failOver } = await nodesWithReplica()
  await change(primary, "synchronous_standby_names = 'replica'")
  await vi.waitFor(async () =>
    expect(await ask(primary, 'SELECT sync_state FROM pg_stat_replication')).toEqual([{ sync_state: 'sync' }]),
  )
  let acknowledged = 0
  for (let number = 1; number <= 50; number++) {
    leader.store.setValue('counter', number)
    if (await leader.store.durable(60_000)) acknowledged = number
  }
  expect(acknowledged).toBe(50)
  leader.store.setValue('under way', 1)
  await failOver()
  await vi.waitFor(async () => expect(await leader.store.durable(1000)).toBe(true))
  await vi.waitFor(() => expect(leader.store.isAway()).toBe(false))
  leader.store.setValue('after', 1)
  await vi.waitFor(async () => expect(await valueIn(replica, 'after')).toBe('1'))
  expect(await valueIn(replica, 'counter')).toBe('50')
  expect(await valueIn(replica, 'under way')).toBe('1')
  for (const { onDemoted } of [first, second]) expect(onDemoted).not.toHaveBeenCalled()
  expect([...first.logged, ...second.logged].filter((text) => text.includes('lost'))).toEqual([])
})

it('a primary that was cut off from the replica it waits for acknowledges nothing, and leads nobody', async () => {
  const { primary, replica, leader } = await nodesWithReplica()
  await change(primary, "synchronous_standby_names = 'replica'")
  await vi.waitFor(async () =>
    expect(await ask(primary, 'SELECT sync_state FROM pg_stat_replication')).toEqual([{ sync_state: 'sync' }]),
  )
  await change(replica, "primary_conninfo = ''")
  await vi.waitFor(async () => expect(await ask(primary, 'SELECT 1 FROM pg_stat_replication')).toEqual([]))
  const acted = vi.fn()
  leader.store.setValue('meanwhile', 1)
  leader.store.whenDurable(acted)
  await vi.waitFor(() => expect(leader.store.isAway()).toBe(true))
  // Longer than a connection is waited for: one that is made anew must not take what only this one has for durable.
  const from = performance.now()
  await vi.waitFor(() => expect(performance.now() - from).toBeGreaterThan(10_000))
  expect(acted).not.toHaveBeenCalled()
  expect(leader.store.isDurable()).toBe(false)
  await change(primary, "synchronous_standby_names = ''")
  await vi.waitFor(() => expect(acted).toHaveBeenCalledOnce())
})

it('a replica that lagged behind takes over: the leader says what is gone and ends, and the other one reads anew and leads', async () => {
  const nodes = await nodesWithReplica()
  const { primary, replica, first, second, leader, led, failOver } = nodes
  leader.store.setValue('replicated', 1)
  expect(await leader.store.durable(60_000)).toBe(true)
  await replicaIs('there', nodes)
  await change(replica, "primary_conninfo = ''")
  await replicaIs('cut off', nodes)
  for (let number = 1; number <= 3; number++) leader.store.setValue('lost', number)
  expect(await leader.store.durable(60_000)).toBe(true)
  // The other one has a copy of what will be gone.
  const behind = 'SELECT 1 FROM wheelhouse.cluster_node JOIN wheelhouse.cluster ON applied < last_commit'
  await vi.waitFor(async () => expect(await ask(primary, behind)).toEqual([]))
  await failOver()
  await vi.waitFor(() => expect(first.onDemoted).toHaveBeenCalledOnce())
  expect(first.logged.join()).toMatch(/PostgreSQL has lost changes that it had confirmed|another node leads/)
  await first.close()
  const { store } = await led
  expect(second.logged.join()).toContain('PostgreSQL has lost changes')
  expect(store.value('replicated')).toBe(1)
  expect(store.value('lost')).toBeUndefined()
  store.setValue('after', 1)
  expect(await store.durable(60_000)).toBe(true)
  expect(await valueIn(replica, 'after')).toBe('1')
})

it('the primary of before that comes back is refused in words by a node that has worked with the new one', async () => {
  const nodes = await nodesWithReplica()
  const { primary, replica, first, second, leader, failOver } = nodes
  expect(await leader.store.durable(60_000)).toBe(true)
  await replicaIs('there', nodes)
  await failOver()
  await vi.waitFor(() => leader.store.setValue('new', 1))
  await vi.waitFor(async () => expect(await leader.store.durable(1000)).toBe(true))
  await vi.waitFor(() => expect(second.logged.at(-1)).toContain('there again'))
  await primary.start()
  const termsBefore = await ask(primary, 'SELECT term FROM wheelhouse.leader_change ORDER BY term')
  // The one that follows, then also the one that leads.
  second.network.moveTo(primary.url)
  await vi.waitFor(() => expect(second.logged.at(-1)).toContain('a replica was promoted'))
  expect(leader.store.isAway()).toBe(false)
  first.network.moveTo(primary.url)
  await vi.waitFor(() => expect(first.logged.at(-1)).toContain('a replica was promoted'))
  await vi.waitFor(() => expect(leader.store.isAway()).toBe(true))
  await expect(second.open()).rejects.toThrow('a replica was promoted')
  expect(await ask(primary, 'SELECT term FROM wheelhouse.leader_change ORDER BY term')).toEqual(termsBefore)
  for (const { network } of [first, second]) network.moveTo(replica.url)
  await vi.waitFor(() => expect(leader.store.isAway()).toBe(false))
  leader.store.setValue('newer', 1)
  expect(await leader.store.durable(60_000)).toBe(true)
  expect(await valueIn(replica, 'newer')).toBe('1')
  expect(await valueIn(primary, 'new')).toBeUndefined()
  for (const { onDemoted } of [first, second]) expect(onDemoted).not.toHaveBeenCalled()
})

it('the address leads to the replica before that one is promoted: the leader says so, loses nothing and goes on', async () => {
  const nodes = await nodesWithReplica()
  const { primary, replica, first, second, leader } = nodes
  // Else it may take the lead on a slow machine.
  await second.close()
  await replicaIs('there', nodes)
  await change(replica, "primary_conninfo = ''")
  await replicaIs('cut off', nodes)
  leader.store.setValue('later', 1)
  expect(await leader.store.durable(60_000)).toBe(true)
  first.network.moveTo(replica.url)
  await vi.waitFor(() => expect(first.logged.join()).toContain('it is a replica, which takes no writes'))
  first.network.moveTo(primary.url)
  await vi.waitFor(() => leader.store.setValue('after', 1))
  expect(await leader.store.durable(60_000)).toBe(true)
  expect(await valueIn(primary, 'after')).toBe('1')
  expect(first.logged.join()).not.toContain('lost')
  expect(first.onDemoted).not.toHaveBeenCalled()
})

it('connections that stay open to the primary of before end as soon as a new one leads to its successor', async () => {
  const { primary, replica } = await startReplicatedPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-timeline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'database-timeline.json')
  const timeline = openTimelineMemory(file)
  const connectTo = ({ url }: { url: string }, onEnd = () => {}) =>
    connect({ url, schema: 'wheelhouse', timeline }, 'node', onEnd)
  const onEnd = vi.fn()
  await connectTo(primary, onEnd)
  // What cannot be kept is told of, and refuses nobody.
  const onUnkept = vi.fn()
  const elsewhere = openTimelineMemory(join(folder, 'gone', 'database-timeline.json'), { onUnkept })
  drop(await connect({ url: primary.url, schema: 'wheelhouse', timeline: elsewhere }, 'node'))
  expect(onUnkept).toHaveBeenCalledOnce()
  // One more to the same changes nothing.
  drop(await connectTo(primary))
  const reader = openReader({ url: primary.url, schema: 'wheelhouse', timeline }, 'node')
  onTestFinished(reader.close)
  expect(await reader.rows('SELECT 1')).toEqual([['1']])
  expect(onEnd).not.toHaveBeenCalled()
  await ask(replica, 'SELECT pg_promote()')
  const next = await connectTo(replica)
  onTestFinished(() => drop(next))
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce())
  await expect(connectTo(primary)).rejects.toThrow('a replica was promoted')
  await vi.waitFor(() => expect(reader.rows('SELECT 1')).rejects.toThrow())
  // So says the doctor.
  const seen = openTimelineMemory(file, { isKept: false })
  const inspected = inspectPostgres({ url: primary.url, schema: 'wheelhouse', timeline: seen }, Buffer.alloc(32))
  await expect(inspected).rejects.toThrow('a replica was promoted')
  expect((await next.query('SELECT 1 AS one')).rows).toEqual([{ one: '1' }])
})

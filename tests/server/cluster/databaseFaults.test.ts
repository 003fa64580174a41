import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect as connectTo, drop, type PostgresPlace, readRows } from '../../../server/db/postgres/connection.ts'
import { lockNumber } from '../../../server/db/postgres/ownTables.ts'
import { openPostgresHistory } from '../../../server/db/postgres/postgresHistory.ts'
import { openServerHistory } from '../../../server/services/history/serverHistory.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { newRole } from '../../support/postgres/newRole.ts'
import { openNode, openNodeByNetwork } from '../../support/postgres/openNode.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { expiredCertificate, selfSigned } from '../../support/server/certificates/selfSigned.ts'

/** A user with a schema of its own. */
async function ownPlace() {
  const { url, schema } = await testPostgres()
  const role = await newRole({ url, schema })
  await ask({ url }, `CREATE SCHEMA ${schema} AUTHORIZATION ${role.name}`)
  return { operator: { url, schema }, role: role.name, place: { url: role.url, schema } }
}

const jsonOf = ({ url, schema }: PostgresPlace, name: string) =>
  ask({ url }, `SELECT json FROM "${schema}"."value" WHERE name = '${name}'`)

it('times and ways of writing that are set for the user or the database change nothing', async () => {
  const { operator, role, place } = await ownPlace()
  const { schema } = operator
  const settings = {
    statement_timeout: '1s',
    idle_in_transaction_session_timeout: '1ms',
    idle_session_timeout: '3s',
    standard_conforming_strings: 'off',
    bytea_output: 'escape',
  }
  for (const [name, value] of Object.entries(settings))
    await ask(operator, `ALTER ROLE ${role} SET ${name} = '${value}'`)
  const leader = await openNode(place)
  const { store } = await leader.node.lead()
  await ask(
    place,
    `CREATE FUNCTION "${schema}".wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END $$;
     CREATE TRIGGER slow BEFORE INSERT ON "${schema}".commit_log EXECUTE FUNCTION "${schema}".wait()`,
  )
  store.setValue('kept', "\\ '\u0001ü")
  expect(await store.durable(60_000)).toBe(true)
  const next = await openNode(place)
  const led = next.node.lead()
  await vi.waitFor(() => expect(next.node.isFollowing()).toBe(true))
  await leader.node.close()
  store.close()
  const { store: after } = await led
  expect(after.value('kept')).toBe("\\ '\u0001ü")
  expect([...leader.logged, ...next.logged]).toEqual([])
  after.close()
})

it.each([
  ['is locked or has another password', 'NOLOGIN', 'LOGIN', 'start this server with the present ones in DATABASE_URL'],
  ['has no connection left', 'CONNECTION LIMIT 0', 'CONNECTION LIMIT -1', 'raise the limit (max_connections)'],
  [
    'may only read, as after a failover to a replica',
    'SET default_transaction_read_only = on',
    'RESET default_transaction_read_only',
    'name the one that it follows in DATABASE_URL',
  ],
])(
  'a user of the database that %s: the log says once what to do, and nothing is lost',
  async (_, change, back, advice) => {
    const { operator, role, place } = await ownPlace()
    const { node, logged, onDemoted } = await openNode(place)
    const { store } = await node.lead()
    store.setValue('before', 1)
    expect(await store.durable(60_000)).toBe(true)
    await ask(operator, `ALTER ROLE ${role} ${change}`)
    await ask(operator, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
    // Waits in memory, and is told of to nobody.
    store.setValue('meanwhile', 1)
    await vi.waitFor(() => expect(logged.join()).toContain(advice))
    await vi.waitFor(() => expect(store.isAway()).toBe(true))
    expect(() => store.setValue('refused', 1)).toThrow('cannot be reached')
    await ask(operator, `ALTER ROLE ${role} ${back}`)
    await vi.waitFor(async () => expect(await store.durable(1000)).toBe(true))
    expect(logged.filter((text) => text.includes(advice))).toHaveLength(1)
    expect(logged.join()).not.toContain('refuses what')
    await vi.waitFor(() => expect(logged.at(-1)).toContain('there again'))
    expect(await jsonOf(operator, 'meanwhile')).toEqual([{ json: '1' }])
    expect(onDemoted).not.toHaveBeenCalled()
    store.close()
  },
)

it('connections that a firewall has forgotten are replaced, and what was sent on them is there once', async () => {
  const place = await testPostgres()
  const { network, own, node, onDemoted } = await openNodeByNetwork(place)
  const { store, writer } = await node.lead()
  const history = openPostgresHistory({
    place: own,
    nodeId: node.id,
    term: writer.term,
    days: 31,
    log: { warn: () => {} },
    pauseMs: 0,
  })
  onTestFinished(() => history.close())
  const metrics = openServerHistory(history)
  const now = Date.parse('2026-11-21T12:00:00Z')
  const shown = async () => (await metrics.dataPoints(1, 'cpu', '1d', now + 60_000)).map(({ value }) => value)
  metrics.add(1, { cpu: 10 }, now)
  await metrics.series.flush()
  expect(await shown()).toEqual([10])
  network.forget()
  metrics.add(1, { cpu: 30 }, now)
  store.setValue('kept', 1)
  const all = [
    vi.waitFor(() => metrics.series.flush()),
    vi.waitFor(async () => expect(await store.durable(1000)).toBe(true)),
    vi.waitFor(shown),
  ]
  await Promise.all(all)
  expect(await shown()).toEqual([20])
  expect(await jsonOf(place, 'kept')).toEqual([{ json: '1' }])
  expect(onDemoted).not.toHaveBeenCalled()
  store.close()
})

it('a clock of the database that jumps forward takes the lead from nobody, and one that is set back holds nobody up', async () => {
  const place = await testPostgres()
  const { schema } = place
  const leader = await openNodeByNetwork(place)
  const { store } = await leader.node.lead()
  const next = await openNode(place)
  const led = next.node.lead()
  await vi.waitFor(() => expect(next.node.isFollowing()).toBe(true))
  const backend = `SELECT backend FROM "${schema}".cluster`
  const before = await ask(place, backend)
  const jump = (by: string) => ask(place, `UPDATE "${schema}".cluster SET heartbeat = clock_timestamp() ${by}`)
  // For longer than two looks at it.
  for (const from = performance.now(); performance.now() - from < 3000; ) await jump("- interval '1 hour'")
  expect(await ask(place, backend)).toEqual(before)
  expect(leader.logged).toEqual([])
  leader.network.cut('silent')
  await vi.waitFor(() => expect(store.isAway()).toBe(true))
  await jump("+ interval '1 hour'")
  const { store: after } = await led
  for (const one of [store, after]) one.close()
})

it('a node that starts while the clock of the database jumps forward leaves a leader alone that is connected', async () => {
  const place = await testPostgres()
  const { schema } = place
  const leader = await openNode(place)
  const { store } = await leader.node.lead()
  expect(await store.durable(60_000)).toBe(true)
  const backend = `SELECT backend FROM "${schema}".cluster`
  const before = await ask(place, backend)
  const next = await openNode(place)
  void next.node.lead().catch(() => {})
  for (const from = performance.now(); performance.now() - from < 2000 || !next.node.isFollowing(); )
    await ask(place, `UPDATE "${schema}".cluster SET heartbeat = clock_timestamp() - interval '1 hour'`)
  expect(await ask(place, backend)).toEqual(before)
  expect(leader.logged).toEqual([])
  store.close()
})

it('a node that starts right after a replica took over does not believe it that the leader is gone', async () => {
  const place = await testPostgres()
  const { schema } = place
  const leader = await openNodeByNetwork(place)
  const { store } = await leader.node.lead()
  expect(await store.durable(60_000)).toBe(true)
  leader.network.cut('refused')
  // The sign of life that the replica has is an old one.
  await ask(
    place,
    `UPDATE "${schema}".cluster SET heartbeat = clock_timestamp() - interval '1 minute';
     CREATE FUNCTION "${schema}".pg_last_xact_replay_timestamp() RETURNS timestamptz LANGUAGE sql
       RETURN clock_timestamp() - interval '59 seconds'`,
  )
  const url = new URL(place.url)
  url.searchParams.set('options', `-c search_path=${schema},pg_catalog`)
  const next = await openNode({ ...place, url: url.href })
  const from = performance.now()
  const { store: after } = await next.node.lead()
  // The leader acts for five seconds after its last confirmation.
  expect(performance.now() - from).toBeGreaterThan(5000)
  for (const one of [store, after]) one.close()
})

it('a leader that is heard of again before a follower has ended its connection keeps it', async () => {
  const place = await testPostgres()
  const { schema } = place
  // Makes the tables.
  const first = await openNode(place)
  const { store } = await first.node.lead()
  await first.node.close()
  store.close()
  const leader = await connectTo(place, 'leader')
  onTestFinished(() => drop(leader))
  await readRows(leader, `SELECT pg_advisory_lock(${lockNumber(place)})`)
  const heardOf = (when: string) =>
    ask(place, `UPDATE "${schema}".cluster SET heartbeat = clock_timestamp() ${when} RETURNING heartbeat`)
  await readRows(leader, `UPDATE "${schema}".cluster SET node = 'leader', backend = pg_backend_pid()`)
  await heardOf("- interval '1 hour'")
  const ends: string[] = []
  // As a node that was stopped for a while after it had read how long the leader is silent.
  const network = await networkTo(place.url, undefined, async (bytes) => {
    if (!bytes.includes('pg_terminate_backend')) return
    await heardOf('')
    ends.push('asked')
  })
  onTestFinished(network.close)
  const follower = await openNode({ ...place, url: network.url })
  void follower.node.lead().catch(() => {})
  await vi.waitFor(() => expect(ends).toEqual(['asked']))
  await vi.waitFor(() => expect(follower.node.isFollowing()).toBe(true))
  expect(await readRows(leader, 'SELECT 1')).toEqual([['1']])
})

it('a certificate of the database that has run out ends no connection, and is told of when a new one is needed', async () => {
  const place = await testPostgres()
  const authority = certificateFiles()
  const tls = await tlsTo(place.url)
  const url = `${tls.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority.cert)}`
  const { node, logged } = await openNode({ ...place, url })
  const { store } = await node.lead()
  tls.present(expiredCertificate)
  store.setValue('connected', 1)
  expect(await store.durable(60_000)).toBe(true)
  expect(logged).toEqual([])
  tls.endAll()
  store.setValue('meanwhile', 1)
  await vi.waitFor(() => expect(logged.join()).toContain('a certificate has run out: renew it'))
  tls.present(selfSigned)
  await vi.waitFor(async () => expect(await store.durable(1000)).toBe(true))
  expect(await jsonOf(place, 'meanwhile')).toEqual([{ json: '1' }])
  store.close()
})

/** A database that speaks TLS. */
async function tlsTo(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const secure = createTlsServer(selfSigned, (near) => {
    const far = connect(Number(target.port), target.hostname)
    near.on('error', () => {}).once('close', () => far.destroy())
    far.on('error', () => {}).once('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    // The request for TLS, before anything else.
    socket.once('data', () => {
      socket.write('S')
      secure.emit('connection', socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  onTestFinished(() => {
    endAll()
    server.close()
  })
  const own = new URL(databaseUrl)
  own.host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    url: own.href,
    /** What new connections are shown. */
    present: (certificate: typeof selfSigned) => secure.setSecureContext(certificate),
    endAll,
  }
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { signIn } from '../../../scripts/soak/api.ts'
import { openAuditLog } from '../../../server/audit/auditLog.ts'
import { openAuditLines } from '../../../server/db/postgres/auditLines.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { bringWaitingLines, openWaitingFile } from '../../../server/db/postgres/waitingAuditLines.ts'
import { leadingNode } from '../../support/postgres/leadingNode.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { ask, startStoppablePostgres } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'
import { startServerProcess, watching } from '../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

/** The audit log of a node that leads, whose lines are one second apart. */
async function leaderLog(place: PostgresPlace, file: string, clock: { now: number }) {
  const { nodeId, identity, store, writer, close } = await leadingNode(place, () => audit.close())
  const waitingFile = openWaitingFile(file, identity, (error) => {
    throw error
  })
  const storage = openAuditLines({ place, nodeId, writer, maxBytes: 1024 ** 2, waitingFile })
  const audit = openAuditLog({ storage, now: () => clock.now })
  const write = (...actions: string[]) => {
    for (const action of actions) {
      clock.now += 1000
      audit.write({ action })
    }
  }
  return { audit, identity, store, write, close }
}

/** What is stored, the oldest first. */
async function actionsIn(place: PostgresPlace): Promise<string[]> {
  const rows = await ask(place, `SELECT line FROM "${place.schema}".audit_line ORDER BY number`)
  return rows.map(({ line = '' }) => JSON.parse(line).action)
}

const nothing = { brought: 0, staying: 0 }
const everything = { key: 'all', matches: () => true }

it('lines that PostgreSQL does not take are on the disk of the server until it does', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const file = join(temporaryFolder(), 'audit-waiting.log')
  const { audit, store, write } = await leaderLog({ ...place, url: network.url }, file, { now: noon })
  write('before')
  expect(await store.durable(10_000)).toBe(true)
  expect(existsSync(file)).toBe(false)
  network.cut('refused')
  write('just now')
  await vi.waitFor(() => expect(store.isAway()).toBe(true))
  write('first', 'second')
  expect(readFileSync(file, 'utf8').match(/(?<="action":")[^"]+/g)).toEqual(['just now', 'first', 'second'])
  network.mend()
  const { rows } = await vi.waitFor(() => audit.read(0, 10))
  expect(rows.map(({ action }) => action)).toEqual(['second', 'first', 'just now', 'before'])
  await vi.waitFor(() => expect(existsSync(file)).toBe(false))
  expect(await bringWaitingLines(place, file)).toEqual(nothing)
  expect(await actionsIn(place)).toEqual(['before', 'just now', 'first', 'second'])
})

it('lines of a leader in whose place another one leads come to their place in time, each once', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const file = join(temporaryFolder(), 'audit-waiting.log')
  const clock = { now: noon }
  const first = await leaderLog({ ...place, url: network.url }, file, clock)
  first.write('one')
  expect(await first.store.durable(10_000)).toBe(true)
  network.cut('refused')
  await vi.waitFor(() => expect(first.store.isAway()).toBe(true))
  first.write('two', 'three')

  const next = await leaderLog(place, join(temporaryFolder(), 'other.log'), clock)
  next.write('four')
  first.write('five')
  next.write('six', 'seven')
  expect((await next.audit.read(0, 10, everything)).total).toBe(4)
  // The first one has ended by then, and starts again.
  const copy = `${file}.copy`
  copyFileSync(file, copy)
  expect(await bringWaitingLines(place, file)).toEqual({ brought: 3, staying: 0 })
  expect(existsSync(file)).toBe(false)
  // A process that was killed before the file was gone.
  expect(await bringWaitingLines(place, copy)).toEqual(nothing)
  next.write('eight')

  const all = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  for (const filter of [undefined, everything]) {
    const { rows, total } = await next.audit.read(0, 10, filter)
    expect(total).toBe(8)
    expect(rows.map(({ id, action }) => [id, action])).toEqual(all.map((action, at) => [at + 1, action]).reverse())
  }
  const ends = await ask(
    place,
    `SELECT bool_and(ends = total) AS "right" FROM (SELECT ends, sum(octet_length(line) + 1) OVER (ORDER BY number) AS total
     FROM "${place.schema}".audit_line) AS line`,
  )
  expect(ends).toEqual([{ right: 't' }])
})

it('lines of another cluster with the same key stay in the file until the server works with that one again', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const file = join(temporaryFolder(), 'audit-waiting.log')
  const clock = { now: noon }
  const first = await leaderLog({ ...place, url: network.url }, file, clock)
  network.cut('refused')
  await vi.waitFor(() => expect(first.store.isAway()).toBe(true))
  first.write('one', 'two')
  await first.close()

  const other = await testPostgres()
  const second = await leaderLog(other, file, clock)
  expect(await bringWaitingLines(other, file)).toEqual({ brought: 0, staying: 2 })
  writeFileSync(
    file,
    `${JSON.stringify({ cluster: second.identity })}\n{"at":"2026-11-21T12:00:01.000Z","action":"own"}\n`,
    {
      flag: 'a',
    },
  )
  expect(await bringWaitingLines(other, file)).toEqual({ brought: 1, staying: 2 })
  expect(await actionsIn(other)).toEqual(['own'])
  expect(await bringWaitingLines(place, file)).toEqual({ brought: 2, staying: 0 })
  expect(await actionsIn(place)).toEqual(['one', 'two'])
  expect(existsSync(file)).toBe(false)
})

it('a thousand lines come while the leader writes, and equal ones are as many as there were', async () => {
  const place = await testPostgres()
  const file = join(temporaryFolder(), 'audit-waiting.log')
  const clock = { now: noon }
  const { audit, store, write } = await leaderLog(place, join(temporaryFolder(), 'own.log'), clock)
  write(...Array.from({ length: 1000 }, (_, at) => `own ${at}`))
  audit.write({ action: 'twice' })
  expect(await store.durable(10_000)).toBe(true)
  const lineAt = (at: number, action: string) => `${JSON.stringify({ at: new Date(at).toISOString(), action })}\n`
  const late = Array.from({ length: 1000 }, (_, at) => lineAt(noon + 500 + at * 1000, `late ${at}`))
  // One of them is there already, two are missing, and the last was cut off by a crash.
  const twice = lineAt(clock.now, 'twice')
  writeFileSync(file, [...late, twice, twice, twice, '{"at":"2026'].join(''))
  const brought = bringWaitingLines(place, file)
  write(...Array.from({ length: 200 }, (_, at) => `after ${at}`))
  expect(await brought).toEqual({ brought: 1003, staying: 0 })
  expect(await store.durable(10_000)).toBe(true)
  const { total } = await audit.read(0, 1)
  expect(total).toBe(1000 + 1 + 1003 + 200)
  const actions = await ask(
    place,
    `SELECT coalesce((regexp_match(line, '"action":"(.*)"'))[1], line) AS action FROM "${place.schema}".audit_line ORDER BY number`,
  )
  const expected = Array.from({ length: 1000 }, (_, at) => [`late ${at}`, `own ${at}`]).flat()
  const found = actions.map(({ action }) => action)
  expect(found.filter((action) => action === 'twice')).toHaveLength(3)
  expect(found.indexOf('{"at":"2026')).toBe(found.lastIndexOf('twice') + 1)
  expect(found.filter((action) => /^(late|own)/.test(action ?? ''))).toEqual(expected)
  expect(found.filter((action) => action?.startsWith('after'))).toHaveLength(200)
})

it('lines that had arrived are not there twice, also when thousands came after them', async () => {
  const place = await testPostgres()
  const file = join(temporaryFolder(), 'audit-waiting.log')
  const { store, write } = await leaderLog(place, join(temporaryFolder(), 'own.log'), { now: noon })
  write('arrived', 'also arrived')
  expect(await store.durable(10_000)).toBe(true)
  const rows = await ask(place, `SELECT line FROM "${place.schema}".audit_line ORDER BY number`)
  await ask(
    place,
    `INSERT INTO "${place.schema}".audit_line (number, ends, line)
     SELECT 2 + at, (SELECT max(ends) FROM "${place.schema}".audit_line) + at * 64,
       rpad('{"at":"2026-11-22T12:00:00.000Z","action":"after ' || at || '"', 62) || '}'
     FROM generate_series(1, 20100) AS at`,
  )
  writeFileSync(file, rows.map(({ line }) => `${line}\n`).join(''))
  expect(await bringWaitingLines(place, file)).toEqual(nothing)
  expect(existsSync(file)).toBe(false)
})

it('lines stay whole behind one that a full disk or a crash has cut off', async () => {
  const file = join(temporaryFolder(), 'audit-waiting.log')
  writeFileSync(file, '{"at":"2026')
  const waiting = openWaitingFile(file, 'this one', (error) => {
    throw error
  })
  waiting.keep('{"at":"one"}\n')
  waiting.keep('{"at":"two"}\n')
  expect(readFileSync(file, 'utf8')).toBe('{"at":"2026\n{"cluster":"this one"}\n{"at":"one"}\n{"at":"two"}\n')
  waiting.clear()
  expect(readFileSync(file, 'utf8')).toBe('{"at":"2026')
})

it('a file that cannot be written or removed keeps nothing else from going on, and is told of once', () => {
  const file = join(temporaryFolder(), 'audit-waiting.log')
  mkdirSync(file)
  const failures: unknown[] = []
  const waiting = openWaitingFile(file, 'this one', (error) => failures.push(error))
  waiting.keep('{"at":"one"}\n')
  waiting.keep('{"at":"two"}\n')
  waiting.clear()
  expect(failures).toHaveLength(1)
  rmSync(file, { recursive: true })
  waiting.keep('{"at":"three"}\n')
  expect(readFileSync(file, 'utf8').trim()).toBe('{"cluster":"this one"}\n{"at":"three"}')
  waiting.clear()
  expect(existsSync(file)).toBe(false)
})

const admin = { username: 'admin', password: 'correct horse' }

it('what people do while PostgreSQL is stopped is in the audit log once, also when the server is killed meanwhile', async () => {
  const postgres = await startStoppablePostgres()
  const settings = {
    ...watching,
    DATA_DIR: join(temporaryFolder(), 'data'),
    ADMIN_PASSWORD: admin.password,
    DATABASE_URL: postgres.url,
    CLUSTER_KEY: randomBytes(32).toString('base64'),
  }
  let server = await startServerProcess(settings)
  const api = await signIn(server.address, admin)
  const here = (path: string) => `${server.address}/api/v1/${path}`
  const post = (path: string, body: unknown, headers = api.headers()) =>
    fetch(here(path), { method: 'POST', headers, body: JSON.stringify(body) })
  await api.call('POST', 'server-group', { name: 'before', servers: [] })
  await vi.waitFor(async () => expect(await api.call('GET', 'server')).toHaveLength(1))

  /** In a moment without PostgreSQL: a terminal from its beginning to its end, a write, and a wrong password. */
  async function actAway(): Promise<void> {
    const opened = await api.call<{ session_id: string }>('POST', 'terminal', { server_id: 1 })
    await postgres.stop()
    const socket = new WebSocket(here(`ws/terminal/${opened.session_id}`).replace('http', 'ws'), {
      headers: api.headers(),
    })
    await once(socket, 'message')
    socket.close()
    await once(socket, 'close')
    const refused = await post('server-group', { name: 'refused', servers: [] })
    expect(await refused.text()).toContain('nothing was saved')
    // It blocks this address for a moment.
    const wrong = await post('login', { username: 'admin', password: 'wrong' }, {})
    expect(await wrong.text()).toContain('whether this was saved is not certain')
  }

  await actAway()
  await postgres.start()
  await vi.waitFor(() => api.call('POST', 'server-group', { name: 'between', servers: [] }))
  await actAway()
  server.kill('SIGKILL')
  await server.ended
  await postgres.start()
  server = await startServerProcess(settings)
  expect(server.output()).toMatch(/[34] lines of the audit log had waited for PostgreSQL: they are there now/)

  const read = async <T>(path: string): Promise<{ data: { value: T[] } }> =>
    (await fetch(here(path), { headers: api.headers() })).json()
  const audit = await vi.waitFor(() => read<{ at: string; action: string }>('wheelhouse/audit?limit=100'))
  const lines = audit.data.value.reverse()
  expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort())
  const away = ['session.sign-in-failed', 'terminal.open', 'terminal.end']
  const actions = lines.map(({ action }) => action)
  expect(actions.filter((action) => !away.includes(action))).toEqual([
    'session.sign-in',
    'server-group.create',
    'server-group.create',
  ])
  for (const action of away) expect(actions.filter((one) => one === action)).toHaveLength(2)
  const changes = (await read<{ record_name: string }>('changes?entity=server-group')).data.value
  expect(changes.map(({ record_name: name }) => name)).toEqual(['between', 'before'])
})

import { beforeAll, describe, expect, it } from 'vitest'
import { startMongodb } from '../../../support/fakes/mongodbServer.ts'
import { startMysql } from '../../../support/fakes/mysqlServer.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { ask, startPostgres } from '../../../support/postgres/startPostgres.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'

let fixture: Awaited<ReturnType<typeof checkFixture>>
beforeAll(async () => {
  fixture = await checkFixture()
})

const attempt = (target: string, check: object) => fixture.attempt({ type: 3, target, check })
const at = (port: number) => `127.0.0.1:${port}`

describe('PostgreSQL', () => {
  let target = ''
  beforeAll(async () => {
    const url = await startPostgres()
    target = new URL(url).host
    for (const method of ['scram-sha-256', 'md5']) {
      await ask(
        { url },
        `SET password_encryption = '${method}'; CREATE ROLE "by ${method}" LOGIN PASSWORD 'postgres-secret'`,
      )
    }
    const [{ hba_file = '' } = {}] = await ask({ url }, 'SHOW hba_file')
    const rules = ['scram-sha-256', 'md5', 'password'].map((method) => `host all "by ${method}" 127.0.0.1/32 ${method}`)
    await ask({ url }, `CREATE ROLE "by password" LOGIN PASSWORD 'postgres-secret'`)
    const lines = [...rules, 'host all all 127.0.0.1/32 trust'].map((line) => `('${line}')`).join(', ')
    await ask({ url }, `COPY (SELECT * FROM (VALUES ${lines}) AS rules) TO '${hba_file}'`)
    await ask({ url }, 'SELECT pg_reload_conf()')
  })

  it('is up when it answers as such', async () => {
    expect(await attempt(target, { kind: 'postgres' })).toMatchObject({ state: 'up' })
    expect(await attempt(target, { kind: 'postgres', tls: true })).toMatchObject({
      state: 'down',
      reason: 'no_starttls',
    })
  })

  it.each(['scram-sha-256', 'md5', 'password'])('lets in by %s, and gives a row', async (method) => {
    const check = { kind: 'postgres', user: `by ${method}`, password: 'postgres-secret', database: 'postgres' }
    expect(await attempt(target, check)).toMatchObject({ state: 'up', answer: expect.stringMatching(/^PostgreSQL \d/) })
    const query = "SELECT 7 AS one, NULL, 'postgres-secret' UNION ALL SELECT 8, 'x', ''"
    expect(await attempt(target, { ...check, query })).toMatchObject({
      state: 'up',
      answer: '7\tNULL\t…\n8\tx\t',
      rules: [{ rule: 'query', ok: true }],
    })
    expect(await attempt(target, { ...check, query: 'SELECT 1 WHERE false' })).toMatchObject({
      state: 'down',
      reason: 'rule_query_nothing',
    })
    expect(await attempt(target, { ...check, password: 'wrong-of-tests' })).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: `password authentication failed for user "by ${method}"` },
    })
  })

  it('reads the first rows of many, and says what is wrong with a query', async () => {
    const check = { kind: 'postgres', user: 'wheelhouse', database: 'postgres' }
    const many = await attempt(target, { ...check, query: 'SELECT * FROM generate_series(1, 10000000)' })
    expect(many).toMatchObject({ state: 'up', answer: expect.stringMatching(/^1\n2\n.*\n20$/s) })
    expect(await attempt(target, { ...check, query: 'SELECT nothing' })).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: 'column "nothing" does not exist' },
    })
  })
})

describe('MySQL', () => {
  it('is up when it answers as such, also when it turns strangers away', async () => {
    expect(await attempt(await startMysql(), { kind: 'mysql' })).toMatchObject({ state: 'up', answer: 'Access denied' })
  })

  it.each([
    ['remembers the password', { isRemembered: true }, {}],
    ['wants it encrypted', {}, {}],
    ['wants it through TLS', {}, { tls: true, verify_tls: false }],
  ])('%s, and gives a row', async (_how, server, fields) => {
    const check = { kind: 'mysql', user: 'watch', password: 'mysql-secret', database: 'shop', ...fields }
    const target = await startMysql(server)
    expect(await attempt(target, { ...check, query: 'SELECT one' })).toMatchObject({
      state: 'up',
      answer: 'first\tNULL',
    })
    expect(await attempt(target, { ...check, query: 'SELECT nothing' })).toMatchObject({
      state: 'down',
      reason: 'rule_query_nothing',
    })
  })

  it('is down with a wrong password', async () => {
    const check = { kind: 'mysql', user: 'watch', password: 'wrong-of-tests' }
    expect(await attempt(await startMysql(), check)).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: 'Access denied' },
      code: 1045,
    })
  })

  it('is down when something else answers', async () => {
    const { port } = await startRawServer((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await attempt(at(port), { kind: 'mysql' })).toMatchObject({
      state: 'down',
      reason: 'other_protocol',
      reason_values: { wanted: 'MySQL' },
    })
  })
})

describe('MongoDB', () => {
  it('is up when it answers as such', async () => {
    const target = at((await startMongodb()).port)
    expect(await attempt(target, { kind: 'mongodb' })).toMatchObject({
      state: 'up',
      answer: expect.stringContaining('"maxWireVersion":21'),
    })
  })

  it('lets in by SCRAM-SHA-256, and gives what a command asks for', async () => {
    const target = at((await startMongodb()).port)
    const check = { kind: 'mongodb', user: 'watch,=', password: 'mongodb-secret', database: 'shop' }
    const query = JSON.stringify({
      find: 'jobs',
      filter: { count: { $gt: 2 ** 40 }, share: 0.5, tags: ['a', null, true] },
    })
    expect(await attempt(target, { ...check, query })).toMatchObject({
      state: 'up',
      answer: '{"name":"backup","$db":"shop","count":1099511627776}',
    })
    expect(await attempt(target, { ...check, query: '{"find": "nothing"}' })).toMatchObject({
      state: 'down',
      reason: 'rule_query_nothing',
    })
    expect(await attempt(target, { ...check, query: '{"shutdown": 1}' })).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: 'not authorized' },
      code: 13,
    })
  })

  it('is down with a wrong password, and when the server does not know it either', async () => {
    const check = { kind: 'mongodb', user: 'watch,=', password: 'wrong-of-tests' }
    expect(await attempt(at((await startMongodb()).port), check)).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: 'Authentication failed.' },
    })
    const impostor = at((await startMongodb({ isImpostor: true })).port)
    expect(await attempt(impostor, check)).toMatchObject({ state: 'down', reason: 'sign_in_unknown' })
  })

  it('is refused with a query that is no object', async () => {
    expect((await attempt(at(1), { kind: 'mongodb', query: '[1]' })).error).toMatch(/^check\.query: /)
  })
})

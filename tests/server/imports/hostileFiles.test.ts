import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { ImportRefusal } from '../../../server/imports/readers/importData.ts'
import { openImportFile } from '../../../server/imports/readers/index.ts'
import { readImportFile } from '../../../server/imports/runImportProcess.ts'
import {
  dataOf,
  fixtureBytes,
  fixtureFile,
  type ImportFixture,
  planUpload,
} from '../../support/imports/importFixture.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** Why a file is refused. */
function refusalOf(path: string, settings = ''): Pick<ImportRefusal, 'code' | 'args'> | undefined {
  try {
    const { reader, database } = openImportFile('nezha', path)
    reader.read(database, settings)
    database.close()
    return undefined
  } catch (error) {
    const { code, args } = error as ImportRefusal
    return { code, args }
  }
}

/** A file of Nezha in which somebody has changed something by SQL. */
function changedFile(sql: string, name: ImportFixture = 'nezha-2'): string {
  const path = fixtureFile(name)
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
  return path
}

describe('A file to be imported', () => {
  it('is refused in words when it is none, damaged, of another product or of an unknown version', () => {
    const folder = temporaryFolder()
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'not a database, and longer than a header of one')
    expect(refusalOf(text)).toMatchObject({ code: 'not_a_database' })
    const empty = join(folder, 'empty.db')
    writeFileSync(empty, '')
    expect(refusalOf(empty)).toMatchObject({ code: 'not_a_database' })
    const bytes = fixtureBytes('nezha-2')
    const cut = fixtureFile('nezha-2', bytes.subarray(0, bytes.length - 50_000))
    expect(refusalOf(cut)).toMatchObject({ code: 'damaged' })
    const scribbled = fixtureFile(
      'nezha-2',
      Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(4096, 0xa5), bytes.subarray(12_288)]),
    )
    expect(refusalOf(scribbled)).toMatchObject({ code: 'damaged' })
    expect(refusalOf(fixtureFile('komari'))).toEqual({
      code: 'other_product_found',
      args: { product: 'Nezha', found: 'Komari' },
    })
    const unknown = changedFile('ALTER TABLE services RENAME COLUMN target TO destination')
    expect(refusalOf(unknown)).toEqual({
      code: 'unknown_version',
      args: { product: 'Nezha', missing: 'services.target' },
    })
    const old = changedFile('CREATE TABLE monitors (id INTEGER, target TEXT, skip_servers_raw TEXT)')
    expect(refusalOf(old)).toMatchObject({ code: 'too_old' })
    const file = fixtureFile('nezha-2')
    expect(refusalOf(file, 'site_name: [')).toMatchObject({ code: 'bad_settings' })
    expect(refusalOf(file, 'a: &a [x, x]\nb: [*a, *a]')).toMatchObject({ code: 'bad_settings' })
  })

  it('is refused while its latest changes are in another file, and nothing is written beside it', async () => {
    const path = fixtureFile('nezha-2')
    await readImportFile({ kind: 'nezha', path, settings: '' })
    expect(readdirSync(dirname(path))).toHaveLength(1)
    writeFileSync(`${path}-wal`, 'changes')
    expect(refusalOf(path)).toMatchObject({ code: 'unfinished' })
  })

  it('reads tables only: no view, no virtual table, no file that it names', () => {
    const target = join(temporaryFolder(), 'written.db')
    const view = changedFile(`
      DROP TABLE nats;
      CREATE VIEW nats AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT x AS id, 1 AS user_id, 'n' || x AS name, 1 AS server_id, 'h:1' AS host, 'd' AS domain FROM n;
      CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT load_extension('${target}'); END;`)
    expect(refusalOf(view)).toEqual({ code: 'unknown_version', args: { product: 'Nezha', missing: 'nats' } })
    expect(existsSync(target)).toBe(false)
  })

  it('may hold anything in its columns: what cannot be here is left out and named', async () => {
    const path = changedFile(`
      UPDATE users SET username = 'ADMIN' WHERE id = 2;
      UPDATE users SET password = 'plain', agent_secret = x'00ff' WHERE id = 3;
      UPDATE servers SET uuid = '../../etc/passwd' WHERE id = 1;
      UPDATE services SET target = 'javascript:alert(1)', duration = 9223372036854775807 WHERE id = 2;
      UPDATE services SET name = 'ping' WHERE id = 1;
      UPDATE crons SET command = hex(zeroblob(600000)) WHERE id = 1;
      UPDATE crons SET servers_raw = '{"a":' WHERE id = 3;
      UPDATE alert_rules SET rules_raw = '[[[[' WHERE id = 1;
      UPDATE notifications SET url = 'file:///etc/passwd' WHERE id = 1;
      UPDATE nats SET server_id = 99;
      UPDATE users SET role = -5 WHERE id = 3;
      INSERT INTO nz_waf VALUES (x'00000000000000000000ffffc0000207', -124, 4, 0, 99999);
      INSERT INTO nz_waf VALUES (x'20010db8000000000000000000000001', -124, 4, 0, 99999);
      INSERT INTO nz_waf VALUES (x'00000000000000000000ffff7f000001', -124, 4, 0, 99999);
      INSERT INTO nz_waf VALUES ('text', -124, 4, 0, 1), (x'00', -124, 4, 0, 1);`)
    const server = await testServer()
    const admin = await signedIn(server)
    const data = await readImportFile({ kind: 'nezha', path, settings: '' })
    const { shown } = await server.app.imports.plan(data, { id: 1, username: 'admin', role: 0 }, '127.0.0.1')
    expect(shown.skipped.map(({ entity, name, code }) => `${entity} ${name}: ${code}`)).toEqual(
      expect.arrayContaining([
        'user ADMIN: username_taken',
        'user oldada: password_unknown',
        'server old-berlin: no_uuid',
        'service web ok: invalid',
        'cron old task: invalid',
        'notification get: invalid',
        'alert-rule cpu high: invalid',
        'nat intranet: invalid',
        'waf 127.0.0.1: own_address',
        'notification-group on call: unknown_reference',
      ]),
    )
    const made = shown.changes.map(({ entity, name }) => `${entity} ${name}`)
    expect(made).toEqual(expect.arrayContaining(['waf 192.0.2.7', 'waf 2001:0db8:0000:0000:0000:0000:0000:0001']))
    expect(made).toEqual(expect.arrayContaining(['service ping', 'service ping (2)', 'cron on chosen']))
    // What is left can be made.
    const order = { data, digest: shown.digest, name: '', address: '127.0.0.1', judge: () => {} }
    const person = { id: 1, username: 'admin', role: 0 } as const
    await server.app.imports.apply({ ...order, person, file: { kind: 'nezha', path, settings: '' } })
    const ada = usersIn(server.store).find({ username: 'oldada' })[0]
    expect(ada).toMatchObject({ role: 1, password: '' })
    expect((await server.browser('203.0.113.9').signIn('oldada', '')).body).toHaveProperty('error')
    expect((await server.browser('192.0.2.7').get('setting')).status).toBe(403)
    expect((await admin.get('server')).status).toBe(200)
  })
})

it('what is too long together is left out and named', async () => {
  const path = changedFile(`
    WITH RECURSIVE n(x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n WHERE x < 400)
      INSERT INTO notifications (id, user_id, name, url, request_method, request_type, request_header, request_body)
      SELECT x, 1, 'n' || x, 'https://chat.example/' || x, 2, 1, '', hex(zeroblob(25000)) FROM n`)
  const { records, skipped } = await readImportFile({ kind: 'nezha', path, settings: '' })
  const taken = records.filter(({ entity }) => entity === 'notification').length
  expect(taken).toBeGreaterThan(100)
  expect(taken).toBeLessThan(200)
  expect(skipped).toContainEqual({
    entity: 'notification',
    name: '',
    code: 'too_many',
    args: { max: expect.any(Number) },
  })
})

describe('An upload to be imported', () => {
  it('is for administrators, comes in order, and has a limit', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const start = (bytes: number, browser = admin) =>
      browser.call('POST', 'wheelhouse/import-files', { body: { bytes } })
    expect((await start(10, await signedIn(server, 'member'))).body).toMatchObject({ error: 'permission denied' })
    expect((await start(2 ** 31 + 1)).body).toHaveProperty('error')
    const { file } = ((await start(4)).body as { data: { file: string } }).data
    const add = (offset: string, part: Buffer) =>
      admin.call('POST', `wheelhouse/import-files/${file}/parts?offset=${offset}`, { body: part })
    expect((await add('2', Buffer.from('ab'))).body).toMatchObject({
      error: expect.stringContaining('0 bytes have come'),
    })
    expect((await add('0', Buffer.from('abcde'))).body).toMatchObject({ error: expect.stringContaining('longer') })
    expect((await add('0', Buffer.from('ab'))).body).toMatchObject({ success: true })
    expect((await add('x', Buffer.from('cd'))).body).toMatchObject({ error: 'offset must be a whole number' })
    const plan = await admin.call('POST', `wheelhouse/import-files/${file}/plan`, { body: { kind: 'nezha' } })
    expect(plan.body).toMatchObject({ error: expect.stringContaining('2 of 4 bytes') })
    expect((await add('2', Buffer.alloc(1024 * 1024 + 1))).status).toBe(413)
    const path = await admin.call('POST', 'wheelhouse/import-files/..%2F..%2Fetc/plan', { body: { kind: 'nezha' } })
    expect(path.body).toMatchObject({ error: expect.stringContaining('no such file') })
  })

  it('is one for each administrator, and is read and carried out once at a time', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const begin = () => dataOf<{ file: string }>(admin, 'wheelhouse/import-files', { bytes: 4 })
    const begun = await Promise.all(Array.from({ length: 8 }, begin))
    const parts = await Promise.all(
      begun.map(({ file }) =>
        admin.call('POST', `wheelhouse/import-files/${file}/parts?offset=0`, { body: Buffer.from('ab') }),
      ),
    )
    expect(parts.filter(({ body }) => 'success' in (body as object))).toHaveLength(1)
    const bytes = fixtureBytes('uptime-kuma')
    const { file, plan } = await planUpload(admin, { kind: 'uptime-kuma', bytes })
    const planAgain = () =>
      admin.call('POST', `wheelhouse/import-files/${file}/plan`, { body: { kind: 'uptime-kuma' } })
    const apply = () => admin.call('POST', 'wheelhouse/imports', { body: { file, digest: plan?.digest } })
    const refused = { body: { error: expect.stringContaining('this file is being read already') } }
    expect(await Promise.all([planAgain(), planAgain()])).toContainEqual(expect.objectContaining(refused))
    const made = await Promise.all([apply(), apply()])
    expect(made).toContainEqual(expect.objectContaining(refused))
    expect(made).toContainEqual(expect.objectContaining({ body: expect.objectContaining({ success: true }) }))
  })

  it('is carried out only as it was shown', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const { file, plan } = await planUpload(admin, { kind: 'nezha', bytes: fixtureBytes('nezha-2') })
    const apply = (digest = '') => admin.call('POST', 'wheelhouse/imports', { body: { file, digest } })
    expect((await apply('other')).body).toMatchObject({ error: expect.stringContaining('make it again') })
    await admin.call('POST', 'server-group', { body: { name: 'Europe', servers: [] } })
    expect((await apply(plan?.digest)).body).toMatchObject({ error: expect.stringContaining('make it again') })
    expect(usersIn(server.store).count()).toBe(2)
  })
})

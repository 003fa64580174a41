import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { signIn } from '../../../scripts/soak/api.ts'
import { createAuth } from '../../../server/auth/auth.ts'
import { keyInFile } from '../../../server/auth/secondFactor/secretBox.ts'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { openStore } from '../../../server/db/store.ts'
import { openServerHistory } from '../../../server/services/history/serverHistory.ts'
import { openSamples } from '../../../server/services/history/serviceHistory.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const admin = { username: 'admin', password: 'correct horse' }

/** A data folder with some of what people keep, and the secret of an authenticator app. */
async function filledFolder(): Promise<string> {
  const folder = join(temporaryFolder(), 'data')
  const server = await startServerHere({ DATA_DIR: folder, ADMIN_PASSWORD: admin.password })
  const api = await signIn(server.address, admin)
  await api.call('POST', 'server-group', { name: 'office \u0000 "ü"', servers: [] })
  await api.call('POST', 'notification', {
    name: 'hook',
    url: 'https://example.org/?q=#NEZHA#',
    request_method: 2,
    request_type: 1,
    request_header: '{"x-b":"1","x-a":"2"}',
    request_body: '{"text":"#NEZHA#"}',
    skip_check: true,
  })
  await api.call('POST', 'cron', {
    name: 'nightly',
    task_type: 0,
    scheduler: '0 0 3 * * *',
    command: "echo 'a\\b'",
    servers: [],
    cover: 0,
    notification_group_id: 0,
  })
  await api.call('PATCH', 'wheelhouse/contract-setting', {
    report: 'week',
    currency: 'EUR',
    rates: [{ currency: 'USD', rate: 0.92 }],
  })
  await server.stop()
  inFolder(folder, ({ secondFactor }) => secondFactor.apps.save(1, secondFactor.apps.newSecret('x', 'admin').secret, 0))
  return folder
}

function inFolder<T>(folder: string, work: (auth: ReturnType<typeof createAuth>) => T): T {
  const store = openStore(join(folder, 'wheelhouse.db'))
  const secondFactorKey = keyInFile(join(folder, 'second-factor.key'))
  try {
    return work(createAuth({ store, now: Date.now, secondFactorKey }))
  } finally {
    store.close()
  }
}

/** The whole audit log, as its lines. */
const auditLinesIn = (folder: string) => readFileSync(join(folder, 'audit.log'), 'utf8').trimEnd().split('\n')

/** Two months of metrics and checks, summed up as in a server that ran for so long. */
async function fillHistory(folder: string): Promise<void> {
  const history = openHistory(join(folder, 'history.db'))
  const { samples, metrics } = { samples: openSamples(history), metrics: openServerHistory(history) }
  const end = Date.now()
  for (let at = end - 60 * 86_400_000; at < end; at += 3 * 3_600_000) {
    for (let server = 1; server <= 12; server++) {
      metrics.add(server, { cpu: (at % 97) / 7, mem_used: server % 2 ? 3e12 : undefined }, at)
      samples.add(1, server, at, { outcome: 'up', delay: 0.1 * server })
    }
  }
  for (const series of [samples.checks, samples.days, metrics.series]) {
    await series.flush()
    await series.thin(end)
  }
  history.close()
}

/** Every row of every table of a history. */
function bucketsIn(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, 'history.db'))
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    return tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all()])
  } finally {
    database.close()
  }
}

async function exported(settings: Record<string, string>): Promise<string> {
  const file = join(temporaryFolder(), 'configuration.yaml')
  expect(await runCommandHere(['export', file], settings)).toMatchObject({ code: 0 })
  return readFileSync(file, 'utf8')
}

it('a database moves to PostgreSQL and back, and is the same; what was there stays', async () => {
  const folder = await filledFolder()
  // A line that a crash has cut off in an emptied block, and an earlier file.
  appendFileSync(join(folder, 'audit.log'), 'half \u0000\u0000\n')
  writeFileSync(join(folder, 'audit.log.1'), '{"action":"first","target":"ü \u{1f600} \'\\\\n"}\n')
  await fillHistory(folder)
  const before = await exported({ DATA_DIR: folder })
  const buckets = bucketsIn(folder)
  expect(JSON.stringify(buckets).length).toBeGreaterThan(100_000)
  expect(before).toContain('nightly')
  expect(before).toContain('rate: 0.92')
  const bytes = readFileSync(join(folder, 'wheelhouse.db'))
  const { url, schema } = await testPostgres()
  const key = randomBytes(32).toString('base64')
  const moving = { DATA_DIR: folder, CLUSTER_KEY: key, WHEELHOUSE_SCHEMA: schema }
  const moved = await runCommandHere(['move', '--to', url], moving)
  expect(moved).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /Copied \d+ rows of \d+ tables, \d+ lines of the audit log and \d{4,} buckets of charts .* found them equal/,
    ),
  })
  expect(readFileSync(join(folder, 'wheelhouse.db')).equals(bytes)).toBe(true)
  expect(await ask({ url }, `SELECT command, cover FROM "${schema}".cron`)).toEqual([
    { command: "echo 'a\\b'", cover: '0' },
  ])

  const inPostgres = {
    DATA_DIR: join(temporaryFolder(), 'node'),
    DATABASE_URL: url,
    CLUSTER_KEY: key,
    WHEELHOUSE_SCHEMA: schema,
  }
  expect(await exported(inPostgres)).toBe(before)
  expect(await runCommandHere(['move', '--to', url], moving)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use already'),
  })

  const target = join(temporaryFolder(), 'back')
  const missing = await runCommandHere(['move', '--to', join(target, 'wheelhouse.db')], inPostgres)
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The folder \S+ cannot be written \(ENOENT\)/),
  })
  mkdirSync(target, { mode: 0o700 })
  expect(await runCommandHere(['move', '--to', join(target, 'wheelhouse.db')], inPostgres)).toMatchObject({ code: 0 })
  const lines = ['{"action":"first","target":"ü \u{1f600} \'\\\\n"}', ...auditLinesIn(folder)]
  expect(lines).toContain('half \u0000\u0000')
  expect(auditLinesIn(target)).toEqual(lines)
  expect(bucketsIn(target)).toEqual(buckets)
  expect(await exported({ DATA_DIR: target })).toBe(before)
  // `unreadable` is a secret that was sealed with another key.
  expect(inFolder(target, ({ secondFactor }) => secondFactor.apps.use(1, '000000'))).toBe('wrong')
})

it('passwords are reset and backups made in PostgreSQL too, and a restore says what to do', async () => {
  const folder = await filledFolder()
  const { url, schema } = await testPostgres()
  const settings = { DATA_DIR: folder, CLUSTER_KEY: randomBytes(32).toString('base64'), WHEELHOUSE_SCHEMA: schema }
  expect(await runCommandHere(['move', '--to', url], settings)).toMatchObject({ code: 0 })
  const inPostgres = { ...settings, DATABASE_URL: url }
  const reset = await runCommandHere(['reset-password', '--remove-second-factor'], inPostgres)
  const [, given = ''] = /is now (\S+) /.exec(reset.stdout) ?? []
  const server = await startServerHere(inPostgres)
  const { call } = await signIn(server.address, { username: 'admin', password: given })
  const audit = await call<{ value: { action: string }[] }>('GET', 'wheelhouse/audit?limit=3')
  expect(audit.value.map(({ action }) => action)).toEqual([
    'session.sign-in',
    'user.reset-second-factor',
    'user.reset-password',
  ])
  expect(
    await runCommandHere(['reset-password'], { ...inPostgres, DATA_DIR: join(temporaryFolder(), 'other') }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A server leads the cluster'),
  })
  const file = join(temporaryFolder(), 'copy.db')
  expect(await runCommandHere(['backup', file, '--history'], inPostgres)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The charts are not in it'),
  })
  await server.stop()
  const copy = openStore(file)
  expect(copy.table<{ id: number; name: string }>({ name: 'cron', columns: [] }).count()).toBe(1)
  copy.close()
  writeFileSync(file, '')
  expect(await runCommandHere(['restore', file], inPostgres)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database is in PostgreSQL'),
  })
})

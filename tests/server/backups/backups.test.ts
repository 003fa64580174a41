import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { deleteOldBackups, listBackups } from '../../../server/backups/backupFiles.ts'
import { lastTime } from '../../../server/backups/backups.ts'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { openStore } from '../../../server/db/store.ts'
import { StartError } from '../../../server/log.ts'
import { createBrowser } from '../../support/console/browser.ts'
import { hasNamespaces } from '../../support/server/process/namespaces.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { signInAt } from '../../support/server/process/serverProcess.ts'
import { spawnServer } from '../../support/server/process/spawnServer.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { cheapPasswords, password } from '../../support/server/testServer.ts'

const day = 86_400_000
const hour = 3_600_000

/** A server on files, with its own clock, that looks all the time whether a backup is due. */
async function fixture({ folder = join(temporaryFolder(), 'backups'), keep = 2 } = {}) {
  const dataDir = temporaryFolder()
  const store = openStore(join(dataDir, 'wheelhouse.db'))
  const history = openHistory(join(dataDir, 'history.db'))
  addUser(usersIn(store), {
    username: 'admin',
    password: await hashPassword(password, cheapPasswords),
    role: 0,
    now: 0,
  })
  const clock = { now: new Date(2026, 10, 21, 12, 0, 0).getTime() }
  const lines: AuditLine[] = []
  const logged: string[] = []
  const app = await buildApp({
    store,
    history,
    version: '1.2.3',
    backupCheckMs: 20,
    now: () => clock.now,
    settings: { host: '127.0.0.1', backups: { folder, keep, time: { hour: 3, minute: 0 } } },
    log: { info: () => {}, warn: () => {}, error: (text) => logged.push(text) },
    audit: openAuditLog({ lines }),
    passwordCost: cheapPasswords,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await app.close()
    history.close()
    store.close()
  })
  /** Signs in anew each time: the clock leaps over the ends of sessions. */
  async function ask(path: string) {
    const admin = createBrowser(app)
    await admin.signIn('admin', password)
    return ((await admin.get(path)).body as { data: Record<string, Record<string, unknown>> }).data
  }
  const facts = async () => (await ask('wheelhouse/security')).backups
  const warnings = async () => (await ask('setting')).wheelhouse?.warnings ?? []
  /** Waits for the number of complete backups. */
  const made = (count: number) =>
    vi.waitFor(() => expect(listBackups(folder).filter(({ isComplete }) => isComplete)).toHaveLength(count))
  const recorded = (action: string) => lines.filter((line) => line.action === action)
  return { folder, clock, store, facts, warnings, made, recorded, logged, dataDir }
}

describe('backups by schedule', () => {
  it('are made at once when one is due, then every day, and the oldest goes only when a newer one is there', async () => {
    const { folder, clock, made, recorded, facts } = await fixture()
    await made(1)
    const [first] = listBackups(folder)
    expect(first?.files.map((file) => file.replace(/^.*\//, '')).sort()).toEqual([
      expect.stringMatching(/^wheelhouse-2026112\dT\d{6}Z\.db$/),
      expect.stringMatching(/^wheelhouse-2026112\dT\d{6}Z\.history\.db$/),
    ])
    for (const file of first?.files ?? []) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    writeFileSync(join(folder, 'wheelhouse-2020.db'), 'not ours')
    for (const count of [2, 2]) {
      clock.now += day
      await vi.waitFor(async () =>
        expect(await facts()).toMatchObject({ latest: new Date(clock.now).toISOString().replace('.000', '') }),
      )
      await made(count)
    }
    expect(existsSync(first?.files[0] as string)).toBe(false)
    expect(readdirSync(folder)).toContain('wheelhouse-2020.db')
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
    expect(recorded('database.backup').map(({ detail }) => detail?.deleted)).toEqual([undefined, undefined, 1])
  })

  it('are no more than one a day, also after a restart', async () => {
    const { folder, clock, made } = await fixture()
    await made(1)
    clock.now += 12 * hour
    const again = await fixture({ folder })
    again.clock.now = clock.now
    await again.warnings()
    await made(1)
    again.clock.now += 12 * hour
    await made(2)
  })

  it('that fail are logged, recorded and shown to administrators, and tried again after an hour', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { clock, facts, warnings, recorded, logged, made } = await fixture({ folder: join(file, 'backups') })
    await vi.waitFor(() => expect(logged).toHaveLength(1))
    expect(logged[0]).toContain('The backup by schedule failed, and is tried again in an hour. ENOTDIR')
    expect(recorded('database.backup-failed')).toMatchObject([
      { detail: { error: expect.stringContaining('ENOTDIR') } },
    ])
    expect(await facts()).toMatchObject({ scheduled: true, failure: { message: expect.stringContaining('ENOTDIR') } })
    expect(await warnings()).toContain('backup_failed')
    rmSync(file)
    mkdirSync(file)
    clock.now += hour
    await made(1)
    await vi.waitFor(async () => expect(await warnings()).not.toContain('backup_failed'))
    expect(await facts()).not.toHaveProperty('failure')
    expect(recorded('database.backup-failed')).toHaveLength(1)
  })

  it('that fail while the clock is a year ahead are tried again when it is right', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { clock, logged, made } = await fixture({ folder: join(file, 'backups') })
    clock.now += 365 * day
    await vi.waitFor(() => expect(logged).toHaveLength(2))
    clock.now -= 365 * day
    rmSync(file)
    mkdirSync(file)
    await made(1)
  })

  it('keep the older ones when the database cannot be copied whole', async () => {
    const { clock, folder, dataDir, made, logged } = await fixture({ keep: 1 })
    await made(1)
    const before = readdirSync(folder)
    writeFileSync(join(dataDir, 'history.db'), 'no database at all')
    clock.now += day
    await vi.waitFor(() => expect(logged).toHaveLength(1))
    expect(logged[0]).toContain('history.db is damaged')
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('the folder of backups', () => {
  const stamp = (number: number) => `wheelhouse-2026112${number}T030000Z`

  it('loses old backups and what interrupted ones left, and nothing of others', () => {
    const folder = temporaryFolder()
    const others = ['wheelhouse.db', `${stamp(1)}.db.gz`, `x${stamp(1)}.db`, 'wheelhouse-20261399T030000Z.db', 'notes']
    const old = [`${stamp(1)}.db`, `${stamp(1)}.history.db`, `${stamp(2)}.history.db`, `${stamp(2)}.db.part`]
    const remaining = [`${stamp(3)}.db`, `${stamp(4)}.db`, `${stamp(4)}.history.db`]
    const underWay = [`${stamp(5)}.history.db.part`]
    for (const name of [...others, ...old, ...remaining, ...underWay]) writeFileSync(join(folder, name), '')
    mkdirSync(join(folder, `${stamp(0)}.db`))
    expect(deleteOldBackups(folder, 2)).toBe(2)
    expect(readdirSync(folder).sort()).toEqual([...others, ...remaining, ...underWay, `${stamp(0)}.db`].sort())
  })

  it('keeps everything while no backup is complete', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, `${stamp(1)}.history.db`), '')
    expect(deleteOldBackups(folder, 1)).toBe(0)
    expect(readdirSync(folder)).toHaveLength(1)
  })
})

it('the time of day that has passed is of today or of yesterday', () => {
  const at = (...parts: [number, number]) => new Date(2026, 10, 21, ...parts).getTime()
  const time = { hour: 3, minute: 30 }
  expect(lastTime(time, at(3, 29))).toBe(new Date(2026, 10, 20, 3, 30).getTime())
  expect(lastTime(time, at(3, 30))).toBe(at(3, 30))
  expect(lastTime(time, at(23, 0))).toBe(at(3, 30))
})

describe('a server that was started with BACKUP_DIR', () => {
  it('makes a backup with its history that "restore" puts back elsewhere, and people sign in as before', async () => {
    const folder = join(temporaryFolder(), 'backups')
    const settings = { DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: password }
    const server = await spawnServer({ ...settings, BACKUP_DIR: folder, BACKUP_KEEP: '3', BACKUP_TIME: '04:30' })
    onTestFinished(() => server.kill('SIGKILL'))
    const log = join(settings.DATA_DIR, 'audit.log')
    await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('"action":"database.backup"'))
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const file = listBackups(folder)[0]?.files.find((name) => !name.includes('history')) as string

    const elsewhere = { DATA_DIR: join(temporaryFolder(), 'new') }
    const { stdout, code } = await runCommandHere(['restore', file], elsewhere)
    expect(code).toBe(0)
    expect(stdout).toContain(
      `Restored ${join(elsewhere.DATA_DIR, 'history.db')} from ${file.replace('.db', '.history.db')}`,
    )
    const second = await startServerHere(elsewhere)
    expect((await signInAt(second.address, 'admin', password)).body).toMatchObject({ success: true })
  })

  it.runIf(hasNamespaces)('says that the disk of the folder is too small, before it writes there', async () => {
    const [dataDir, folder] = [temporaryFolder(), temporaryFolder()]
    const onSmallDisk = [
      'unshare',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs -o size=3m,mode=0700 small "$BACKUP_DIR" && exec "$@"',
      'sh',
    ]
    const settings = { DATA_DIR: dataDir, BACKUP_DIR: folder, WATCH_THIS_MACHINE: 'false' }
    const server = await spawnServer(settings, { through: onSmallDisk })
    onTestFinished(() => server.kill('SIGKILL'))
    await vi.waitFor(() =>
      expect(server.output()).toMatch(/The disk of \S+ has \d+ MB of free space, and a backup needs \d+: free some/),
    )
    expect(readdirSync(`/proc/${server.pid}/root${folder}`)).toEqual([])
  })

  it.each([
    [{ BACKUP_KEEP: '3' }, 'BACKUP_KEEP is set and BACKUP_DIR is not'],
    [{ BACKUP_TIME: '04:00' }, 'BACKUP_TIME is set and BACKUP_DIR is not'],
    [{ BACKUP_DIR: '/x', BACKUP_KEEP: '0' }, 'BACKUP_KEEP is "0": set it to the number of backups to keep'],
    [{ BACKUP_DIR: '/x', BACKUP_TIME: '24:00' }, 'BACKUP_TIME is "24:00": set it to a time of day'],
    [{ BACKUP_DIR: '/x', UPSTREAM: 'http://127.0.0.1:1' }, 'BACKUP_DIR is for the embedded server'],
  ])('refuses %o with a sentence', async (settings, words) => {
    const refused = startServerHere({ DATA_DIR: temporaryFolder(), ...settings })
    await expect(refused).rejects.toBeInstanceOf(StartError)
    await expect(refused).rejects.toThrow(words)
  })
})

it('"backup --history" copies the history beside, and says where', async () => {
  const settings = { DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: password }
  await (await startServerHere(settings)).stop()
  const folder = temporaryFolder()
  const { stdout, code } = await runCommandHere(['backup', join(folder, 'monday.db'), '--history'], settings)
  expect(code).toBe(0)
  expect(stdout).toContain(`Copied the history to ${join(folder, 'monday.history.db')}`)
  expect(readdirSync(folder).sort()).toEqual(['monday.db', 'monday.history.db'])
})

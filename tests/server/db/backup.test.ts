import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { openStore } from '../../../server/db/store.ts'
import { roles } from '../../../src/schemas/define/access.ts'
import { runCli } from '../../support/server/process/runCli.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { signInAt } from '../../support/server/process/serverProcess.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'

/** A data folder with a database that knows these people. */
function folderOf(...names: string[]): { DATA_DIR: string } {
  const DATA_DIR = temporaryFolder()
  addPeople(DATA_DIR, names)
  return { DATA_DIR }
}

function addPeople(folder: string, names: readonly string[]): void {
  const store = openStore(join(folder, 'wheelhouse.db'))
  for (const username of names) addUser(usersIn(store), { username, password: '-', role: roles.user, now: 0 })
  store.close()
}

function peopleIn(database: string): string[] {
  const store = openStore(database)
  const names = usersIn(store)
    .all()
    .map((user) => user.username)
  store.close()
  return names
}

const newFile = () => join(temporaryFolder(), 'copy.db')

async function copyOf(settings: { DATA_DIR: string }, run = runCommandHere): Promise<string> {
  const file = newFile()
  expect(await run(['backup', file], settings)).toMatchObject({ code: 0, stderr: '' })
  return file
}

describe('backup', () => {
  it('copies the database of a running server, and a server on the copy lets the same people in', async () => {
    const settings = { DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: password }
    const first = await startServerHere(settings)
    const { cookies } = await signInAt(first.address, 'admin', password)
    const file = await copyOf(settings, runCli)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
    const profileAt = async (address: string) =>
      (await fetch(`${address}/api/v1/profile`, { headers: { cookie } })).json()
    const admin = { success: true, data: { username: 'admin' } }
    expect(await profileAt(first.address)).toMatchObject(admin)

    const elsewhere = { DATA_DIR: join(temporaryFolder(), 'new') }
    expect(await runCli(['restore', file], elsewhere)).toMatchObject({ code: 0, stderr: '' })
    const second = await startServerHere(elsewhere)
    expect(await profileAt(second.address)).toMatchObject(admin)
  })

  it('never writes over a file, and leaves nothing when it cannot finish', async () => {
    const settings = folderOf('anna')
    const file = newFile()
    writeFileSync(file, 'mine')
    const refused = await runCli(['backup', file], settings)
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} is there already: choose another name, or move it away.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')

    const missing = join(temporaryFolder(), 'none', 'copy.db')
    expect((await runCommandHere(['backup', missing], settings)).stderr).toMatch(
      /^The folder .*none cannot be written \(ENOENT\)/,
    )

    const database = join(settings.DATA_DIR, 'wheelhouse.db')
    truncateSync(database, statSync(database).size - 8192)
    const folder = temporaryFolder()
    const damaged = await runCommandHere(['backup', join(folder, 'copy.db')], settings)
    expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') })
    expect(readdirSync(folder)).toEqual([])
  })

  it('names the file with providers, which it does not hold', async () => {
    const settings = folderOf('anna')
    const providers = join(settings.DATA_DIR, 'oauth2.json')
    writeFileSync(providers, '{}')
    expect((await runCommandHere(['backup', newFile()], settings)).stdout).toContain(
      `${providers} is a file of your own and not in it`,
    )
  })

  it('of a folder without a database says so, and makes none', async () => {
    const DATA_DIR = join(temporaryFolder(), 'typo')
    const refused = await runCommandHere(['backup', newFile()], { DATA_DIR })
    expect(refused).toMatchObject({
      code: 1,
      stderr: `There is no database in ${DATA_DIR}: set DATA_DIR to the folder that your server uses.\n`,
    })
    expect(existsSync(DATA_DIR)).toBe(false)
  })
})

describe('restore', () => {
  it('brings back what was there, keeps what was there since, and is in the audit log', async () => {
    const settings = folderOf('anna')
    const file = await copyOf(settings)
    addPeople(settings.DATA_DIR, ['berta'])
    const { code, stdout } = await runCommandHere(['restore', file], settings)
    expect(code).toBe(0)
    const previous = /^The database from before is kept: (.*)$/m.exec(stdout)?.[1] ?? ''
    expect(peopleIn(join(settings.DATA_DIR, 'wheelhouse.db'))).toEqual(['anna'])
    expect(peopleIn(previous)).toEqual(['anna', 'berta'])
    expect(JSON.parse(readFileSync(join(settings.DATA_DIR, 'audit.log'), 'utf8'))).toMatchObject({
      action: 'database.restore',
      target: file,
    })
  })

  it('keeps the last writes of a server that was killed, and applies none of them to the copy', async () => {
    const settings = { ...folderOf('admin'), ADMIN_PASSWORD: password }
    const file = await copyOf(settings)
    const database = join(settings.DATA_DIR, 'wheelhouse.db')
    const writer = new DatabaseSync(database)
    // As kill -9 leaves it: the write is in the log beside the file only, and that stays when we are gone.
    writer.exec("PRAGMA wal_autocheckpoint = 0; INSERT INTO user (username) VALUES ('carla')")
    const { stderr, stdout } = await runCli(['restore', file], settings)
    writer.close()
    expect(stderr).toBe('')
    expect(peopleIn(/is kept: (.*)$/m.exec(stdout)?.[1] ?? '')).toEqual(['admin', 'carla'])
    expect(peopleIn(database)).toEqual(['admin'])
  })

  it('takes the place of a database that is damaged', async () => {
    const settings = folderOf('anna')
    const file = await copyOf(settings)
    const database = join(settings.DATA_DIR, 'wheelhouse.db')
    writeFileSync(database, 'no database at all')
    const { stdout } = await runCommandHere(['restore', file], settings)
    expect(peopleIn(database)).toEqual(['anna'])
    expect(readFileSync(/is kept: (.*)$/m.exec(stdout)?.[1] ?? '', 'utf8')).toBe('no database at all')
  })

  const spoil: Record<string, [(file: string) => void, RegExp]> = {
    'of a newer version': [
      (file) => setVersion(file, 4242),
      /has version 4242, and this Wheelhouse knows versions up to/,
    ],
    'cut short': [(file) => truncateSync(file, 12_288), /is damaged or no database of Wheelhouse/],
    'that is text': [(file) => writeFileSync(file, 'hello'), /is damaged or no database of Wheelhouse/],
    'that is empty': [(file) => writeFileSync(file, ''), /is damaged or no database of Wheelhouse/],
  }

  it.each(Object.entries(spoil))('refuses a file %s and changes nothing', async (_kind, [damage, words]) => {
    const settings = folderOf('anna')
    const file = await copyOf(settings)
    damage(file)
    const database = join(settings.DATA_DIR, 'wheelhouse.db')
    const before = readFileSync(database)
    const refused = await runCommandHere(['restore', file], settings)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(words)
    expect(refused.stderr.trim().split('\n')).toHaveLength(1)
    expect(readFileSync(database)).toEqual(before)
    expect(readdirSync(settings.DATA_DIR).sort()).toEqual(['server.lock', 'wheelhouse.db', 'wheelhouse.db.reserve'])
  })

  it('refuses a file that is not there, and the database itself', async () => {
    const settings = folderOf('anna')
    const database = join(settings.DATA_DIR, 'wheelhouse.db')
    const file = newFile()
    expect((await runCommandHere(['restore', file], settings)).stderr).toContain(`There is no file ${file}`)
    expect((await runCommandHere(['restore', database], settings)).stderr).toContain('is the database itself')
    expect(peopleIn(database)).toEqual(['anna'])
  })

  it('refuses while a server runs on the folder', async () => {
    const settings = { DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: password }
    const server = await startServerHere(settings)
    const file = await copyOf(settings)
    for (const command of [['restore', file], ['reset-password']]) {
      expect(await runCli(command, settings)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Another server (process ${process.pid}) is using the data folder`),
      })
    }
    expect(await signInAt(server.address, 'admin', password)).toMatchObject({ body: { success: true } })
  })
})

function setVersion(file: string, version: number): void {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA user_version = ${version}`)
  database.close()
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Auth, createAuth } from '../../../server/auth/auth.ts'
import { createWaf } from '../../../server/auth/blocking/blockedAddresses.ts'
import type { FailureRow } from '../../../server/auth/blocking/blockRules.ts'
import { keyInFile } from '../../../server/auth/secondFactor/secretBox.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { openStore } from '../../../server/db/store.ts'
import { answerAtTerminal, runCli } from '../../support/server/process/runCli.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { signInAt } from '../../support/server/process/serverProcess.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

describe('the command line', () => {
  it('prints its version and its commands', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
    const { stdout } = await runCli(['--help'])
    for (const word of [
      'Usage: wheelhouse',
      'reset-password [USER]',
      'backup FILE',
      'restore FILE',
      'DATA_DIR',
      'PORT',
    ])
      expect(stdout).toContain(word)
  })

  it.each([
    [['stop'], 'Unknown argument stop: wheelhouse --help lists'],
    [['toString'], 'Unknown argument toString: wheelhouse --help lists'],
    [['backup'], 'Say which: wheelhouse backup FILE'],
    [['restore', '--force'], 'Unknown argument --force'],
    [['backup', 'a', 'b'], 'Unknown argument b: backup takes one FILE.'],
  ])('refuses %j with a sentence', async (args, words) => {
    const refused = await runCli(args)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(words)
  })
})

describe('reset-password', () => {
  it('gives the first administrator a new password, ends old sessions, and removes blocks', async () => {
    const settings = { DATA_DIR: temporaryFolder() }
    const first = await startServerHere(settings)
    const file = join(settings.DATA_DIR, 'admin-password.txt')
    const old = readFileSync(file, 'utf8').trim()
    const { cookies } = await signInAt(first.address, 'admin', old)
    await first.stop()
    shutOut(settings.DATA_DIR)

    const { code, stdout, stderr } = await runCli(['reset-password'], settings)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('This user may sign in with a password again.')
    const shown = /^The password of "admin" is now (\w{20}) /.exec(stdout)?.[1] ?? ''
    const log = readFileSync(join(settings.DATA_DIR, 'audit.log'), 'utf8')
    expect(log.trim().split('\n').at(-1)).toContain('"action":"user.reset-password","target":"user 1"')
    expect(log).not.toContain(shown)

    const second = await startServerHere(settings)
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
    const profile = await fetch(`${second.address}/api/v1/profile`, { headers: { cookie } })
    expect(await profile.json()).toMatchObject({ error: 'ApiErrorUnauthorized' })
    expect(await signInAt(second.address, 'admin', shown)).toMatchObject({ body: { success: true } })
    expect((await signInAt(second.address, 'admin', old)).body).not.toMatchObject({ success: true })
  })

  it('lets one user in with a password where only providers do, and says so', async () => {
    const settings = { DATA_DIR: temporaryFolder() }
    await (await startServerHere(settings)).stop()
    const inStore = <T>(work: (auth: Auth) => T): T => {
      const store = openStore(join(settings.DATA_DIR, 'wheelhouse.db'))
      const result = work(createAuth({ store, now: Date.now }))
      store.close()
      return result
    }
    inStore(({ signInProviders }) => signInProviders.setOnlyWay(true))
    const { code, stdout } = await runCli(['reset-password'], settings)
    expect(code).toBe(0)
    expect(stdout).toContain('This user may sign in with a password again.')
    expect(stdout).toContain('Everybody else still signs in by a provider only')
    const shown = /^The password of "admin" is now (\w{20}) /.exec(stdout)?.[1] ?? ''
    const server = await startServerHere(settings)
    expect(await signInAt(server.address, 'admin', shown)).toMatchObject({ body: { success: true } })
  })

  it('deletes the file with an unused password', async () => {
    const settings = { DATA_DIR: temporaryFolder() }
    const server = await startServerHere(settings)
    await server.stop()
    const file = join(settings.DATA_DIR, 'admin-password.txt')
    expect(existsSync(file)).toBe(true)
    expect(await runCommandHere(['reset-password', 'admin'], settings)).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
  })

  it('keeps the second factor and says how to remove it, or removes it when asked to', async () => {
    const { settings, hasSecondFactor } = folderWithSecondFactor()
    const passwordOnly = await runCommandHere(['reset-password', 'admin'], settings)
    expect(passwordOnly).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('repeat this with --remove-second-factor.'),
    })
    expect(hasSecondFactor()).toBe(true)
    const removed = await runCommandHere(['reset-password', '--remove-second-factor'], settings)
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('The second factor was removed') })
    expect(hasSecondFactor()).toBe(false)
    expect(readFileSync(join(settings.DATA_DIR, 'audit.log'), 'utf8')).toContain('"user.reset-second-factor"')
    const backup = await runCommandHere(['backup', join(settings.DATA_DIR, 'copy.db')], settings)
    expect(backup.stdout).toContain('second-factor.key is not in it')
  })

  it.each([
    ['y', 'The second factor was removed', false],
    ['', 'The second factor stays', true],
    ['no', 'The second factor stays', true],
  ])('asks a person at a terminal whether the second factor goes too; answered with "%s": %s', async (...row) => {
    const [answer, words, stays] = row
    const { settings, hasSecondFactor } = folderWithSecondFactor()
    const { code, output } = await answerAtTerminal(['reset-password'], settings, /\[y\/N\] /, answer)
    expect(output).toContain('This user has a second factor. Remove it as well? [y/N]')
    expect(output).toContain('The password of "admin" is now')
    expect(output).toContain(words)
    expect(code).toBe(0)
    expect(hasSecondFactor()).toBe(stays)
  })

  it('lists the users when there is none of that name', async () => {
    const settings = { DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: 'correct horse' }
    const server = await startServerHere(settings)
    await server.stop()
    expect(await runCommandHere(['reset-password', 'bob'], settings)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no user "bob": name one of admin.\n',
    })
  })
})

it('reset-password shows what cannot be seen in a name, and sends no control characters to the terminal', async () => {
  const settings = { DATA_DIR: temporaryFolder() }
  const store = openStore(join(settings.DATA_DIR, 'wheelhouse.db'))
  const username = 'ev\u001b[2Jil\u202e\n\u009b'
  addUser(usersIn(store), { username, password: '', role: 0, now: 0 })
  store.close()
  const shown = 'ev\\u{1b}[2Jil\\u{202e}\\u{a}\\u{9b}'
  const unknown = await runCli(['reset-password', 'bob\u001b[2J'], settings)
  expect(unknown.stderr).toBe(`There is no user "bob\\u{1b}[2J": name one of ${shown}.\n`)
  const { stdout } = await runCli(['reset-password', username], settings)
  expect(stdout).toContain(`The password of "${shown}" is now `)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u)
})

/** A data folder whose only user, an administrator, has an authenticator app. */
function folderWithSecondFactor(): { settings: { DATA_DIR: string }; hasSecondFactor(): boolean } {
  const settings = { DATA_DIR: temporaryFolder() }
  const inStore = <T>(work: (auth: Auth) => T): T => {
    const store = openStore(join(settings.DATA_DIR, 'wheelhouse.db'))
    const secondFactorKey = keyInFile(join(settings.DATA_DIR, 'second-factor.key'))
    const result = work(createAuth({ store, now: Date.now, secondFactorKey }))
    store.close()
    return result
  }
  inStore(({ users, secondFactor }) => {
    addUser(users, { username: 'admin', password: '', role: 0, now: 0 })
    secondFactor.apps.save(1, secondFactor.apps.newSecret('x', 'admin').secret, 0)
  })
  return { settings, hasSecondFactor: () => inStore(({ secondFactor }) => secondFactor.has(1)) }
}

/** Leaves the first user no way in: not by password, and not from this address for a day. */
function shutOut(folder: string): void {
  const store = openStore(join(folder, 'wheelhouse.db'))
  usersIn(store).update(1, { reject_password: true })
  const waf = createWaf(store, Date.now)
  for (let times = 0; times < 30; times++) waf.recordFailure('127.0.0.1', { kind: 'sign-in', account: 1 })
  expect(waf.endOf(waf.rows()[0] as FailureRow)).toBeGreaterThan(Date.now() / 1000 + 80_000)
  waf.flush()
  store.close()
}

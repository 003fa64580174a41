import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deletePasswordFile, prepareFirstUser } from '../../../server/auth/users/users.ts'
import { openStore } from '../../../server/db/store.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const options = { adminPassword: undefined, isTerminal: false }

describe('the file with the first password', () => {
  it('stays when another user signs in, and is deleted when its own user does', async () => {
    const store = openStore(':memory:')
    const passwordFile = join(temporaryFolder(), 'admin-password.txt')
    const first = await prepareFirstUser(store, { ...options, passwordFile })
    expect(existsSync(passwordFile)).toBe(false)
    first?.create()
    deletePasswordFile(store, passwordFile, 2)
    expect(existsSync(passwordFile)).toBe(true)
    deletePasswordFile(store, passwordFile, 1)
    expect(existsSync(passwordFile)).toBe(false)
  })

  it('replaces a file that others can read', async () => {
    const passwordFile = join(temporaryFolder(), 'admin-password.txt')
    writeFileSync(passwordFile, 'old', { mode: 0o644 })
    const first = await prepareFirstUser(openStore(':memory:'), { ...options, passwordFile })
    first?.create()
    expect(statSync(passwordFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(passwordFile, 'utf8')).toMatch(/^\w{20}\n$/)
  })

  it('is not deleted later, when the operator has a file of that name', async () => {
    const store = openStore(':memory:')
    const passwordFile = join(temporaryFolder(), 'admin-password.txt')
    const first = await prepareFirstUser(store, { ...options, passwordFile })
    first?.create()
    deletePasswordFile(store, passwordFile, 1)
    writeFileSync(passwordFile, 'a note of mine')
    deletePasswordFile(store, passwordFile, 1)
    expect(existsSync(passwordFile)).toBe(true)
  })
})

describe('the first user', () => {
  it('is created once', async () => {
    const store = openStore(':memory:')
    const passwordFile = join(temporaryFolder(), 'admin-password.txt')
    const first = await prepareFirstUser(store, { ...options, passwordFile })
    first?.create()
    expect(await prepareFirstUser(store, { ...options, passwordFile })).toBeUndefined()
  })
})
